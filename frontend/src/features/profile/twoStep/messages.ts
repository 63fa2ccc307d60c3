/** Texts of two-step sign-in, which the specification does not know. */
export const messages = {
  loadFailed: "Whether two-step sign-in is on could not be loaded.",
  failed: "That did not work. Please try again.",
  turnedOn: "Two-step sign-in is on",
  codesReplaced: "You have new recovery codes",
  turnedOff: "Two-step sign-in is off",
  copyFailed: "Copying did not work. Please select the text yourself.",
} as const;
