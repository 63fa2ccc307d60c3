import { useEffect, useState } from "react";
import { Link } from "react-router";
import type { Notice } from "@/api/generated";
import { noticesClient } from "@/api/noticesClient";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { formatDateTime } from "@/ui/dates";
import { ListState } from "@/ui/ListState";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { tellOtherTabs } from "./otherTabs";
import { sentence } from "./sentence";
import { useNotices } from "./useNotices";

const STEP = 20;

interface NoticeListProps {
  onLeave: () => void;
  onRead: () => void;
}

/** The newest notices; showing them marks them as read, here and in the other tabs. */
export function NoticeList({ onLeave, onRead }: NoticeListProps) {
  const [limit, setLimit] = useState(STEP);
  const notices = useNotices(limit);
  const newest = notices.data?.some(({ read }) => !read) ? notices.data[0]?.at : undefined;

  useEffect(() => {
    if (newest === undefined) return;
    void noticesClient.read(newest).then(({ error }) => {
      if (error) return;
      onRead();
      tellOtherTabs();
    });
  }, [newest, onRead]);

  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-2">
        <ListState query={notices} failedText="Your notices could not be loaded.">
          {(shown) =>
            shown.length === 0 ? (
              <p className="px-2 pb-2 text-muted text-sm">
                Nothing yet. When somebody agrees, opens your idea or comments, you will see it
                here.
              </p>
            ) : (
              <>
                <ul>
                  {shown.map((notice) => (
                    <NoticeRow key={notice.id} notice={notice} onLeave={onLeave} />
                  ))}
                </ul>
                {shown.length >= limit && (
                  <Button
                    variant="ghost"
                    size="sm"
                    busy={notices.isFetching}
                    onClick={() => setLimit(limit + STEP)}
                  >
                    Show older
                  </Button>
                )}
              </>
            )
          }
        </ListState>
      </div>
      <p className="border-line border-t px-4 py-3 text-sm">
        <Link to={`${paths.profile}#mails`} onClick={onLeave} className={textLinkStyles}>
          Email settings
        </Link>
      </p>
    </>
  );
}

interface NoticeRowProps {
  notice: Notice;
  onLeave: () => void;
}

function NoticeRow({ notice, onLeave }: NoticeRowProps) {
  return (
    <li>
      <Link
        to={paths.share(notice.ideaId)}
        onClick={onLeave}
        className="flex gap-3 rounded-md px-2 py-2.5 text-sm hover:bg-sunken"
      >
        <span
          aria-hidden="true"
          className={cx("mt-1.5 size-2 shrink-0 rounded-full", !notice.read && "bg-seal-mark")}
        />
        <span className="min-w-0">
          <span className={cx("wrap-anywhere block", !notice.read && "font-semibold")}>
            {!notice.read && <span className="sr-only">New: </span>}
            {sentence(notice)}
          </span>
          <span className="wrap-anywhere block text-muted">
            {notice.ideaTitle || "Untitled Idea"} ·{" "}
            <time dateTime={notice.at}>{formatDateTime(notice.at)}</time>
          </span>
        </span>
      </Link>
    </li>
  );
}
