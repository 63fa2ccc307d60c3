/** The landing page below its first text, as one chunk. */
export { RecordCard } from "./RecordCard";
export { Steps } from "./Steps";
