/** What the landing page has besides its first words, as one chunk. */
export { RecordCard } from "./RecordCard";
export { Steps } from "./Steps";
