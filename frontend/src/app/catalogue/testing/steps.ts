import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { answer, signedIn } from "@/testing/api";
import { aListedIdea, anIdea } from "@/testing/fixtures";
import type { renderRoute } from "@/testing/render";

/** The running application. */
export type App = ReturnType<typeof renderRoute>;

/** A server on which reading works: a creator with one draft, and a link that nobody opened yet. */
export function serve(): void {
  signedIn();
  answer("get", "/api/ideas", 200, [aListedIdea()]);
  answer("get", "/api/ideas/7", 200, anIdea());
  for (const list of ["shares", "activity", "revisions"]) {
    answer("get", `/api/ideas/7/${list}`, 200, []);
  }
  answer("get", "/api/comments", 200, []);
  answer("get", "/api/share/tok", 200, aSharedIdea("collect"));
}

/** Puts texts into the fields of these labels. */
export async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  }
}

/** Clicks a button as soon as it is there; the last one, where the same words open and confirm. */
export async function press(app: App, name: string | RegExp): Promise<void> {
  const button = (await screen.findAllByRole("button", { name })).at(-1);
  if (button) await app.user.click(button);
}

/** What a toast says: title and description, or one text in either place. */
export type Said = { readonly variant: "default" | "destructive" } & (
  | { readonly title: string; readonly description?: string | RegExp }
  | { readonly anywhere: string }
);

/** Waits for a toast with exactly these words, on screen and in its variant's colour. */
export const findToast = (said: Said) =>
  waitFor(() => {
    const area = document.querySelector("[role=region][aria-label='Notifications (F8)']");
    const toast = area?.querySelector("ol > li") ?? null;
    const texts = [...(toast?.querySelectorAll(":scope > div > div") ?? [])].map(
      ({ textContent }) => textContent,
    );
    if ("anywhere" in said) expect(texts).toContain(said.anywhere);
    else {
      const { title, description } = said;
      const text = description instanceof RegExp ? expect.stringMatching(description) : description;
      expect(texts).toEqual(description === undefined ? [title] : [title, text]);
    }
    expect(toast).toHaveClass(said.variant === "destructive" ? "border-danger" : "border-line");
  });

/** Waits until something is on the page no more. */
export const isGone = (text: string | RegExp) =>
  waitFor(() => {
    expect(screen.queryByText(text)).not.toBeInTheDocument();
  });
