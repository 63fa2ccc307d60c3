import { LandingPage } from "@/features/landing/LandingPage";
import { GetStarted } from "@/features/waitlist/GetStarted";
import { lazyComponent } from "@/ui/lazyComponent";
import { whenIdle } from "@/ui/whenIdle";

// The idea search is below the fold: it is fetched once the page is idle.
const VaultAgent = lazyComponent(async () => {
  await whenIdle();
  return import("@/features/search/VaultAgent");
}, "VaultAgent");

/** The landing page, with the two features that it shows. */
export const LandingRoute = () => <LandingPage start={<GetStarted />} search={<VaultAgent />} />;
