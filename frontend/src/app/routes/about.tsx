import { AboutPage } from "@/features/pages/AboutPage";

export const Component = AboutPage;
