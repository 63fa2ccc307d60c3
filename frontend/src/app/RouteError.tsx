import { useEffect, useState } from "react";
import { PageLayout } from "@/layout/PageLayout";
import { Button } from "@/ui/Button";
import { PageHeading } from "@/ui/PageHeading";

/**
 * Shown when a screen fails to load or to render, often because a deployment has replaced its
 * chunk.
 */
export function RouteError() {
  const [isOffline] = useState(() => !navigator.onLine);

  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, [isOffline]);

  const heading = isOffline ? "You are offline" : "Something went wrong";
  return (
    <PageLayout width="narrow" className="flex flex-col items-center justify-center text-center">
      <PageHeading documentTitle={heading}>{heading}</PageHeading>
      <p className="mt-3 mb-6 text-muted">
        {isOffline
          ? "This screen needs a connection. It opens by itself once there is one."
          : "This screen could not be shown. A newer version may be available. Reloading usually helps."}
      </p>
      {/* Without a connection, the browser would show a page of its own. */}
      {!isOffline && <Button onClick={reload}>Reload page</Button>}
    </PageLayout>
  );
}

const reload = () => location.reload();
