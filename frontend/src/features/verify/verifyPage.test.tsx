import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { type Bytes, bytesOf, textOf } from "@/verify/bytes";
import {
  type Files,
  makeBundle,
  makeFiles,
  makeKey,
  makeResumedFiles,
  withIndex,
  zipped,
} from "@/verify/testing/makeBundle";

async function open() {
  const app = renderRoute("/verify");
  await screen.findByRole("heading", { name: "Check evidence" });
  return {
    ...app,
    choose: (bytes: Bytes, name = "evidence-7.zip") =>
      app.user.upload(
        screen.getByLabelText("Evidence bundle, receipt or certificate"),
        new File([bytes], name),
      ),
  };
}

const outcomes = () =>
  Object.fromEntries(
    within(screen.getByRole("region", { name: "Claim by claim" }))
      .getAllByRole("heading", { level: 3 })
      .map((title) => [title.textContent, title.closest("li")?.dataset.outcome]),
  );

test("a true file holds in everything that can be checked here, and never leaves the browser", async () => {
  // Every other request would fail the test.
  const uploads = respondWith("post", "/api", 500);
  const { choose } = await open();
  await choose(makeBundle());
  expect(await screen.findByText("Everything that can be checked here holds")).toBeVisible();
  expect(outcomes()).toEqual({
    "The file is complete and unchanged": "holds",
    "The log has signed this": "holds",
    "The key is the operator's": "unknown",
    "The events fit each other": "holds",
    "Each event is in the log, at its place": "holds",
    "The log has only grown": "holds",
    "Names and facts are the recorded ones": "holds",
    "The content is the recorded one": "holds",
    "The agreements are the recorded ones": "holds",
    "An outside authority confirms the time": "unknown",
    "Bitcoin confirms the time": "unknown",
  });
  expect(screen.getByText("A kettle that waits")).toBeVisible();
  expect(screen.getAllByText("Grace Hopper")).toHaveLength(5);
  expect(
    screen.getByText(
      "openssl ts -verify -data anchors/9-freetsa.org.checkpoint -in anchors/9-freetsa.org.tsr -CAfile ROOTS.pem",
    ),
  ).toBeVisible();
  expect(uploads).toHaveLength(0);
});

test("the folder of an unpacked file can be chosen", async () => {
  const { user } = await open();
  const folder = [...withIndex(makeFiles())].map(([path, contents]) => {
    const file = new File([contents], path.slice(path.lastIndexOf("/") + 1));
    return Object.defineProperty(file, "webkitRelativePath", { value: `evidence-7/${path}` });
  });
  expect(screen.getByRole("button", { name: "Choose its folder" })).toBeVisible();
  await user.upload(screen.getByLabelText("Folder of an unpacked bundle"), folder);
  expect(await screen.findByText("Everything that can be checked here holds")).toBeVisible();
  expect(screen.getByText("evidence-7")).toBeVisible();
});

test("a file that only a witness confirms leaves open whether it does", async () => {
  const files = makeFiles();
  const note = files.get("anchors/9-calendar.checkpoint") ?? new Uint8Array();
  for (const name of files.keys()) if (/freetsa|roots|\.ots$/.test(name)) files.delete(name);
  const line = bytesOf("\u2014 witness.example.org/w1 AAAAAAAA\n");
  files.set("anchors/9-calendar.cosigned", new Uint8Array([...note, ...line]));
  const { choose } = await open();
  await choose(zipped(withIndex(files)));
  expect(await screen.findByText(/^whether third parties confirm the time/)).toBeVisible();
  expect(screen.queryByText(/^the time: nobody but the server/)).toBeNull();
});

test("acceptances without a delivery say so", async () => {
  const { choose } = await open();
  await choose(makeBundle({ events: { 8: { delivered: false } } }));
  const accepted = /The agreement was accepted, without a record that its text was delivered/;
  expect(await screen.findByText(accepted)).toBeVisible();
});

test("the report of a file that holds can be saved", async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob: Blob) => `blob:${saved.push(blob)}`;
  URL.revokeObjectURL = vi.fn();
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { choose, user } = await open();
  const files = withIndex(makeFiles());
  await choose(zipped(files));
  expect(await screen.findByText(/^The report tells the same in sentences/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Save the report" }));
  expect(click.mock.contexts).toMatchObject([{ download: "report-7.html" }]);
  expect(await saved[0]?.text()).toBe(textOf(files.get("report.html") ?? bytesOf("")));
  click.mockRestore();
});

test("each claim that holds can be seen", async () => {
  const { choose, user } = await open();
  await choose(makeBundle());
  await user.click(
    await screen.findByText("Show each claim", {
      exact: false,
      selector: "li:nth-child(5) summary",
    }),
  );
  expect(await screen.findByText("events/8.tlog-proof")).toBeVisible();
});

test("a false file is named so, with what is false, and its story is not told", async () => {
  const { choose } = await open();
  const files = makeFiles().set("idea/version-1.html", bytesOf("other words"));
  await choose(zipped(withIndex(files)));
  expect(await screen.findByText("This file is not valid")).toBeVisible();
  expect(screen.getByText(/^One claim is false/)).toBeVisible();
  expect(screen.getByText("idea/version-1.html")).toBeVisible();
  expect(screen.getByText("No disclosure names this file by this name.")).toBeVisible();
  expect(
    screen.getByText("At least one text, picture or file in here is not what was recorded."),
  ).toBeVisible();
  expect(outcomes()["The content is the recorded one"]).toBe("fails");
  expect(screen.queryByText("What this file shows")).not.toBeInTheDocument();
});

