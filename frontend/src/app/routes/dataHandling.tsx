import { DataHandlingPage } from "@/features/pages/DataHandlingPage";

export const Component = DataHandlingPage;
