import { signedIn } from "virtual:pages";
import { matchRoutes, Outlet, ScrollRestoration, useNavigation } from "react-router";
import { ToastArea } from "@/layout/ToastArea";
import { useAppSelector } from "@/store/hooks";
import { selectToast } from "@/store/toastSlice";
import { CookieArea } from "@/ui/cookies/CookieArea";
import { Spinner } from "@/ui/Spinner";
import { loadAllStyles } from "@/ui/styles/allStyles";
import { ToastTextContext } from "@/ui/toastText";
import { useDelayed } from "@/ui/useDelayed";
import { useIdleLoad } from "@/ui/useIdleLoad";

/** Frame of every route: cookie question, toast area and the status line of a slow navigation. */
export function RootLayout() {
  useIdleLoad(loadAllStyles);
  const toast = useAppSelector(selectToast);
  return (
    <ToastTextContext value={toast?.description}>
      <ToastArea />
      <NavigationStatus />
      <Outlet />
      <CookieArea />
      <ScrollRestoration />
    </ToastTextContext>
  );
}

/** Says what a navigation is waiting for; the old screen stays until the new one can be shown. */
function NavigationStatus() {
  const { location } = useNavigation();
  const late = useDelayed(location !== undefined);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center"
    >
      {location && late && (
        <p className="flex items-center gap-2 rounded-full border border-line bg-surface px-4 py-2 text-muted text-sm shadow-raised">
          <Spinner />
          {matchRoutes(signedIn, location) ? "Verifying access..." : "Loading..."}
        </p>
      )}
    </div>
  );
}