test("a file without outside times says that only the server vouches for it", async () => {
  const { choose } = await open();
  const files = makeFiles();
  for (const path of [...files.keys()]) if (/^anchors\/|\.ots$/.test(path)) files.delete(path);
  await choose(zipped(withIndex(files)));
  expect(await screen.findByText(/^the time: nobody but the server/)).toBeVisible();
  expect(outcomes()["Bitcoin confirms the time"]).toBe("none");
});

test.each([
  ["no zip file", bytesOf("a letter"), "This is not a bundle: it is not a zip file."],
  ["another zip file", zipped(new Map([["a.txt", bytesOf("a")]])), /it has no bundle\.json\.$/],
  [
    "a hostile one",
    zipped(new Map([["../a.txt", bytesOf("a")]])),
    "../a.txt: The path is not safe.",
  ],
])("%s is refused with the reason", async (_, bytes, reason) => {
  const { choose } = await open();
  await choose(bytes);
  expect(await screen.findByText("This file cannot be checked")).toBeVisible();
  expect(screen.getByText(reason)).toBeVisible();
  expect(screen.queryByText("Claim by claim")).not.toBeInTheDocument();
});

test("a known key decides whether the file is the operator's", async () => {
  const { choose, user } = await open();
  await choose(makeBundle());
  await screen.findByText("Everything that can be checked here holds");
  await user.click(screen.getByText("I know the log's key"));
  const field = screen.getByLabelText("The log's key, if you know it");
  const use = screen.getByRole("button", { name: "Use this key" });

  await user.type(field, "not a key");
  await user.click(use);
  expect(await screen.findByText(/^This is not a key of a log/)).toBeVisible();
  expect(field).toHaveAttribute("aria-invalid", "true");

  await user.clear(field);
  await user.type(field, makeKey(2).vkey);
  await user.click(use);
  expect(await screen.findByText("This file is not valid")).toBeVisible();

  await user.clear(field);
  await user.type(field, makeKey(1).vkey);
  await user.click(use);
  expect(await screen.findByText("Everything that can be checked here holds")).toBeVisible();
  expect(outcomes()["The key is the operator's"]).toBe("holds");
  expect(screen.queryByText(/whether the key is the operator's/)).not.toBeInTheDocument();
});

async function checkWithKeyOfLog2(files: Files) {
  const { choose, user } = await open();
  await choose(zipped(withIndex(files)));
  expect(await screen.findByText(/^Nobody but you can say whether this is/)).toBeVisible();
  await user.click(screen.getByText("I know the log's key"));
  const { vkey } = makeKey(4, "vault.example.org/log2");
  await user.type(screen.getByLabelText("The log's key, if you know it"), vkey);
  await user.click(screen.getByRole("button", { name: "Use this key" }));
  await waitFor(() => expect(screen.queryByText(/^Nobody but you can say whether/)).toBeNull());
  expect(await screen.findByText("Everything that can be checked here holds")).toBeVisible();
}

test("a known key does not vouch for an older log that the newest one does not continue", async () => {
  const stopped = makeFiles({ person: "Mallory", key: makeKey(9) });
  await checkWithKeyOfLog2(makeResumedFiles({ stopped, last: "0".repeat(64) }));
  expect(outcomes()["The key is the operator's"]).toBe("unknown");
  expect(screen.getByText(/^whether the older log is the operator's/)).toBeVisible();
  expect(screen.queryByText(/^whether the key is the operator's/)).not.toBeInTheDocument();
  const apart = screen.getByText("What this file has of vault.example.org/log1").closest("details");
  expect(apart).not.toHaveAttribute("open");
  for (const text of ["Mallory", "A kettle that waits"]) {
    for (const found of screen.getAllByText(text)) expect(apart).toContainElement(found);
  }
  expect(screen.getByText(/ No\. 1$/)).toBeVisible();
});

test("a clock that is behind leaves open whether the times are right", async () => {
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.parse("2020-01-02T03:04:05Z"));
  try {
    const { choose } = await open();
    await choose(makeBundle());
    expect(await screen.findByText("Everything that can be checked here holds")).toBeVisible();
    expect(screen.getByText(/^whether the times of the events are right: the clock/)).toBeVisible();
    expect(outcomes()["The events fit each other"]).toBe("unknown");
    expect(screen.getByText(/it shows 2020-01-02 03:04 UTC\.$/)).toBeVisible();
  } finally {
    clock.mockRestore();
  }
});

test("events of several logs say of which they are", async () => {
  await checkWithKeyOfLog2(makeResumedFiles());
  expect(outcomes()["The key is the operator's"]).toBe("holds");
  expect(screen.getByText(/ log1, No\. 0$/)).toBeVisible();
  expect(screen.getByText(/ log2, No\. 0$/)).toBeVisible();
  expect(screen.queryByText(/^What this file has of/)).not.toBeInTheDocument();
});

test("the commands that need no server of ours are always there", async () => {
  await open();
  const offline = within(screen.getByRole("region", { name: "Check it without this page" }));
  for (const command of [
    "sha256sum",
    "python3 verify.py",
    "openssl pkeyutl",
    "openssl ts",
    "ots verify",
  ]) {
    expect(offline.getByText(command, { exact: false, selector: "code" })).toBeVisible();
  }
});
