import { lazy, Suspense } from "react";
import { StatusScreen } from "@/ui/StatusScreen";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "../messages";
import type { AccessDeniedProps } from "./AccessDenied";

const load = () => import("./AccessDenied");
const Screen = lazy(async () => ({ default: (await load()).AccessDenied }));

/** The Access Denied screen, which most readers never need. */
export function AccessDenied(props: AccessDeniedProps) {
  return (
    <Suspense fallback={<StatusScreen text={messages.verifyingAccess} />}>
      <Screen {...props} />
    </Suspense>
  );
}

/** Fetches it while there still is a connection: losing that is one reason to show it. */
export const useAccessDeniedReady = () => useIdleLoad(load);
