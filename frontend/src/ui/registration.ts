/**
 * Whether anybody may register here. The server writes it into every page. Null where the build
 * writes pages, which are the same for all installations.
 */
export const isRegistrationOpen = (): boolean | null =>
  typeof document === "undefined" ? null : document.documentElement.dataset.registration === "open";
