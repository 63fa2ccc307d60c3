import { ResetPasswordPage } from "@/features/auth/ResetPasswordPage";

export const Component = ResetPasswordPage;
