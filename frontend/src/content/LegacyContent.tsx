import "@/ui/prose.css";

/** Deepest nesting that is read: as deep as the server stores (docs/rules.md#idea-content). */
const MAX_DEPTH = 32;
const CUT = "Text nested deeper than 32 levels is not shown here.";
/** Fields that hold text. Beside one of them, `type` belongs to the format and is not shown. */
const TEXT_FIELDS = ["text", "content", "children"];

/** Content in a legacy format: a notice, and every text found in it. */
export function LegacyContent({ content }: { content: object }) {
  const texts = [...readTexts(content, 0)].map((text, index) => ({ id: `text-${index}`, text }));
  return (
    <div className="prose-page rounded-lg px-5 py-8 sm:px-10 sm:py-14">
      <p className="mb-6 text-center font-sans text-page-muted text-sm">
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
  } else if (typeof value === "object" && value !== null) {
    if (depth === MAX_DEPTH) {
      yield CUT;
      return;
    }
    const hasText = TEXT_FIELDS.some((name) => Object.hasOwn(value, name));
    for (const [name, part] of Object.entries(value)) {
      if (name !== "type" || !hasText) yield* readTexts(part, depth + 1);
    }
  }
}
