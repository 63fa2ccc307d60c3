import { Suspense } from "react";
import { Outlet } from "react-router";
import { selectSessionEnd } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import { lazyComponent } from "@/ui/lazyComponent";
import { Tooltips } from "@/ui/Tooltips";

const EndedSession = lazyComponent(() => import("@/account/EndedSession"), "EndedSession");

/** Layout route of the signed-in screens, with what public pages do without. */
export function SignedInLayout() {
  const end = useAppSelector(selectSessionEnd);
  return (
    <>
      {/* Hidden at once, but not removed: its owner may come back to unsaved text. */}
      <div className={end === "left" ? "hidden" : "contents"}>
        <Outlet />
      </div>
      <Suspense fallback={null}>{end && <EndedSession key={end} end={end} />}</Suspense>
      <Tooltips />
    </>
  );
}
