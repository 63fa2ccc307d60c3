import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { answer, signedIn } from "@/testing/api";
import { anIdea, anIdeaSummary } from "@/testing/fixtures";
import type { renderRoute } from "@/testing/render";
import type { ToastMessage } from "@/ui/toast/toastSlice";

/** The running application. */
export type App = ReturnType<typeof renderRoute>;

/** A server on which reading works: a creator with one draft, and a link that nobody opened yet. */
export function serve(): void {
  signedIn();
  answer("get", "/api/ideas", 200, [anIdeaSummary()]);
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

/** Waits for a toast with exactly these words, on screen and in its variant's colour. */
export async function findToast({ title, description, variant }: ToastMessage): Promise<void> {
  await waitFor(() => {
    const area = document.querySelector("[role=region][aria-label='Notifications (F8)']");
    const toast = area?.querySelector("ol > li");
    const texts = [...(toast?.querySelectorAll("div > div > div") ?? [])];
    expect(texts.map((text) => text.textContent)).toEqual(
      description === undefined ? [title] : [title, description],
    );
    expect(toast).toHaveClass(variant === "destructive" ? "border-danger" : "border-line");
  });
}

/** A failure of section 8: titled 'Error', destructive. */
export const findError = (description: string) =>
  findToast({ title: "Error", description, variant: "destructive" });

/** Waits until something is on the page no more. */
export const isGone = (text: string | RegExp) =>
  waitFor(() => {
    expect(screen.queryByText(text)).not.toBeInTheDocument();
  });
