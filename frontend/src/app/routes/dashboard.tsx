import { DashboardPage } from "@/features/ideas/DashboardPage";

export const Component = DashboardPage;
