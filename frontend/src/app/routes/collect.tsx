import { CollectPage } from "@/features/recipient/CollectPage";

export const Component = CollectPage;
