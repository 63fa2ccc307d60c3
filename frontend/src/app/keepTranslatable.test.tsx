import { act, render, screen } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Replacement, translate } from "@/testing/translator";
import { keepTranslatable } from "./keepTranslatable";

// Other files run in the same page: what it returns undoes it.
beforeAll(keepTranslatable);

let end: (() => void) | undefined;
afterEach(() => end?.());

/** Waits for those that observe the page. */
const observed = () => act(async () => undefined);

/** Shows the first of the screens, translated, and then each of the others. */
async function show(how: Replacement, ...screens: ReactNode[]) {
  end = translate(how);
  const { container, rerender, unmount } = render(<p>{screens[0]}</p>);
  await observed();
  const texts = [container.textContent];
  for (const next of screens.slice(1)) {
    rerender(<p>{next}</p>);
    await observed();
    texts.push(container.textContent);
  }
  unmount();
  await observed();
  expect(container.textContent).toBe("");
  return texts;
}

const NONE = false;

// Before the first translator comes.
test("a page that is not translated hides no mistake", () => {
  const [parent, child] = [document.createElement("p"), document.createElement("b")];
  expect(() => parent.removeChild(child)).toThrow();
  expect(() => parent.insertBefore(document.createElement("i"), child)).toThrow();
});

describe.each<Replacement>(["replaces", "inserts and removes"])("a translator that %s", (how) => {
  test("translates a text that changes beside others", async () => {
    const links = (count: number) => ["You have ", count, " links"];
    const shown = await show(how, links(1), links(2));
    expect(shown).toEqual(["«You have »«1»« links»", "«You have »«2»« links»"]);
  });

  test("follows an element by a text and the other way round", async () => {
    const one = "Saved";
    const other = <b key="failed">Failed</b>;
    const shown = await show(how, [one, "."], [other, "."], [one, "."], [NONE, "."], [other, "."]);
    expect(shown).toEqual(["«Saved»«.»", "«Failed»«.»", "«Saved»«.»", "«.»", "«Failed»«.»"]);
  });

  test("translates what is inserted before a text and behind one", async () => {
    const shown = await show(how, [NONE, "middle", NONE], [<i key="a">first</i>, "middle", "last"]);
    expect(shown).toEqual(["«middle»", "«first»«middle»«last»"]);
  });

  test("translates the only text of an element, however often it changes", async () => {
    expect(await show(how, "Save", "Saving...", "Save")).toEqual([
      "«Save»",
      "«Saving...»",
      "«Save»",
    ]);
  });

  test("moves texts without keeping what stood for them", async () => {
    const entry = (name: string) => <Entry key={name} text={name} />;
    const shown = await show(how, ["a", "b", "c"].map(entry), ["c", "a", "b"].map(entry));
    expect(shown).toEqual(["«a!»«b!»«c!»", "«c!»«a!»«b!»"]);
  });

  test("leaves alone what is not to be translated", async () => {
    const code = (digits: string) => (
      <span key="code" translate="no">
        {digits}
      </span>
    );
    const shown = await show(how, ["Code ", code("12")], ["Code ", code("34")]);
    expect(shown).toEqual(["«Code »12", "«Code »34"]);
  });

  test("shows a text that changes twice before the translator sees it", async () => {
    end = translate(how);
    const { container } = render(<Counter />);
    await observed();
    act(() => screen.getByRole("button").click());
    act(() => screen.getByRole("button").click());
    await observed();
    expect(container.textContent).toBe("«Pressed »«2»« times»");
  });

  test("shows the original again", async () => {
    end = translate(how);
    const { container, rerender } = render(<p>{["You have ", 1, " links"]}</p>);
    await observed();
    end();
    for (const font of container.querySelectorAll("p > font")) {
      font.replaceWith(font.textContent.slice(1, -1));
    }
    await observed();
    rerender(<p>{["You have ", 2, NONE]}</p>);
    await observed();
    expect(container.textContent).toBe("You have 2");
  });
});

test("a translator that joins neighbours translates the whole of them anew", async () => {
  const links = (count: number | boolean) => ["You have ", count, " links"];
  const shown = await show("joins neighbours", links(1), links(2), links(NONE));
  expect(shown.map((text) => text.replaceAll(/[«»]/g, ""))).toEqual([
    "You have 1 links",
    "You have 2 links",
    "You have  links",
  ]);
});

const Entry = ({ text }: { text: string }) => `${text}!`;

function Counter() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Pressed {count} times
    </button>
  );
}
