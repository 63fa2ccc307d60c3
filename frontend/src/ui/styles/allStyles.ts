import { isBuild } from "../template";

let loading: Promise<unknown> | undefined;

/**
 * Loads the whole style sheets, of which the document has the part that its own page can need. What
 * leads to another page waits for them.
 */
export function loadAllStyles(): Promise<unknown> {
  if (isBuild) return Promise.resolve();
  loading ??= Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>("link[data-whole]")].map(enable),
  ).catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  });
  return loading;
}

function enable(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.disabled = true;
      reject(new Error("A style sheet could not be loaded"));
    };
    link.disabled = false;
  });
}
