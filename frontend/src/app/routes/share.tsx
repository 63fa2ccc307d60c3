import { SharePage } from "@/features/shares/SharePage";

export const Component = SharePage;
