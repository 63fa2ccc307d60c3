import { Link, useSearchParams } from "react-router";
import { paths } from "@/routing/paths";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AuthLayout } from "./components/AuthLayout";
import { Divider } from "./components/Divider";
import { ProviderButtons } from "./components/ProviderButtons";
import { RegisterForm } from "./components/RegisterForm";

/** The register screen. */
export function RegisterPage() {
  const [query] = useSearchParams();
  const token = query.get("invitation");
  const invitation = token ? { token, email: query.get("email") ?? "" } : null;
  return (
    <AuthLayout>
      <PageHeading documentTitle="Register" className="mb-8">
        Create your account
      </PageHeading>
      <div className="flex flex-col gap-6">
        <ProviderButtons />
        <Divider text="or with email" />
        <RegisterForm key={token} invitation={invitation} />
        <p className="text-center text-muted text-sm">
          Already have an account?{" "}
          <Link to={paths.login} className={textLinkStyles}>
            Sign in
          </Link>
        </p>
      </div>
    </AuthLayout>
  );
}
