import type { ListedIdea } from "@/api/generated";

/** Texts of the dashboard (docs/rules.md#ui-ideas). */
export const messages = {
  deleted: "Idea deleted successfully!",
  deleteFailed: "Failed to delete idea. Please try again.",
  deleteQuestion: (title: string) =>
    `Are you sure you want to delete "${title}"? This action cannot be undone.`,
  wrongType: {
    title: "Invalid File Type",
    description: "Only PDF files are supported at this time",
  },
  tooLarge: (size: string) => ({
    title: "File Too Large",
    description: `PDF files must be less than ${size.replace(" ", "")}`,
  }),
  pdfUploading: "Uploading PDF...",
  pdfWait: "Please wait while we process your file",
  leaveUpload: "Leave during the upload?",
  uploadEnds: "The PDF has not arrived yet. If you leave, the upload is cancelled.",
  pdfDone: "PDF Uploaded Successfully",
  pdfAreaFailed: "Upload Failed",
  pdfFailed: "Failed to upload PDF",
  pdfNoResponse: "Could not upload PDF file",
  untitled: "Untitled Idea",
  assetsFailed: "Your assets could not be loaded.",
  noMatch: "No matches here",
  assetDeleted: "Image deleted.",
  assetDeleteFailed: "The image could not be deleted. Please try again.",
  unreadable: "Unreadable idea",
  damaged: (count: number) =>
    `${count === 1 ? "1 idea cannot be read: its" : `${count} ideas cannot be read: their`} stored data is damaged. Please ask the operator of this vault to restore it from a backup.`,
  listFailed: "Your ideas could not be loaded.",
  organize: {
    title: "Organize this idea",
    tags: "Tags",
    tagsHint: "Separate tags with commas. Nobody else sees them.",
    archived: "Archive this idea",
    archivedHint: "It leaves your list unless you show archived ideas. Its links keep working.",
    save: "Save",
    saved: "Idea organized.",
    failed: "That could not be saved. Please try again.",
  },
} as const;

/** Texts of the columns of ideas. */
export const columns = {
  draft: {
    title: "Drafts",
    emptyText: "No drafts yet",
    emptyHint: "What you write or upload appears here. Only you can see it until you share it.",
  },
  published: {
    title: "Published",
    emptyText: "No published ideas yet",
    emptyHint: "When you publish a draft, its text is final and it gets a document ID.",
  },
} as const;

const kinds: Record<ListedIdea["contentKind"], string> = {
  html: "Text",
  pdf: "PDF",
  canvas: "Canvas",
  legacy: "Earlier format",
};

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Describes an idea: whether it is on record as it is, kind, links and views. */
export const factsOf = ({ onRecord, contentKind, linkCount, viewCount }: ListedIdea): string =>
  [
    onRecord ? "On record" : "Not on record",
    kinds[contentKind],
    counted(linkCount, "link"),
    counted(viewCount, "view"),
  ].join(" · ");

/** Returns the title, or a placeholder when it is empty or damaged. */
export const titleOf = (idea: { title: string; isDamaged?: boolean }): string =>
  idea.isDamaged ? messages.unreadable : idea.title || messages.untitled;
