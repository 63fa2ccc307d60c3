import type { ComponentType } from "react";
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

/** Loads a screen during the navigation to it. */
const screen =
  <Name extends string>(
    load: () => Promise<{ [Key in NoInfer<Name>]: ComponentType }>,
    name: Name,
  ) =>
  async () => ({ Component: (await load())[name] });

const publicRoutes: RouteObject[] = [
  { path: "/", lazy: screen(() => import("./routes/LandingRoute"), "LandingRoute") },
  {
    path: "/collect/:accessToken?",
    lazy: screen(() => import("@/features/recipient/CollectPage"), "CollectPage"),
  },
  {
    path: "/view/:accessToken?",
    lazy: screen(() => import("@/features/recipient/CollectPage"), "CollectPage"),
  },
  {
    path: "/nda/:accessToken?",
    lazy: screen(() => import("@/features/recipient/NdaPage"), "NdaPage"),
  },
  {
    path: "/document/:accessToken?",
    lazy: screen(() => import("@/features/recipient/DocumentPage"), "DocumentPage"),
  },
  {
    path: "/forgot-password",
    lazy: screen(() => import("@/features/auth/ForgotPasswordPage"), "ForgotPasswordPage"),
  },
  {
    path: "/reset-password/:token?",
    lazy: screen(() => import("@/features/auth/ResetPasswordPage"), "ResetPasswordPage"),
  },
  {
    path: "/confirm-email/:token?",
    lazy: screen(() => import("@/features/auth/ConfirmEmailPage"), "ConfirmEmailPage"),
  },
  {
    path: "/unsubscribe/:token",
    lazy: screen(() => import("@/features/notices/UnsubscribePage"), "UnsubscribePage"),
  },
  { path: "/about", lazy: screen(() => import("@/features/pages/AboutPage"), "AboutPage") },
  { path: "/contact", lazy: screen(() => import("@/features/pages/ContactPage"), "ContactPage") },
  {
    path: "/privacy-policy",
    lazy: screen(() => import("@/features/pages/PrivacyPolicyPage"), "PrivacyPolicyPage"),
  },
  {
    path: "/privacy",
    lazy: screen(() => import("@/features/pages/PrivacyPolicyPage"), "PrivacyPolicyPage"),
  },
  { path: "/terms", lazy: screen(() => import("@/features/pages/TermsPage"), "TermsPage") },
  {
    path: "/data-handling",
    lazy: screen(() => import("@/features/pages/DataHandlingPage"), "DataHandlingPage"),
  },
  { path: "/verify", lazy: screen(() => import("@/features/verify/VerifyPage"), "VerifyPage") },
  {
    path: "/record/:documentId",
    lazy: screen(() => import("@/features/record/RecordPage"), "RecordPage"),
  },
  { path: "*", lazy: screen(() => import("@/features/pages/NotFoundPage"), "NotFoundPage") },
];

function entryRoutes(runtime: AppRuntime): RouteObject[] {
  const loader = async () => {
    // Most visitors are not signed in: nothing is loaded and nothing requested.
    if (runtime.store.getState().currentUser.user === null) return null;
    return (await loadEntryGuard()).redirectIfSignedIn(runtime);
  };
  return [
    {
      path: "/login",
      loader,
      lazy: screen(() => import("@/features/auth/LoginPage"), "LoginPage"),
    },
    {
      path: "/register",
      loader,
      lazy: screen(() => import("@/features/auth/RegisterPage"), "RegisterPage"),
    },
  ];
}

function protectedRoutes(runtime: AppRuntime): RouteObject {
  return {
    loader: async ({ request }) => (await loadGuard()).requireUser(runtime, request),
    // Every navigation asks again, also between two signed-in screens.
    shouldRevalidate: () => true,
    HydrateFallback: VerifyingScreen,
    lazy: screen(() => import("./routes/SignedInLayout"), "SignedInLayout"),
    children: [
      {
        path: "/dashboard",
        lazy: screen(() => import("@/features/ideas/DashboardPage"), "DashboardPage"),
      },
      { path: "/editor/:id", lazy: screen(() => import("./routes/EditorRoute"), "EditorRoute") },
      {
        path: "/share/:id",
        lazy: screen(() => import("@/features/shares/SharePage"), "SharePage"),
      },
      {
        path: "/evidence/:id",
        lazy: screen(() => import("@/features/evidence/EvidencePage"), "EvidencePage"),
      },
      {
        path: "/profile",
        lazy: screen(() => import("@/features/profile/ProfilePage"), "ProfilePage"),
      },
    ],
  };
}
