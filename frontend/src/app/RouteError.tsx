import { PageLayout } from "@/layout/PageLayout";
import { Button } from "@/ui/Button";
import { PageHeading } from "@/ui/PageHeading";

/**
 * Shown when a screen fails to load or to render, often because a deployment has replaced its
 * chunk.
 */
export function RouteError() {
  return (
    <PageLayout width="narrow">
      <PageHeading documentTitle="Something went wrong">Something went wrong</PageHeading>
      <p className="mt-3 mb-6 text-muted">
        This screen could not be shown. A newer version may be available, or the connection was
        lost. Reloading usually helps.
      </p>
      <Button onClick={() => location.reload()}>Reload page</Button>
    </PageLayout>
  );
}
