import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { CopyButton } from "./CopyButton";

const LINK = "https://vault.example/view/tok";

afterEach(() => {
  Reflect.deleteProperty(document, "execCommand");
});

/** The older way to copy, which jsdom lacks: what the page writes in the event of a copy. */
function olderWay(isAllowed: boolean) {
  const copied: string[] = [];
  const command = vi.fn(() => {
    const event = new Event("copy", { bubbles: true, cancelable: true });
    const clipboardData = { setData: (type: string, text: string) => copied.push(type, text) };
    document.getSelection()?.focusNode?.dispatchEvent(Object.assign(event, { clipboardData }));
    return isAllowed && event.defaultPrevented;
  });
  Object.assign(document, { execCommand: command });
  return copied;
}

async function press() {
  const [onCopied, onFailed] = [vi.fn(), vi.fn()];
  const user = userEvent.setup();
  // After user-event, which brings one.
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  render(<CopyButton text={LINK} label="Copy Link" onCopied={onCopied} onFailed={onFailed} />);
  const button = screen.getByRole("button", { name: "Copy Link" });
  await user.click(button);
  await waitFor(() => expect(onCopied.mock.calls.length + onFailed.mock.calls.length).toBe(1));
  expect(button).toHaveFocus();
  expect(document.body.textContent).not.toContain(LINK);
  return { onCopied, onFailed };
}

test("without https, copies the older way, and leaves nothing behind", async () => {
  const copied = olderWay(true);
  const { onCopied } = await press();
  expect(onCopied).toHaveBeenCalledOnce();
  expect(copied).toEqual(["text/plain", LINK]);
});

test("what is selected stays selected", async () => {
  olderWay(true);
  const text = document.body.appendChild(document.createElement("p"));
  text.textContent = "A kettle";
  document.getSelection()?.selectAllChildren(text);
  const { onCopied } = await press();
  expect(onCopied).toHaveBeenCalledOnce();
  text.remove();
});

test.each([
  ["is refused as well", () => olderWay(false)],
  ["does not exist", () => undefined],
])("says that it failed where the older way %s", async (_, prepare) => {
  prepare();
  const { onFailed } = await press();
  expect(onFailed).toHaveBeenCalledOnce();
});
