import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderRoute } from "@/testing/render";
import { mailboxesAt } from "./mailboxes";

const headings = (level: number) =>
  screen.getAllByRole("heading", { level }).map((heading) => heading.textContent);

test("About has the mission, what the product does, four values and how to verify a time", async () => {
  renderRoute("/about");
  await screen.findByRole("heading", { name: "About Us" });
  expect(headings(2)).toEqual([
    "Our mission",
    "What it does",
    "Our values",
    "How timestamps are verified",
  ]);
  const values = within(screen.getByRole("region", { name: "Our values" }));
  expect(values.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "Security First",
    "Innovation Protection",
    "User Control",
    "Transparency",
  ]);
  const verification = screen.getByRole("region", { name: "How timestamps are verified" });
  expect(verification).toHaveTextContent("sha256sum NDA-Agreement-Idea-7.txt");
  expect(verification).toHaveTextContent("makes no entry in a public blockchain");
});

test("Contact names three mailboxes, the reply time and four answers", async () => {
  renderRoute("/contact");
  await screen.findByRole("heading", { name: "Contact" });
  expect(screen.getByText(/typically replies within 24 hours/)).toBeVisible();
  for (const address of ["support@localhost", "hello@localhost", "security@localhost"]) {
    expect(screen.getByRole("link", { name: address })).toHaveAttribute(
      "href",
      `mailto:${address}`,
    );
  }
  const faq = within(screen.getByRole("region", { name: "Frequently asked questions" }));
  expect(faq.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "How secure is my data?",
    "Can I revoke access?",
    "Are the agreements legally binding?",
    "Which file formats are supported?",
  ]);
});

test.each([
  ["vault.example.org", "support@vault.example.org"],
  ["127.0.0.1", "support@localhost"],
  ["[::1]", "support@localhost"],
])("the mailboxes of %s start with %s", (hostname, address) => {
  expect(mailboxesAt(hostname)[0]?.address).toBe(address);
});

test("Privacy Policy has its date and ten numbered sections", async () => {
  renderRoute("/privacy-policy");
  await screen.findByRole("heading", { name: "Privacy Policy" });
  expect(screen.getByText("Last updated January 2025")).toBeVisible();
  const numbers = headings(2).map((text) => Number.parseInt(text ?? "", 10));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("Data Handling has rights, principles, measures and the three deadlines", async () => {
  renderRoute("/data-handling");
  await screen.findByRole("heading", { name: "Data Handling" });
  expect(headings(2)).toEqual([
    "Your rights",
    "Our principles",
    "Security measures",
    "Data breaches",
    "How we answer requests",
  ]);
  expect(screen.getByText(/within 72 hours/)).toBeVisible();
  expect(screen.getByText(/within one month.*extended by two months/)).toBeVisible();
  expect(screen.getByText(/\(GDPR\)/)).toBeVisible();
});
