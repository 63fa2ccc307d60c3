/** What is around a document, besides comments, as one chunk: the document does not wait for it. */
export { DocumentActions } from "./DocumentActions";
export { Verification } from "./Verification";
