import { act, screen, waitFor, within } from "@testing-library/react";
import { $getRoot, type LexicalEditor } from "lexical";
import { afterEach, expect, vi } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { respondWith } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { constants } from "./rows/constants";
import { openDraft, openSelected } from "./testing/ideaSteps";
import { fill, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { record } from "./testing/wire";

afterEach(() => vi.useRealTimers());

const editable = () => screen.getByRole("textbox", { name: "Idea" });
const button = (name: string) => screen.getByRole("button", { name });
const hrefs = (place: Element | null) =>
  [...(place?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));

/** Types letters at an interval in milliseconds. */
async function typeLetters(editor: LexicalEditor, count: number, apart: number) {
  for (let typed = 0; typed < count; typed += 1) {
    vi.setSystemTime(Date.now() + apart);
    await act(async () =>
      editor.update(() => void $getRoot().selectEnd().insertText("x"), { discrete: true }),
    );
  }
}

/** Undoes everything and returns how many letters each step left. */
async function undoAll(): Promise<number[]> {
  const left: number[] = [];
  // Looked up once: queries by role are slow, and this runs a hundred times.
  const [undo, text] = [button("Undo"), editable()];
  while (undo.ariaDisabled !== "true" && left.length < 500) {
    await act(async () => undo.click());
    left.push(text.textContent.replace(/^.*\./, "").length);
  }
  return left;
}

async function openClocked() {
  const { editor } = await openSelected();
  vi.useFakeTimers({ toFake: ["Date"] });
  return editor;
}

const ADDRESSES = [
  "http://a.example",
  "https://a.example",
  "ftp://a.example",
  "ftps://a.example",
  "mailto:a@b.example",
  "tel:+41440000000",
  "callto:a",
  "sms:+41440000000",
  "cid:a",
  "xmpp:a@b.example",
];
const REFUSED = [
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "ssh://a.example",
];
const CUSTOM = ["notes:a", "my-notes:a", "notes2://a", "-notes:a", "my--notes:a", "Notes-:a"];
const linking = (addresses: readonly string[]) =>
  `<p>${addresses.map((address) => `<a href="${address}">x</a>`).join(" ")}</p>`;

/** Expects which of these addresses the editor keeps and a recipient can click. */
async function expectLinks(addresses: readonly string[], left: readonly string[]) {
  respondWith("get", "/api/ideas/7", 200, anIdea({ content: linking(addresses) }));
  const shared = aSharedIdea("open", { idea: { content: linking(addresses) } });
  respondWith("get", "/api/share/tok", 200, shared);
  const app = await openDraft();
  await waitFor(() => expect(hrefs(editable())).toEqual(left));
  await act(() => app.router.navigate("/document/tok"));
  await screen.findByLabelText("Add a comment");
  await screen.findAllByText(/x/, { selector: "article *" });
  await waitFor(() => expect(hrefs(document.querySelector("article"))).toEqual(left));
}

const table: Record<(typeof constants.editor)[number], () => Promise<void>> = {
  "Text colour palette: 21 fixed colours": async () => {
    const { app } = await openSelected();
    await app.user.click(button("Text colour"));
    const palette = await screen.findByRole("dialog", { name: "Text colour" });
    const colours = within(palette)
      .getAllByRole("radio")
      .map((swatch) => swatch.style.backgroundColor);
    expect(colours).toHaveLength(21);
    expect(new Set(colours).size).toBe(21);
    expect(within(palette).getByRole("button", { name: "Reset to default" })).toBeVisible();
  },
  "Heading levels in the editor toolbar: 1 to 3": async () => {
    await openDraft();
    const names = within(screen.getByRole("toolbar"))
      .getAllByRole("button", { name: /heading/i })
      .map((item) => item.ariaLabel);
    expect(names).toEqual(["Heading 1", "Heading 2", "Heading 3"]);
  },
  "Embedded video size: 560 by 315": async () => {
    const sent = record("PUT /api/ideas/{id}", [200, anIdea()]);
    const { app } = await openSelected();
    await press(app, "Add video");
    await fill({ "Enter YouTube video URL:": "https://youtu.be/dQw4w9WgXcQ" });
    await press(app, "Add video");
    await press(app, "Play video");
    await waitFor(() => {
      const player = editable().querySelector("iframe");
      expect([player?.width, player?.height]).toEqual(["560", "315"]);
    });
    await press(app, "Save Changes");
    await screen.findByText("Idea updated successfully");
    expect(sent[0]?.body).toMatchObject({
      content: expect.stringMatching(/<iframe [^>]*width="560" height="315"/),
    });
  },
  "Default idea title: My New Idea": async () => {
    renderRoute("/editor/new");
    expect(await screen.findByDisplayValue("My New Idea")).toBeVisible();
  },
  "Editor undo history depth: 100": async () => {
    const editor = await openClocked();
    await typeLetters(editor, 130, 501);
    const left = await undoAll();
    expect(left).toHaveLength(100);
    expect(left.at(-1)).toBe(30);
  },
  "Editor undo history: grouping delay 500 ms": async () => {
    const editor = await openClocked();
    for (const apart of [9000, 9000, 499, 499, 500]) await typeLetters(editor, 1, apart);
    expect(await undoAll()).toEqual([4, 1, 0]);
  },
  "Allowed link schemes: http, https, ftp, ftps, mailto, tel, callto, sms, cid, xmpp": () =>
    expectLinks([...ADDRESSES, ...REFUSED], ADDRESSES),
  "Custom link scheme names: none is registered, so none is accepted": async () => {
    await expectLinks(CUSTOM, []);
  },
};

eachRow("constants", constants.editor, table, async (check) => {
  serve();
  await check();
});
