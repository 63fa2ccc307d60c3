import { Suspense } from "react";
import { StatusScreen } from "@/layout/StatusScreen";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "../messages";
import type { AccessDeniedProps } from "./AccessDenied";

const Screen = lazyComponent(() => import("./AccessDenied"), "AccessDenied");

/** The Access Denied screen, lazy because few recipients see it. */
export function AccessDenied(props: AccessDeniedProps) {
  return (
    <Suspense fallback={<StatusScreen text={messages.verifyingAccess} />}>
      <Screen {...props} />
    </Suspense>
  );
}

/** Prefetches it while there is a connection: losing that is one reason to show it. */
export const useAccessDeniedReady = () => useIdleLoad(Screen.load);
