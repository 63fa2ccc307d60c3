import { expect, test } from "vitest";
import { fileAddress, linkAddress } from "./addresses";

test.each([
  "https://example.org/a?b#c",
  "HTTP://example.org",
  "ftp://example.org/x",
  "mailto:ada@example.org",
  "tel:+4312345",
  "xmpp:ada@example.org",
])("allows a link to %s", (address) => {
  expect(linkAddress(address)).toBe(address);
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
])("does not allow a link to %j", (address) => {
  expect(linkAddress(address)).toBeNull();
});

test("allows files of this server only", () => {
  expect(fileAddress("/api/files/0a1b-2c")).toBe("/api/files/0a1b-2c");
  for (const address of ["https://evil.example/x", "//evil.example/x", "/api/files/../me", null]) {
    expect(fileAddress(address)).toBeNull();
  }
});
