import type { ReactNode } from "react";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

interface StaticPageProps {
  title: string;
  children: ReactNode;
}

/** A page of running text. */
export function StaticPage({ title, children }: StaticPageProps) {
  return (
    <PageLayout width="medium">
      <PageHeading documentTitle={title}>{title}</PageHeading>
      <div className="mt-6 flex max-w-prose flex-col gap-4 text-lg text-muted">{children}</div>
    </PageLayout>
  );
}
