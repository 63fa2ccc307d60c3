/** Content of the page, read in one pass: much faster than one query per text. */
export interface PageContent {
  /** Texts of the buttons, or accessible names where they show an icon. */
  readonly buttons: readonly string[];
  /** Texts and targets of the links. */
  readonly links: readonly (readonly [words: string, to: string | null])[];
  /** Labels of the fields. */
  readonly fields: readonly string[];
  /** Placeholders of the fields. */
  readonly placeholders: readonly (string | null)[];
  /** Texts of headings, paragraphs and inline elements. */
  readonly texts: readonly string[];
}

/** Returns an element's text without decoration (`aria-hidden`). */
function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const decoration of copy.querySelectorAll("[aria-hidden=true]")) decoration.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Reads the page. */
export function readPage(): PageContent {
  const all = <Kind extends Element>(selector: string) => [
    ...document.querySelectorAll<Kind>(selector),
  ];
  return {
    buttons: all("button").map((button) => textOf(button) || (button.ariaLabel ?? "")),
    links: all("a").map((link) => [
      textOf(link) || link.ariaLabel || "",
      link.getAttribute("href"),
    ]),
    fields: all<HTMLInputElement>("input, textarea").flatMap((field) =>
      field.ariaLabel ? [field.ariaLabel] : [...(field.labels ?? [])].map(textOf),
    ),
    placeholders: all("[placeholder], [aria-placeholder]").map(
      (field) => field.getAttribute("placeholder") ?? field.ariaPlaceholder,
    ),
    // Only elements that could be a single text, not containers.
    texts: [
      ...all("h1, h2, h3, p, span, strong, dt, dd, label, legend, article, [role=menuitem]"),
      ...all("div").filter((box) => box.querySelector("div") === null),
    ].map(textOf),
  };
}
