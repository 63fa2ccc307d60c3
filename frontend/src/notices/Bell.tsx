import { Bell as BellIcon } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { useUnread } from "./useUnread";

const Window = lazyComponent(() => import("./NoticeWindow"), "NoticeWindow");

const buttonStyles =
  "relative inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-ink";

/** Largest count on the bell. */
const SHOWN_MAX = 99;

/** A button with the number of unread notices, which opens their list. */
export function Bell() {
  const [opened, setOpened] = useState(false);
  const { unread, ask } = useUnread();
  useIdleLoad(Window.load);

  const props = {
    label: unread > 0 ? `Notices, ${unread} new` : "Notices",
    className: buttonStyles,
    children: <Mark unread={unread} />,
  };
  const button = (
    <button
      type="button"
      aria-label={props.label}
      aria-haspopup="dialog"
      aria-expanded={false}
      className={props.className}
      onClick={() => setOpened(true)}
    >
      {props.children}
    </button>
  );
  return (
    <Suspense fallback={button}>{opened ? <Window {...props} onRead={ask} /> : button}</Suspense>
  );
}

function Mark({ unread }: { unread: number }): ReactNode {
  return (
    <>
      <BellIcon className="size-5" aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full bg-seal-mark px-1 text-center font-semibold text-white text-xs leading-5"
        >
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </>
  );
}
