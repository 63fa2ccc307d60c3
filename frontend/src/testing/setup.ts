import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { server } from "./server";

// Only for what never comes: with twenty jobs on two cores, the editor's first chunk took more than
// a minute. Test files share this module, and some of them render twice.
configure({ asyncUtilTimeout: 300_000, reactStrictMode: false });

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // Only the tests of the cookie banner need the question.
  localStorage.setItem("cookieConsent", "true");
});
afterEach(() => {
  cleanup();
  document.title = "";
  for (const name of Object.keys(document.documentElement.dataset)) {
    if (name !== "theme") delete document.documentElement.dataset[name];
  }
  server.resetHandlers();
});
afterAll(() => server.close());

// Stubs of layout APIs that Radix, Lexical and the router call and jsdom lacks.
class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResizeObserver;
window.scrollTo = () => undefined;
document.elementsFromPoint ??= () => [];
Element.prototype.scrollIntoView ??= () => undefined;
Range.prototype.getBoundingClientRect ??= () => new DOMRect();
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;

/** Everything is in view. */
class InViewObserver implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = "";
  readonly scrollMargin = "";
  readonly thresholds = [];
  constructor(private readonly callback: IntersectionObserverCallback) {}
  observe(target: Element) {
    const rect = target.getBoundingClientRect();
    const entry = {
      target,
      isIntersecting: true,
      intersectionRatio: 1,
      boundingClientRect: rect,
      intersectionRect: rect,
      rootBounds: null,
      time: 0,
    };
    queueMicrotask(() => this.callback([entry], this));
  }
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
globalThis.IntersectionObserver ??= InViewObserver;
