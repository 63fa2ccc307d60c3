import { PrivacyPolicyPage } from "@/features/pages/PrivacyPolicyPage";

export const Component = PrivacyPolicyPage;
