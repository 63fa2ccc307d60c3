/** Allow-lists for the images and frames in a document. */
import { fileAddress } from "@/ui/addresses";

const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const VIDEO = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([A-Za-z0-9_-]{11})$/;

/**
 * Returns the address of an image on this server or inline, else null: other servers would learn
 * who reads, and when.
 */
export const imageAddress = (address: string | null): string | null =>
  fileAddress(address) ?? (address && INLINE_IMAGE.test(address) ? address : null);

/** Returns the id of an embedded video, or null for any other frame. */
export const videoId = (address: string | null): string | null =>
  (address && VIDEO.exec(address)?.[1]) || null;
