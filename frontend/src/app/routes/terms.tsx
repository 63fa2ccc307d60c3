import { TermsPage } from "@/features/pages/TermsPage";

export const Component = TermsPage;
