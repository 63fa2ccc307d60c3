import { useState } from "react";
import { Link, useParams } from "react-router";
import { paths } from "@/routing/paths";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AuthLayout } from "./components/AuthLayout";
import { ResetPasswordForm } from "./components/ResetPasswordForm";

/**
 * Target of the link in a reset email: a form for the new password, or a message that the link is
 * invalid.
 */
export function ResetPasswordPage() {
  const { token } = useParams();
  const [deadToken, setDeadToken] = useState<string>();

  if (!token || deadToken === token) return <InvalidLink afterTrying={deadToken !== undefined} />;
  return (
    <AuthLayout>
      <PageHeading documentTitle="Choose a new password">Choose a new password</PageHeading>
      <p className="mt-2 mb-8 text-muted">
        You will be signed out everywhere. Then sign in with your new password.
      </p>
      <ResetPasswordForm key={token} token={token} onInvalidToken={() => setDeadToken(token)} />
      <p className="mt-6 text-center text-sm">
        <Link to={paths.login} className={textLinkStyles}>
          Back to Login
        </Link>
      </p>
    </AuthLayout>
  );
}

function InvalidLink({ afterTrying }: { afterTrying: boolean }) {
  return (
    <AuthLayout>
      <PageHeading key="dead" documentTitle="Reset link expired" takesFocus={afterTrying}>
        This reset link no longer works
      </PageHeading>
      <p className="mt-4 text-muted">
        A reset link works once and expires after 30 minutes, or when you request a new one. Your
        password has not been changed.
      </p>
      <div className="mt-8 flex flex-col gap-3">
        <LinkButton to={paths.forgotPassword}>Request a new link</LinkButton>
        <LinkButton to={paths.login} variant="ghost">
          Back to Login
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
