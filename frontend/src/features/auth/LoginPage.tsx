import { Link } from "react-router";
import { paths } from "@/app/paths";
import { PageHeading } from "@/ui/PageHeading";
import { isRegistrationOpen } from "@/ui/registration";
import { textLinkStyles } from "@/ui/textLinkStyles";
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
        <ProviderButtons />
        <SignUp />
      </div>
    </AuthLayout>
  );
}

/** The way to an account where everybody may have one; elsewhere inert, as the spec has it. */
function SignUp() {
  const isOpen = isRegistrationOpen();
  return (
    <p className="min-h-5 text-center text-muted text-sm">
      {isOpen ? (
        <>
          New here?{" "}
          <Link to={paths.register} className={textLinkStyles}>
            Sign up
          </Link>
        </>
      ) : (
        isOpen === false && "Sign up (Invite Only)"
      )}
    </p>
  );
}
