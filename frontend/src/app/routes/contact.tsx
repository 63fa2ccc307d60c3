import { ContactPage } from "@/features/pages/ContactPage";

export const Component = ContactPage;
