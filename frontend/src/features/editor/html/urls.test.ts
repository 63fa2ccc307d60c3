import { describe, expect, it } from "vitest";
import { hasScheme, parseImageUrl, parseLinkUrl } from "./urls";

describe("a link address", () => {
  it.each(["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"])(
    "may have the scheme %s",
    (scheme) => {
      const url = /^(http|ftp)/.test(scheme)
        ? `${scheme}://example.com/a`
        : `${scheme}:a@example.com`;
      expect(parseLinkUrl(url)).toBe(url);
      expect(parseLinkUrl(url.toUpperCase())?.startsWith(`${scheme}:`)).toBe(true);
    },
  );

  it.each([
    ["example.com", "http://example.com"],
    ["  www.example.com/a b ", "http://www.example.com/a%20b"],
    ["//example.com/x", "http://example.com/x"],
    ["localhost:8080/x", "http://localhost:8080/x"],
    ["example.com:443", "http://example.com:443"],
    ["ann@example.com", "mailto:ann@example.com"],
    ["ann@example.com?subject=Boat", "mailto:ann@example.com?subject=Boat"],
    ["example.com/@ann", "http://example.com/@ann"],
    ["http://ann@example.com", "http://ann@example.com"],
    ["+41 44 123 45 67", "tel:+41441234567"],
    ["+41 (0)44 123-45-67", "tel:+4144123-45-67"],
    ["https://example.com/?q=\"<x>'", "https://example.com/?q=%22%3Cx%3E%27"],
    ["https://bücher.example/straße", "https://bücher.example/straße"],
  ])("%j is stored as %j", (input, stored) => {
    expect(parseLinkUrl(input)).toBe(stored);
    expect(parseLinkUrl(stored)).toBe(stored);
  });

  it.each([
    "",
    "   ",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\u0000script:alert(1)",
    "\u0001javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/x",
    "about:blank",
    "intent://x",
    "#anchor",
    "?query",
    "/relative",
    "http://",
    "https:///path",
    "mailto:",
    "http://[::1",
  ])("%j is refused", (input) => {
    expect(parseLinkUrl(input)).toBeNull();
  });
});

describe("an image address", () => {
  it.each([
    "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111",
    "data:image/png;base64,iVBORw0KGgo=",
  ])("%j is shown", (url) => expect(parseImageUrl(url)).toBe(url));

  it.each([
    "https://tracker.example/pixel.gif",
    "//tracker.example/x.png",
    "/api/files/../auth/me",
    "/api/files/a?x=1",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html;base64,PHN2Zz4=",
    "javascript:alert(1)",
  ])("%j is not shown", (url) => expect(parseImageUrl(url)).toBeNull());
});

it("treats pasted text as an address only when it has a scheme", () => {
  expect(hasScheme("https://example.com")).toBe(true);
  expect(hasScheme("example")).toBe(false);
  expect(hasScheme("note: this")).toBe(false);
});
