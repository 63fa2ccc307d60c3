import { LandingPage } from "@/features/landing/LandingPage";

export const Component = LandingPage;
