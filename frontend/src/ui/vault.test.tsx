import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderRoute } from "@/testing/render";

const { dataset } = document.documentElement;

test("without settings, the product's names and pages are shown", async () => {
  renderRoute("/privacy");
  expect(await screen.findByRole("link", { name: "IdeaVault" })).toHaveAttribute("href", "/");
  await waitFor(() => expect(document.title).toBe("Privacy Policy · IdeaVault"));
  expect(document.querySelector("header img")).toBeNull();
  expect(screen.getByRole("contentinfo")).not.toHaveTextContent("IdeaVault");
  expect(screen.queryByText(/reach the operator/)).toBeNull();
});

test("the operator's name, logo and contact are shown on the pages, as text", async () => {
  dataset.vaultName = 'Ada\'s <b>"Vault"</b>';
  dataset.vaultLogo = "/logo";
  dataset.vaultContact = "desk@vault.example.org";
  dataset.vaultContactLink = "mailto:desk@vault.example.org";
  renderRoute("/privacy");
  await waitFor(() => expect(document.title).toBe('Privacy Policy · Ada\'s <b>"Vault"</b>'));
  const header = screen.getByRole("banner");
  expect(header).toHaveTextContent('Ada\'s <b>"Vault"</b>');
  expect(header.querySelector("img")).toHaveAttribute("src", "/logo");
  expect(header.querySelector("b")).toBeNull();
  const links = screen.getAllByRole("link", { name: "desk@vault.example.org" });
  expect(links).toHaveLength(2);
  for (const link of links) expect(link).toHaveAttribute("href", "mailto:desk@vault.example.org");
  expect(within(screen.getByRole("contentinfo")).getByText(/Ada's/)).toBeVisible();
});

test("a name is shown in the footer without a contact, too", async () => {
  dataset.vaultName = "Acme Vault";
  renderRoute("/about");
  expect(await screen.findByRole("contentinfo")).toHaveTextContent("Acme Vault");
});

test("the operator's page replaces the mailboxes", async () => {
  dataset.vaultContact = "https://acme.example.org/help";
  dataset.vaultContactLink = "https://acme.example.org/help";
  renderRoute("/contact");
  await screen.findByRole("heading", { name: "Write to us" });
  const main = within(screen.getByRole("main"));
  const link = main.getByRole("link", { name: "https://acme.example.org/help" });
  expect(link).toHaveAttribute("href", "https://acme.example.org/help");
  expect(main.queryByText(/support@/)).toBeNull();
});

test("the operator's terms replace ours", async () => {
  dataset.vaultTerms = "https://acme.example.org/terms";
  renderRoute("/register");
  const link = await screen.findByRole("link", { name: /^Terms of Service/ });
  expect(link).toHaveAttribute("href", "https://acme.example.org/terms");
  expect(link).toHaveAttribute("target", "_blank");
});

test("our page of terms links to the operator's", async () => {
  dataset.vaultTerms = "https://acme.example.org/terms";
  renderRoute("/terms");
  const link = await screen.findByRole("link", { name: "https://acme.example.org/terms" });
  expect(link).toHaveAttribute("href", "https://acme.example.org/terms");
  expect(screen.queryByText("1. Who offers this service")).toBeNull();
});

test("placeholders of the development server count as not set up", async () => {
  dataset.vaultName = "{{ vault.name }}";
  dataset.vaultTerms = "{{ vault.terms }}";
  renderRoute("/register");
  const link = await screen.findByRole("link", { name: /^Terms of Service/ });
  expect(link).toHaveAttribute("href", "/terms");
  await waitFor(() => expect(document.title).toBe("Register · IdeaVault"));
});
