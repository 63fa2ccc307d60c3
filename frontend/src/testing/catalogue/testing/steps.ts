import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { respondWith, signedIn } from "@/testing/api";
import { aListedIdea, anIdea } from "@/testing/fixtures";
import type { renderRoute } from "@/testing/render";

/** The running application. */
export type App = ReturnType<typeof renderRoute>;

/** Serves a creator with one draft, and a link that nobody has opened yet. */
export function serve(): void {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
  respondWith("get", "/api/ideas/7", 200, anIdea());
  for (const list of ["shares", "activity", "revisions"]) {
    respondWith("get", `/api/ideas/7/${list}`, 200, []);
  }
  respondWith("get", "/api/comments", 200, []);
  respondWith("get", "/api/share/tok", 200, aSharedIdea("collect"));
}

/** Fills in fields by label. */
export async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  }
}

/**
 * Clicks a button as soon as it exists; the last one where opener and confirmation have the same
 * text.
 */
export async function press(app: App, name: string | RegExp): Promise<void> {
  const button = (await screen.findAllByRole("button", { name })).at(-1);
  if (button) await app.user.click(button);
}

/** Expected texts of a toast: title and description, or one text in either place. */
export type ToastText = { readonly variant: "default" | "destructive" } & (
  | { readonly title: string; readonly description?: string | RegExp }
  | { readonly anywhere: string }
);

/** Waits for a toast with exactly these texts and its variant's colour. */
export const expectToast = (expected: ToastText) =>
  waitFor(() => {
    const area = document.querySelector("[role=region][aria-label='Notifications (F8)']");
    const toast = area?.querySelector("ol > li") ?? null;
    const texts = [...(toast?.querySelectorAll(":scope > div > div") ?? [])].map(
      ({ textContent }) => textContent,
    );
    if ("anywhere" in expected) expect(texts).toContain(expected.anywhere);
    else {
      const { title, description } = expected;
      const text = description instanceof RegExp ? expect.stringMatching(description) : description;
      expect(texts).toEqual(description === undefined ? [title] : [title, text]);
    }
    expect(toast).toHaveClass(expected.variant === "destructive" ? "border-danger" : "border-line");
  });

/** Waits until a text is no longer on the page. */
export const expectGone = (text: string | RegExp) =>
  waitFor(() => {
    expect(screen.queryByText(text)).not.toBeInTheDocument();
  });
