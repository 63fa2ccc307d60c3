/** Texts of spec section 8. */
export const messages = {
  joined: {
    title: "Success!",
    description: "Thank you for joining our waitlist. We'll be in touch soon!",
  },
  failed: "Something went wrong. Please try again.",
} as const;
