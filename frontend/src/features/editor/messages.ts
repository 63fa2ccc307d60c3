/**
 * Every text of the editor screen that the specification fixes (sections 2, 4, 5 and 8), and
 * `uploading`, which is told in the same way.
 */
export const messages = {
  defaultTitle: "My New Idea",
  titlePlaceholder: "Enter your idea title...",
  bodyPlaceholder: "Start writing your idea...",
  loading: "Loading idea...",
  create: "Create Idea",
  save: "Save Changes",
  publish: "Publish",
  published: "Published",
  share: "Share It",
  readOnly: "This idea has been published and is now read-only. Published ideas cannot be edited.",
  pdfTitle: (title: string) => `PDF Document: ${title}`,
  linkPrompt: "Enter URL:",
  videoPrompt: "Enter YouTube video URL:",
  titleRequired: "Please enter a title for your idea",
  saveFirst: "Please save your idea first before publishing",
  created: "Idea created successfully",
  updated: "Idea updated successfully",
  publishedNow: "Idea published successfully",
  createFailed: "Failed to create idea",
  updateFailed: "Failed to update idea",
  publishFailed: "Failed to publish idea",
  uploading: "An image is still uploading. Please wait until it is in your idea before you publish",
  imageFailed: "Failed to upload image",
  imageError: "Error uploading image",
} as const;
