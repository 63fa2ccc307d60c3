import { messages } from "./messages";

/** Image types that the server decodes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Returns the error of a file chosen as a photo, or null. */
export function imageProblem(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return messages.imagesOnly;
  if (file.size > MAX_IMAGE_BYTES) return messages.imageTooLarge;
  return null;
}
