export { BundlePanel } from "./BundlePanel";
export { DocumentsPanel } from "./DocumentsPanel";
export { Timeline } from "./Timeline";
