import { Suspense } from "react";
import { lazyComponent } from "@/ui/lazyComponent";

const Bell = lazyComponent(() => import("./Bell"), "Bell");

/** The notification bell in the header of signed-in pages. Its code is loaded after the page. */
export function NoticeBell() {
  return (
    <Suspense fallback={<span className="size-11 shrink-0" />}>
      <Bell />
    </Suspense>
  );
}
