import { lazy, Suspense } from "react";

const Bell = lazy(async () => ({ default: (await import("./Bell")).Bell }));

/** What is new on the own links, for the header of signed-in pages. Its code comes after the page. */
export function NoticeBell() {
  return (
    <Suspense fallback={<span className="size-11 shrink-0" />}>
      <Bell />
    </Suspense>
  );
}
