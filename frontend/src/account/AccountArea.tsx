import { type ReactNode, Suspense } from "react";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import { lazyComponent } from "@/ui/lazyComponent";
import { whenIdle } from "@/ui/whenIdle";

// Loaded after the page itself, into space reserved for it.
const Account = lazyComponent(async () => {
  await whenIdle();
  return import("./Account");
}, "Account");

interface AccountAreaProps {
  /** Shown when nobody is signed in. */
  visitor: ReactNode;
  /** Whether to link to the dashboard; a header with a back link does so already. */
  withDashboardLink: boolean;
}

/** The right end of every page's header. Loads and requests nothing for visitors. */
export function AccountArea({ visitor, withDashboardLink }: AccountAreaProps) {
  if (!useAppSelector(selectCurrentUser)) return visitor;
  return (
    <Suspense fallback={<span className="h-11 w-16" />}>
      <Account withDashboardLink={withDashboardLink} />
    </Suspense>
  );
}
