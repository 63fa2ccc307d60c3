import { lazy, Suspense } from "react";
import { StatusScreen } from "@/layout/StatusScreen";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "../messages";
import type { AccessDeniedProps } from "./AccessDenied";

const load = () => import("./AccessDenied");
const Screen = lazy(async () => ({ default: (await load()).AccessDenied }));

/** The Access Denied screen, lazy because few readers see it. */
export function AccessDenied(props: AccessDeniedProps) {
  return (
    <Suspense fallback={<StatusScreen text={messages.verifyingAccess} />}>
      <Screen {...props} />
    </Suspense>
  );
}

/** Prefetches it while there is a connection: losing that is one reason to show it. */
export const useAccessDeniedReady = () => useIdleLoad(load);
