import { PageHeading } from "@/ui/PageHeading";
import { AuthLayout } from "./components/AuthLayout";
import { Divider } from "./components/Divider";
import { LoginForm } from "./components/LoginForm";
import { ProviderButtons } from "./components/ProviderButtons";

/** Spec section 2, Login. */
export function LoginPage() {
  return (
    <AuthLayout>
      <PageHeading documentTitle="Sign in">Welcome back</PageHeading>
      <p className="mt-2 mb-8 text-muted">Sign in to open your vault.</p>
      <LoginForm />
      <div className="mt-8 flex flex-col gap-6">
        <Divider text="or continue with" />
        <ProviderButtons comingSoon />
        <p className="text-center text-muted text-sm">Sign up (Invite Only)</p>
      </div>
    </AuthLayout>
  );
}
