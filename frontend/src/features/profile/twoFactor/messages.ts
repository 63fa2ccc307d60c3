/** Texts of two-factor sign-in (docs/rules.md#two-step). */
export const messages = {
  loadFailed: "Your two-step sign-in settings could not be loaded.",
  failed: "That did not work. Please try again.",
  turnOnUnanswered:
    "The connection was lost, so two-step sign-in may already be on. Please sign in again: if you are asked for a code, it is, and you need new recovery codes.",
  turnedOn: "Two-step sign-in is on",
  codesReplaced: "You have new recovery codes",
  codesUnsaved:
    "The recovery codes will not be shown again. Without them and without your phone, only the operator can let you in.",
  turnedOff: "Two-step sign-in is off",
  copyFailed: "The text could not be copied. Please select it and copy it by hand.",
} as const;
