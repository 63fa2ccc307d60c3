/** Texts of the conflict dialog. */
export const conflictMessages = {
  title: "This idea was saved elsewhere",
  description:
    "It was saved in another tab or on another device after you started editing. Nothing is lost: compare the two versions, then choose one.",
  sameContent:
    "It was saved in another tab or on another device after you started editing. Nothing is lost. The content is the same in both: choose a title.",
  versions: "Both versions",
  differences: "Differences",
  legend: "Crossed out is what only the saved version has; underlined is what only yours has.",
  mine: "Your version",
  notSaved: "On this page, not saved yet",
  other: "Saved version",
  afterwards: (revision: number) =>
    `If you keep yours, the saved version stays in the history as version ${revision}.`,
  aside: "If you take the saved one, yours stays in this browser as a draft until you discard it.",
  notKept:
    "Your text cannot be kept in this browser as a draft, so it cannot be set aside for the saved one.",
  keepMine: "Keep mine",
  takeOther: "Take the saved one",
  postpone: "Go on editing",
} as const;
