import type { RouteObject } from "react-router";
import { StatusScreen } from "@/layout/StatusScreen";
import type { AppRuntime } from "@/store/store";
import { RootLayout } from "./RootLayout";
import { RouteError } from "./RouteError";

// Lazy, because public pages do not need it.
const loadGuard = () => import("./guard");

const LoadingScreen = () => <StatusScreen text="Loading..." />;
const VerifyingScreen = () => <StatusScreen text="Verifying access..." />;

/** The route table. Every screen is a chunk of its own. */
export function createRoutes(runtime: AppRuntime): RouteObject[] {
  return [
    {
      Component: RootLayout,
      ErrorBoundary: RouteError,
      HydrateFallback: LoadingScreen,
      children: [...entryRoutes(runtime), ...publicRoutes, protectedRoutes(runtime)],
    },
  ];
}

const publicRoutes: RouteObject[] = [
  { path: "/", lazy: () => import("./routes/landing") },
  { path: "/collect/:accessToken?", lazy: () => import("./routes/collect") },
  { path: "/view/:accessToken?", lazy: () => import("./routes/collect") },
  { path: "/nda/:accessToken?", lazy: () => import("./routes/nda") },
  { path: "/document/:accessToken?", lazy: () => import("./routes/document") },
  { path: "/forgot-password", lazy: () => import("./routes/forgotPassword") },
  { path: "/reset-password/:token?", lazy: () => import("./routes/resetPassword") },
  { path: "/confirm-email/:token?", lazy: () => import("./routes/confirmEmail") },
  { path: "/unsubscribe/:token", lazy: () => import("./routes/unsubscribe") },
  { path: "/about", lazy: () => import("./routes/about") },
  { path: "/contact", lazy: () => import("./routes/contact") },
  { path: "/privacy-policy", lazy: () => import("./routes/privacyPolicy") },
  { path: "/privacy", lazy: () => import("./routes/privacyPolicy") },
  { path: "/terms", lazy: () => import("./routes/terms") },
  { path: "/data-handling", lazy: () => import("./routes/dataHandling") },
  { path: "*", lazy: () => import("./routes/notFound") },
];

function entryRoutes(runtime: AppRuntime): RouteObject[] {
  const loader = async () => {
    // Most visitors are not signed in: nothing is loaded and nothing requested.
    if (runtime.store.getState().currentUser.user === null) return null;
    return (await import("./passIfSignedIn")).passIfSignedIn(runtime);
  };
  return [
    { path: "/login", loader, lazy: () => import("./routes/login") },
    { path: "/register", loader, lazy: () => import("./routes/register") },
  ];
}

function protectedRoutes(runtime: AppRuntime): RouteObject {
  return {
    loader: async ({ request }) => (await loadGuard()).requireUser(runtime, request),
    // Every navigation asks again, also between two signed-in screens.
    shouldRevalidate: () => true,
    HydrateFallback: VerifyingScreen,
    lazy: () => import("./routes/signedIn"),
    children: [
      { path: "/dashboard", lazy: () => import("./routes/dashboard") },
      { path: "/editor/:id", lazy: () => import("./routes/editor") },
      { path: "/share/:id", lazy: () => import("./routes/share") },
      { path: "/profile", lazy: () => import("./routes/profile") },
    ],
  };
}
