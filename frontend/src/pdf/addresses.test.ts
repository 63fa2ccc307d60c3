import { expect, test } from "vitest";
import { downloadAddress, linkTarget, pdfAddress } from "./addresses";

test.each([
  "https://example.org/a?b#c",
  "HTTP://example.org",
  "ftp://example.org/x",
  "mailto:ada@example.org",
  "tel:+4312345",
  "xmpp:ada@example.org",
])("allows a PDF to link to %s", (address) => {
  expect(linkTarget(address)).toBe(address);
});

test.each([
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "blob:https://example.org/1",
  "vbscript:x",
  "https:/\u0009/example.org",
  "//example.org",
  "/dashboard",
  "https://",
  "",
  null,
  7,
  { toString: () => "https://example.org" },
])("does not allow a PDF to link to %j", (address) => {
  expect(linkTarget(address)).toBeNull();
});

test("reads PDFs from this server only", () => {
  expect(pdfAddress("/api/files/0a1b-2c")).toBe("/api/files/0a1b-2c");
  for (const address of ["https://evil.example/x", "//evil.example/x", "/api/files/../me", null]) {
    expect(pdfAddress(address)).toBeNull();
  }
});

test("requests an attachment for a download", () => {
  expect(downloadAddress("/api/files/ab")).toBe("/api/files/ab?download=1");
});
