import { LandingPage } from "@/features/landing/LandingPage";
import { VaultAgent } from "@/features/search/VaultAgent";
import { GetStarted } from "@/features/waitlist/GetStarted";

export const Component = () => <LandingPage start={<GetStarted />} search={<VaultAgent />} />;
