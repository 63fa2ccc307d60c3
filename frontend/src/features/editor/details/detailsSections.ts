/** The sections of the details panel, as one chunk. */
export { Agreements, Recipients, Views } from "./Activity";
export { Comments } from "./Comments";
export { Revisions } from "./Revisions";
export { Shares } from "./Shares";
