import { useCallback, useEffect, useRef, useState } from "react";
import { useSelector } from "react-redux";
import { useLocation } from "react-router";
import { selectCurrentUser } from "@/api/currentUserSlice";
import { noticesClient } from "@/api/noticesClient";
import { onReadElsewhere } from "./otherTabs";

/** Each page has a header of its own: until it has its answer, it shows that of the page before. */
let known = { user: "", unread: 0 };

/**
 * How many notices are unread, and a way to ask again. Asks by itself on each page, when the tab
 * comes back into sight, and when another tab has read some; it never polls.
 */
export function useUnread() {
  const user = useSelector(selectCurrentUser)?.id ?? "";
  const [unread, setUnread] = useState(known.user === user ? known.unread : 0);
  const { pathname } = useLocation();
  const asked = useRef(0);

  const ask = useCallback(async () => {
    asked.current += 1;
    const own = asked.current;
    const { data } = await noticesClient.countUnread();
    // Only the newest answer counts; without one, what was known stays.
    if (!data || own !== asked.current) return;
    known = { user, unread: data.unread };
    setUnread(data.unread);
  }, [user]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page asks anew.
  useEffect(() => {
    void ask();
  }, [ask, pathname]);
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
