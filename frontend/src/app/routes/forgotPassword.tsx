import { ForgotPasswordPage } from "@/features/auth/ForgotPasswordPage";

export const Component = ForgotPasswordPage;
