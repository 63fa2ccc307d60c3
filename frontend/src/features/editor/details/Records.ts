/** What the sections of the details show once they are opened, as one chunk. */
export { Agreements, Recipients, Views } from "./Activity";
export { Comments } from "./Comments";
export { Revisions } from "./Revisions";
export { Shares } from "./Shares";
