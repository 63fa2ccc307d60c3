import { useState } from "react";
import { Link } from "react-router";
import { paths } from "@/app/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AuthLayout } from "./components/AuthLayout";
import { ForgotPasswordForm } from "./components/ForgotPasswordForm";

/** Spec section 2, Forgot password: a form, then a confirmation that leads back to it. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const [returned, setReturned] = useState(false);

  if (sent) {
    return (
      <Confirmation
        email={email}
        onTryAgain={() => {
          setSent(false);
          setReturned(true);
        }}
      />
    );
  }
  return (
    <AuthLayout>
      <PageHeading key="form" documentTitle="Reset Password" takesFocus={returned}>
        Reset Password
      </PageHeading>
      <p className="mt-2 mb-8 text-muted">
        Enter the address of your account. We send you a link to choose a new password.
      </p>
      <ForgotPasswordForm
        initialEmail={email}
        onSent={(address) => {
          setEmail(address);
          setSent(true);
        }}
      />
      <p className="mt-6 text-center text-sm">
        <Link to={paths.login} className={textLinkStyles}>
          Back to Login
        </Link>
      </p>
    </AuthLayout>
  );
}

function Confirmation({ email, onTryAgain }: { email: string; onTryAgain: () => void }) {
  return (
    <AuthLayout>
      <PageHeading key="sent" documentTitle="Check Your Email" takesFocus>
        Check Your Email
      </PageHeading>
      <p className="wrap-anywhere mt-4">
        If an account exists for <strong>{email}</strong>, a link to choose a new password is on its
        way. It works once, within 30 minutes.
      </p>
      <p className="mt-4 text-muted">
        Nothing there? Look into your spam folder, or try again with another address.
      </p>
      <div className="mt-8 flex flex-col gap-3">
        <Button variant="secondary" onClick={onTryAgain}>
          Try Again
        </Button>
        <LinkButton to={paths.login} variant="ghost">
          Back to Login
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
