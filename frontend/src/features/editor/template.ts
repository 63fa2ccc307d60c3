/** What a new idea starts from (specification, section 2). Stored HTML like any other document. */
const SECTIONS: readonly (readonly [heading: string, start: string])[] = [
  ["Problem Statement", "<p>What problem does your idea solve, and who has it?</p>"],
  ["Solution Overview", "<p>How does your idea solve it?</p>"],
  ["Key Features", "<ul><li>First feature</li><li>Second feature</li></ul>"],
  ["Target Audience", "<p>Who will use it, and who will pay for it?</p>"],
  ["Implementation Notes", "<p>What does it take to build it?</p>"],
  ["Next Steps", "<ol><li>First step</li><li>Second step</li></ol>"],
];

/** The document of a new idea. */
export const TEMPLATE_HTML = [
  "<h1>My Idea</h1><p>Describe your idea in one or two sentences.</p>",
  ...SECTIONS.map(([heading, start]) => `<h2>${heading}</h2>${start}`),
].join("");
