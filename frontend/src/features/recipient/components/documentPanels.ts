/** The panels around a document, but for comments, as one chunk for which it does not wait. */
export { DocumentActions } from "./DocumentActions";
export { Verification } from "./Verification";
