import { useState } from "react";
import { Link } from "react-router";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AuthLayout } from "./components/AuthLayout";
import { ForgotPasswordForm } from "./components/ForgotPasswordForm";

/** Forgot password: a form, then a confirmation with a link back to it. */
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
        Enter your account’s email address and we will send you a link to choose a new password.
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
        If there is an account for <strong>{email}</strong>, we have sent a link to choose a new
        password. It works once and expires after 30 minutes.
      </p>
      <p className="mt-4 text-muted">
        Nothing there? Check your spam folder, or try another address.
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
