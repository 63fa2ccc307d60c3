import { NdaPage } from "@/features/recipient/NdaPage";

export const Component = NdaPage;
