import { ConfirmEmailPage } from "@/features/auth/ConfirmEmailPage";

export const Component = ConfirmEmailPage;
