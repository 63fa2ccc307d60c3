/** Texts of spec section 8 and, for the PDF area, section 5. */
export const messages = {
  loggedOut: "You have been successfully logged out.",
  deleted: "Idea deleted successfully!",
  deleteFailed: "Failed to delete idea. Please try again.",
  deleteQuestion: (title: string) =>
    `Are you sure you want to delete "${title}"? This action cannot be undone.`,
  wrongType: {
    title: "Invalid File Type",
    description: "Only PDF files are supported at this time",
  },
  tooLarge: { title: "File Too Large", description: "PDF files must be less than 10MB" },
  pdfUploading: "Uploading PDF...",
  pdfWait: "Please wait while we process your file",
  pdfDone: "PDF Uploaded Successfully",
  pdfAreaFailed: "Upload Failed",
  pdfFailed: "Failed to upload PDF",
  pdfNoAnswer: "Could not upload PDF file",
  untitled: "Untitled Idea",
  assetsFailed: "Your assets could not be loaded.",
  listFailed: "Your ideas could not be loaded.",
} as const;

/** What an idea without a title is called. */
export const titleOf = (idea: { title: string }): string => idea.title || messages.untitled;
