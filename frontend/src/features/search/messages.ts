/** Texts of the idea search (docs/rules.md#ui-assistant). */
export const messages = {
  empty: {
    title: "Please enter an idea",
    description: "Describe your idea to search for similar concepts.",
  },
  errorTitle: "Search Error",
  searchFailed: "Search failed",
  noResponse: "Something went wrong",
} as const;
