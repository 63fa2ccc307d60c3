/** A separator with a text, between two alternatives. */
export function Divider({ text }: { text: string }) {
  return (
    <div className="flex items-center gap-4 text-muted text-sm">
      <span className="h-px flex-1 bg-line" />
      {text}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
