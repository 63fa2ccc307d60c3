import { LoginLink } from "@/account/LoginLink";
import { PageLayout } from "@/layout/PageLayout";
import { paths } from "@/routing/paths";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";

/** The fallback for unknown paths. */
export function NotFoundPage() {
  return (
    <PageLayout
      width="narrow"
      visitor={<LoginLink />}
      className="flex flex-col items-center justify-center text-center"
    >
      <PageHeading documentTitle="404 Page Not Found">404 Page Not Found</PageHeading>
      <p className="mt-3 mb-8 text-lg text-muted">Did you forget to add the page to the router?</p>
      <LinkButton to={paths.home}>Return Home</LinkButton>
    </PageLayout>
  );
}
