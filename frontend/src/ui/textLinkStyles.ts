/** A link inside running text. */
export const textLinkStyles =
  "font-medium text-link underline decoration-1 underline-offset-4 hover:decoration-2";
