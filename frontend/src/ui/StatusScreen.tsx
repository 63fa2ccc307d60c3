import { Spinner } from "./Spinner";

/** A whole screen that waits, saying so in the spec's words. */
export function StatusScreen({ text }: { text: string }) {
  return (
    <main id="main" className="flex min-h-dvh items-center justify-center p-6">
      <p role="status" className="flex items-center gap-3 text-lg text-muted">
        <Spinner className="size-5" />
        {text}
      </p>
    </main>
  );
}
