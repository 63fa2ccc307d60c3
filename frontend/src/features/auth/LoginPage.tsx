import { Link, useLocation } from "react-router";
import { paths } from "@/routing/paths";
import { PageHeading } from "@/ui/PageHeading";
import { isRegistrationOpen } from "@/ui/registration";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AuthLayout } from "./components/AuthLayout";
import { Divider } from "./components/Divider";
import { LoginForm } from "./components/LoginForm";
import { ProviderButtons } from "./components/ProviderButtons";
import { bringsUnprovenIdeas } from "./unprovenIdeas";

/** The login screen. */
export function LoginPage() {
  const { state } = useLocation();
  return (
    <AuthLayout>
      <PageHeading documentTitle="Sign in">Welcome back</PageHeading>
      <p className="mt-2 mb-8 text-muted">Sign in to open your vault.</p>
      {bringsUnprovenIdeas(state) && (
        <div className="mb-6 flex flex-col gap-2 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
          <p>
            Nobody had confirmed your email address before, so somebody else may have created this
            account. It is signed out everywhere, and two-step sign-in is off.
          </p>
          <p>
            Its ideas were kept: look through them and delete what is not yours. Its links were
            revoked. Check the name and picture in your profile as well.
          </p>
        </div>
      )}
      <LoginForm />
      <div className="mt-8 flex flex-col gap-6">
        <Divider text="or continue with" />
        <ProviderButtons />
        <SignUp />
      </div>
    </AuthLayout>
  );
}

/** Link to registration when it is open to everybody; otherwise disabled. */
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
