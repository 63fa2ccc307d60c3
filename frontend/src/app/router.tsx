import { everyone, recipient, signedIn, signedOut } from "virtual:pages";
import type { RouteObject } from "react-router";
import { StatusScreen } from "@/layout/StatusScreen";
import type { AppRuntime } from "@/store/store";
import { RootLayout } from "./RootLayout";
import { RouteError } from "./RouteError";

// Lazy, because visitors do not need them.
const loadGuard = () => import("./guard");
const loadEntryGuard = () => import("./redirectIfSignedIn");

const LoadingScreen = () => <StatusScreen text="Loading..." />;
const VerifyingScreen = () => <StatusScreen text="Verifying access..." />;

/** The route table; build/pages.mjs declares the pages. */
export function createRoutes(runtime: AppRuntime): RouteObject[] {
  return [
    {
      Component: RootLayout,
      ErrorBoundary: RouteError,
      HydrateFallback: LoadingScreen,
      children: [
        ...signedOutRoutes(runtime),
        ...everyone,
        ...recipientRoutes(runtime),
        signedInRoutes(runtime),
      ],
    },
  ];
}

function signedOutRoutes(runtime: AppRuntime): RouteObject[] {
  const loader = async () => {
    // Most visitors are not signed in: nothing is loaded and nothing requested.
    if (runtime.store.getState().currentUser.user === null) return null;
    return (await loadEntryGuard()).redirectIfSignedIn(runtime);
  };
  return signedOut.map((page) => ({ ...page, loader }));
}

function recipientRoutes(runtime: AppRuntime): RouteObject[] {
  const loader = async () => {
    await runtime.loadApi();
    // A recipient may see other comments than the idea's owner: the guard empties the cache.
    runtime.cacheOwner = null;
    return null;
  };
  return recipient.map((page) => ({ ...page, loader }));
}

function signedInRoutes(runtime: AppRuntime): RouteObject {
  return {
    loader: async ({ request }) => (await loadGuard()).requireUser(runtime, request),
    // Every navigation asks again, also between two signed-in screens.
    shouldRevalidate: () => true,
    HydrateFallback: VerifyingScreen,
    lazy: async () => ({ Component: (await import("./routes/SignedInLayout")).SignedInLayout }),
    children: signedIn,
  };
}
