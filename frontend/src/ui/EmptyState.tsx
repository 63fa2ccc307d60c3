/** What a list shows when it has nothing to show. */
export function EmptyState({ title }: { title: string }) {
  return (
    <p className="rounded-lg border border-line border-dashed px-4 py-8 text-center text-muted">
      {title}
    </p>
  );
}
