import { Suspense } from "react";
import { StatusScreen } from "@/layout/StatusScreen";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "../messages";
import type { AccessDeniedProps } from "./AccessDenied";
import type { VisitEndedProps } from "./VisitEnded";

const Screen = lazyComponent(() => import("./AccessDenied"), "AccessDenied");
const Ended = lazyComponent(() => import("./VisitEnded"), "VisitEnded");

/** The Access Denied screen, lazy because few recipients see it. */
export function AccessDenied(props: AccessDeniedProps) {
  return (
    <Suspense fallback={<StatusScreen text={messages.verifyingAccess} />}>
      <Screen {...props} />
    </Suspense>
  );
}

/** The end of a visit, lazy like the screen above. */
export function VisitEnded(props: VisitEndedProps) {
  return (
    <Suspense fallback={<StatusScreen text={messages.verifyingAccess} />}>
      <Ended {...props} />
    </Suspense>
  );
}

/** Prefetches it while there is a connection: losing that is one reason to show it. */
export const useAccessDeniedReady = () => useIdleLoad(Screen.load);
