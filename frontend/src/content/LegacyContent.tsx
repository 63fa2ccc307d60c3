import "@/ui/prose.css";

/** Deepest nesting that is read; a guard, not a limit of the format. */
const MAX_DEPTH = 12;

/** Content in a legacy format: a notice, and every text found in it. */
export function LegacyContent({ content }: { content: object }) {
  const texts = [...readTexts(content, 0)].map((text, index) => ({ id: `text-${index}`, text }));
  return (
    <div className="prose-page rounded-lg px-5 py-8 sm:px-10 sm:py-14">
      <p className="mb-6 text-center font-sans text-[#525c73] text-sm">
        Content imported from previous format
      </p>
      <div className="prose-document">
        {texts.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </div>
  );
}

function* readTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") {
    if (value.trim() !== "") yield value;
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const part of Object.values(value)) yield* readTexts(part, depth + 1);
  }
}
