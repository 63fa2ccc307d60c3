/** The window that holds a PDF, from its first moment on: the same height in every state. */
export const windowStyles =
  "h-[clamp(22rem,82dvh,68rem)] border-line border-t bg-sunken print:hidden";

/** Stands in for the window and the lines above it while their code is on its way. */
export const placeholderStyles =
  "h-[calc(clamp(22rem,82dvh,68rem)+3.5rem)] rounded-lg border border-line bg-sunken sm:h-[calc(clamp(22rem,82dvh,68rem)+3.875rem)]";
