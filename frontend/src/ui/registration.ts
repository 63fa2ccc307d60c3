/**
 * Whether registration is open. The server writes it into every page. Null at build time, when
 * shells are rendered for all installations.
 */
export const isRegistrationOpen = (): boolean | null =>
  typeof document === "undefined" ? null : document.documentElement.dataset.registration === "open";
