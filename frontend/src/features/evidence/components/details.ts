export { BundlePanel } from "./BundlePanel";
export { Timeline } from "./Timeline";
