/**
 * Whether the browser has all that pdf.js uses, so that it needs no polyfills: this method is the
 * newest of them in every browser (build/pdfjsSource.ts). public/early.js asks the same.
 */
export const isModern = () => "getOrInsertComputed" in Map.prototype;
