/** The window that holds a PDF, from its first moment on: the same height in every state. */
export const windowStyles =
  "h-[clamp(22rem,82dvh,68rem)] border-line border-t bg-sunken print:hidden";
