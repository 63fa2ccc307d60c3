/** The template of a new idea: headings, with placeholders below them. */
const SECTIONS: readonly (readonly [tag: "h1" | "h2", heading: string, placeholder: string])[] = [
  ["h1", "My Idea", "Describe your idea in one or two sentences."],
  ["h2", "Problem Statement", "What problem does your idea solve, and who has it?"],
  ["h2", "Solution Overview", "How does your idea solve it?"],
  ["h2", "Key Features", "What can it do? List what matters most."],
  ["h2", "Target Audience", "Who will use it, and who will pay for it?"],
  ["h2", "Implementation Notes", "What does it take to build it?"],
  ["h2", "Next Steps", "What will you do first?"],
];

/** The placeholder under each heading: shown in an empty line, never stored. */
export const TEMPLATE_PLACEHOLDERS: ReadonlyMap<string, string> = new Map(
  SECTIONS.map(([, heading, placeholder]) => [heading, placeholder]),
);

/** The document of a new idea, as stored HTML. */
export const TEMPLATE_HTML = SECTIONS.map(
  ([tag, heading]) => `<${tag}>${heading}</${tag}><p><br></p>`,
).join("");
