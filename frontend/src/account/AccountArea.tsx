import { lazy, type ReactNode, Suspense } from "react";
import { useSelector } from "react-redux";
import { selectCurrentUser } from "@/api/currentUserSlice";
import { whenIdle } from "@/ui/whenIdle";

// No page is for its sake: it comes when the page is there, in room kept for it.
const Account = lazy(async () => {
  await whenIdle();
  return { default: (await import("./Account")).Account };
});

interface AccountAreaProps {
  /** Shown where nobody is signed in. */
  visitor: ReactNode;
  /** Whether the header already has a way to the dashboard. */
  hasBack: boolean;
}

/** The right end of every page's header. Visitors load and ask for nothing. */
export function AccountArea({ visitor, hasBack }: AccountAreaProps) {
  if (!useSelector(selectCurrentUser)) return visitor;
  return (
    <Suspense fallback={<span className="h-11 w-16" />}>
      <Account hasBack={hasBack} />
    </Suspense>
  );
}
