/** The panels around a document, as one chunk: the document does not wait for it. */
export { CommentsPanel } from "./CommentsPanel";
export { DocumentActions } from "./DocumentActions";
export { Verification } from "./Verification";
