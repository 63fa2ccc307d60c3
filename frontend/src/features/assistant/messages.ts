/** Texts of the writing assistant's dialog (docs/rules.md#ui-assistant). */
export const messages = {
  title: "Write with AI Assistant",
  empty: "Start sharing your idea and I'll help you develop it!",
  placeholder: "Continue the conversation...",
  thinking: "AI is thinking...",
  send: "Send",
  copyAll: "Copy All",
  copied: "Copied!",
  failed: "Failed to get AI response",
  copiedToast: {
    title: "Copied!",
    description: "AI-generated content copied to clipboard.",
  },
  nothingToCopy: {
    title: "Nothing to copy",
    description: "No AI-generated content available yet.",
    variant: "destructive",
  },
  copyFailed: {
    title: "Copy failed",
    description: "Could not copy. Please select the text and copy it manually.",
    variant: "destructive",
  },
} as const;
