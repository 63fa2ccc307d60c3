import { PageLayout } from "./PageLayout";
import { Spinner } from "./Spinner";

interface StatusScreenProps {
  text: string;
  /** As on the page that is awaited. */
  back?: { to: string; label: string };
}

/**
 * A whole screen that waits, saying so in the spec's words. It has the frame of every page, as the
 * awaited one will; its footer is out of sight, so that no content pushes it away.
 */
export function StatusScreen({ text, back }: StatusScreenProps) {
  return (
    <PageLayout isAwaited className="min-h-dvh" {...(back && { back })}>
      <StatusLine text={text} className="justify-center pt-[20dvh]" />
    </PageLayout>
  );
}

/** Says that something is awaited. */
export function StatusLine({ text, className = "" }: { text: string; className?: string }) {
  return (
    <p role="status" className={`flex items-center gap-3 text-lg text-muted ${className}`}>
      <Spinner className="size-5" />
      {text}
    </p>
  );
}
