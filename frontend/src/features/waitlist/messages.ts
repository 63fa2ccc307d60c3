/** Texts of the waitlist (docs/rules.md#ui-assistant). */
export const messages = {
  joined: {
    title: "Success!",
    description: "Thank you for joining our waitlist. We'll be in touch soon!",
  },
  failed: "Something went wrong. Please try again.",
} as const;
