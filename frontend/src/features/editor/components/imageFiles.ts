/** Derives an initial description, which the author can improve under the image. */
export function describe(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]+$/i, "")
    .replace(/[-_]+/g, " ")
    .trim();
}

/** Decodes a `data:` URL into a file; null when it is invalid. */
export function fileOf(src: string): File | null {
  const [head, type, extension] = /^data:(image\/(\w+));base64,/.exec(src) ?? [];
  if (head === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(src.slice(head.length)), (c) => c.charCodeAt(0));
    return new File([bytes], `picture.${extension}`, { type: type ?? "" });
  } catch {
    return null;
  }
}

/** Measures an image; 0 by 0 when this browser cannot decode it. */
export async function measure(file: File): Promise<{ width: number; height: number }> {
  try {
    const { width, height } = await createImageBitmap(file);
    return { width, height };
  } catch {
    // Not decodable here: the page then uses the size of the loaded image.
    return { width: 0, height: 0 };
  }
}
