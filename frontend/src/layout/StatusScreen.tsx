import { Spinner } from "@/ui/Spinner";
import { PageLayout } from "./PageLayout";

interface StatusScreenProps {
  text: string;
  /** The same as on the page that is loading. */
  back?: { to: string; label: string };
}

/**
 * Loading screen. It has the frame of every page; its footer is out of sight, so that no content
 * pushes it down.
 */
export function StatusScreen({ text, back }: StatusScreenProps) {
  return (
    <PageLayout isAwaited className="min-h-dvh" {...(back && { back })}>
      <StatusLine text={text} className="justify-center pt-[20dvh]" />
    </PageLayout>
  );
}

/** Status line of something that is loading. */
export function StatusLine({ text, className = "" }: { text: string; className?: string }) {
  return (
    <p role="status" className={`flex items-center gap-3 text-lg text-muted ${className}`}>
      <Spinner className="size-5" />
      {text}
    </p>
  );
}
