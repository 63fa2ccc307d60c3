export { BundlePanel } from "./BundlePanel";
export { PublicRecordPanel } from "./PublicRecordPanel";
export { RecordPanel } from "./RecordPanel";
export { Scope } from "./Scope";
export { Timeline } from "./Timeline";
