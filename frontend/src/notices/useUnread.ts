import { useCallback, useEffect, useRef, useState } from "react";
import { useSelector } from "react-redux";
import { noticesClient } from "@/api/noticesClient";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { onReadElsewhere } from "./otherTabs";

/**
 * Each page has a header of its own: until its response arrives, it shows the last known number.
 */
let known = { user: "", unread: 0 };

/**
 * Returns the number of unread notices and a reload function. Loads on each page, when the tab
 * becomes visible, and when another tab has read some; never polls.
 */
export function useUnread() {
  const user = useSelector(selectCurrentUser)?.id ?? "";
  const [unread, setUnread] = useState(known.user === user ? known.unread : 0);
  const asked = useRef(0);

  const ask = useCallback(async () => {
    asked.current += 1;
    const own = asked.current;
    const { data } = await noticesClient.countUnread();
    // Only the newest response counts; without one, the last known number stays.
    if (!data || own !== asked.current) return;
    known = { user, unread: data.unread };
    setUnread(data.unread);
  }, [user]);

  useEffect(() => {
    void ask();
  }, [ask]);
  useEffect(() => onReadElsewhere(ask), [ask]);
  useEffect(() => {
    const askWhenSeen = () => {
      if (document.visibilityState === "visible") void ask();
    };
    document.addEventListener("visibilitychange", askWhenSeen);
    return () => document.removeEventListener("visibilitychange", askWhenSeen);
  }, [ask]);

  return { unread, ask };
}
