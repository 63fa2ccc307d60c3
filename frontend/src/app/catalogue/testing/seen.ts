/** What is on the page, read at once: much faster than one query per text. */
export interface Seen {
  /** The words on its buttons, or their names where they show an icon. */
  readonly buttons: readonly string[];
  /** The links' words, with where each leads. */
  readonly links: readonly (readonly [words: string, to: string | null])[];
  /** The labels of its fields. */
  readonly fields: readonly string[];
  /** What stands in empty fields. */
  readonly placeholders: readonly (string | null)[];
  /** Headings, paragraphs and pieces of them. */
  readonly texts: readonly string[];
}

/** What somebody reads or hears, without decoration. */
function wordsOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const decoration of copy.querySelectorAll("[aria-hidden=true]")) decoration.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Reads the page. */
export function look(): Seen {
  const all = <Kind extends Element>(selector: string) => [
    ...document.querySelectorAll<Kind>(selector),
  ];
  return {
    buttons: all("button").map((button) => wordsOf(button) || (button.ariaLabel ?? "")),
    links: all("a").map((link) => [
      wordsOf(link) || link.ariaLabel || "",
      link.getAttribute("href"),
    ]),
    fields: all<HTMLInputElement>("input, textarea").flatMap((field) =>
      field.ariaLabel ? [field.ariaLabel] : [...(field.labels ?? [])].map(wordsOf),
    ),
    placeholders: all("[placeholder], [aria-placeholder]").map(
      (field) => field.getAttribute("placeholder") ?? field.ariaPlaceholder,
    ),
    // Only of elements that could be one text: the page as a whole is none.
    texts: [
      ...all("h1, h2, h3, p, span, strong, dt, dd, label, legend, article, [role=menuitem]"),
      ...all("div").filter((box) => box.querySelector("div") === null),
    ].map(wordsOf),
  };
}
