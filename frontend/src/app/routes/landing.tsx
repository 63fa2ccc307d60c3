import { lazy } from "react";
import { LandingPage } from "@/features/landing/LandingPage";
import { GetStarted } from "@/features/waitlist/GetStarted";

// The idea search stands below the fold: it is fetched after the first paint.
const VaultAgent = lazy(async () => ({
  default: (await import("@/features/search/VaultAgent")).VaultAgent,
}));

export const Component = () => <LandingPage start={<GetStarted />} search={<VaultAgent />} />;
