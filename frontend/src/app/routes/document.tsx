import { DocumentPage } from "@/features/recipient/DocumentPage";

export const Component = DocumentPage;
