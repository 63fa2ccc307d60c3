import { type ReactNode, Suspense } from "react";
import { useSelector } from "react-redux";
import { selectCurrentUser } from "@/store/currentUserSlice";
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
  /** Whether the header already links to the dashboard. */
  hasBack: boolean;
}

/** The right end of every page's header. Loads and requests nothing for visitors. */
export function AccountArea({ visitor, hasBack }: AccountAreaProps) {
  if (!useSelector(selectCurrentUser)) return visitor;
  return (
    <Suspense fallback={<span className="h-11 w-16" />}>
      <Account hasBack={hasBack} />
    </Suspense>
  );
}
