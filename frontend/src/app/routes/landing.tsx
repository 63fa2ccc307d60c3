import { lazy } from "react";
import { LandingPage } from "@/features/landing/LandingPage";
import { GetStarted } from "@/features/waitlist/GetStarted";
import { whenIdle } from "@/ui/whenIdle";

// The idea search is below the fold: it is fetched once the page is idle.
const VaultAgent = lazy(async () => {
  await whenIdle();
  return { default: (await import("@/features/search/VaultAgent")).VaultAgent };
});

export const Component = () => <LandingPage start={<GetStarted />} search={<VaultAgent />} />;
