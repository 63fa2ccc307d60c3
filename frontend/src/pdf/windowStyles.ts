/** On a phone, the viewer goes from edge to edge. */
export const edgeStyles = "max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0";

/**
 * Styles of the viewer: the same height in every state. On a phone, it fills the screen together with
 * its head and the strip of the toasts.
 */
export const windowStyles =
  "h-[max(22rem,100dvh-7.25rem)] border-line border-t bg-sunken sm:h-[clamp(22rem,82dvh,68rem)] print:hidden";

/** Placeholder for the viewer and its header while their code is loading. */
export const placeholderStyles = `h-[max(25.5rem,100dvh-3.75rem)] rounded-lg border border-line bg-sunken sm:h-[calc(clamp(22rem,82dvh,68rem)+3.875rem)] ${edgeStyles}`;
