/** Styles of the viewer: the same height in every state. */
export const windowStyles =
  "h-[clamp(22rem,82dvh,68rem)] border-line border-t bg-sunken print:hidden";

/** Placeholder for the viewer and its header while their code is loading. */
export const placeholderStyles =
  "h-[calc(clamp(22rem,82dvh,68rem)+3.5rem)] rounded-lg border border-line bg-sunken sm:h-[calc(clamp(22rem,82dvh,68rem)+3.875rem)]";
