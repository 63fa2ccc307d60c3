import { paths } from "@/app/paths";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

/** Resetting by email is not built yet; the page says so instead of pretending. */
export function ForgotPasswordPage() {
  return (
    <PageLayout width="narrow">
      <PageHeading documentTitle="Reset Password">Reset Password</PageHeading>
      <p className="mt-3 mb-6 text-muted">
        Resetting a password by email is not available yet. Please ask whoever runs this
        installation.
      </p>
      <LinkButton to={paths.login} variant="secondary">
        Back to Login
      </LinkButton>
    </PageLayout>
  );
}
