import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";

async function openForm() {
  const app = renderRoute("/");
  await app.user.click(await screen.findByRole("button", { name: "Get Started" }));
  const beta = await screen.findByRole("dialog", { name: "IdeaVault is in private beta" });
  expect(beta).toHaveAccessibleDescription(/by invitation/);
  await app.user.click(screen.getByRole("button", { name: "Join Waitlist" }));
  await screen.findByRole("dialog", { name: "Join the waitlist" });
  const join = async (name: string, email: string, profession: string) => {
    const fill = async (label: string, text: string) => {
      if (text) await app.user.type(screen.getByLabelText(label), text);
    };
    await fill("Name", name);
    await fill("Email", email);
    await fill("Profession", profession);
    await app.user.click(screen.getByRole("button", { name: "Join Waitlist" }));
  };
  return { ...app, join };
}

test("starts in the first field", async () => {
  await openForm();
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveFocus());
});

test.each([
  ["", "ada@example.org", "Engineer", "Name is required"],
  ["王", "ada@example.org", "Engineer", "Name must be at least 2 characters"],
  ["Ada", "ada", "Engineer", "Please enter a valid email"],
  ["Ada", "", "Engineer", "Please enter a valid email"],
  ["Ada", "ada@example.org", "", "Profession is required"],
])("refuses %o, %o, %o", async (name, email, profession, message) => {
  const { join } = await openForm();
  await join(name, email, profession);
  expect(await screen.findByText(message)).toBeVisible();
});

test("thanks, closes, gives focus back and starts over", async () => {
  const calls = respondWith("post", "/api/waitlist", 201, { success: true });
  const { join, user } = await openForm();
  await join(" Ada ", " ada@example.org ", " Engineer ");
  const thanks = await screen.findByRole("dialog", { name: "Thank you!" });
  expect(thanks).toHaveAccessibleDescription(
    "Thank you for joining our waitlist. We'll be in touch soon!",
  );
  expect(calls.map(({ body }) => body)).toEqual([
    { name: "Ada", email: "ada@example.org", profession: "Engineer" },
  ]);
  expect(await screen.findByText("Success!")).toBeInTheDocument();
  const closers = screen.getAllByRole("button", { name: "Close" });
  const inWords = closers.find((button) => button.textContent === "Close");
  await waitFor(() => expect(inWords).toHaveFocus());
  if (inWords) await user.click(inWords);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  const start = screen.getByRole("button", { name: "Get Started" });
  await waitFor(() => expect(start).toHaveFocus());
  await user.click(start);
  await user.click(await screen.findByRole("button", { name: "Join Waitlist" }));
  expect(await screen.findByLabelText("Name")).toHaveValue("");
});

test("keeps what was typed when joining fails", async () => {
  respondWith("post", "/api/waitlist", 502);
  const { join } = await openForm();
  await join("Ada", "ada@example.org", "Engineer");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Something went wrong. Please try again.",
  );
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
});

test("closing discards what was typed", async () => {
  const { user } = await openForm();
  await user.type(screen.getByLabelText("Name"), "Ada");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Get Started" }));
  await user.click(await screen.findByRole("button", { name: "Join Waitlist" }));
  expect(await screen.findByLabelText("Name")).toHaveValue("");
});

test("offers an account beside the waitlist where registration is open", async () => {
  document.documentElement.dataset.registration = "open";
  const { user } = renderRoute("/");
  await user.click(await screen.findByRole("button", { name: "Get Started" }));
  const account = await screen.findByRole("link", { name: "Create account" });
  expect(account).toHaveAttribute("href", "/register");
  expect(screen.getByRole("button", { name: "Join Waitlist" })).toBeVisible();
});
