import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bytesOf, textOf } from "./bytes";
import { writeCanonical } from "./canonical";
import type { LogEvent } from "./event";
import type { Report } from "./report";
import { reportEnding } from "./reportPage";
import {
  digest,
  type Files,
  makeFiles,
  makeResumedFiles,
  withIndex,
  zipped,
} from "./testing/makeBundle";
import { verifyBundle } from "./verify";

const beginning = readFileSync("../crates/evidence/assets/report.html", "utf8");

const verdicts = ({ claims }: Report) =>
  claims.flatMap(({ subject, outcome }) =>
    outcome.kind === "fails" ? [`${subject}: ${outcome.reason}`] : [],
  );

const pageOf = async (files: Files): Promise<string | null> => {
  const report = await verifyBundle(zipped(withIndex(files)));
  expect(verdicts(report)).toEqual([]);
  return report.page && textOf(report.page);
};

test("a report tells all events, and hostile names cannot pass for its words", async () => {
  const about = { idea: "7", discloses: {} };
  const files = makeFiles({
    person: 'Grace" agreed. “<b>Hopper</b>\u202e & co.',
    events: {
      2: { ...about, type: "share.created", share: "s2" },
      4: { ...about, type: "agreement.offered", recipient: "r2", share: "s1" },
      5: { ...about, type: "agreement.declined", recipient: "r2", share: "s1" },
      6: { share: "s2" },
      8: { revision: "1" },
      12: { ...about, type: "view.started", recipient: "r1", revision: "1", view: "v2" },
    },
  });
  const grace = "\"<bdi>Grace' agreed. '&lt;b&gt;Hopper&lt;/b&gt;\ufffd &amp; co.</bdi>\"";
  const nda = 'the agreement "<bdi>IdeaVault NDA 1.1</bdi>"';
  const item = (place: number, sentence: string) => {
    const time = `2026-11-20 10:00:${String(place).padStart(2, "0")}`;
    const sum = digest(files.get(`events/${place}.json`) ?? bytesOf(""));
    return `<li><time>${time}</time>${sentence}<small>No. ${place}, SHA-256 ${sum}</small></li>`;
  };
  expect(await pageOf(files)).toBe(`${beginning}<dl>
<dt>Idea</dt><dd>"<bdi>A kettle that waits</bdi>", number 7</dd>
<dt>Owner</dt><dd>"<bdi>Ada Lovelace</bdi>"</dd>
<dt>Log</dt><dd>vault.example.org/log1, 13 events</dd>
<dt>Told here</dt><dd>11 events; the numbers between are those of other ideas, or not part of this bundle</dd>
<dt>Listed as left out</dt><dd>nothing</dd>
</dl>
<h2>Readers</h2>
<table><thead><tr><th>Reader</th><th>Agreed</th><th>Opened</th></tr></thead><tbody>
<tr><td>Reader 1</td><td>2026-11-20 10:00:05: declined</td><td>no</td></tr>
<tr><td>${grace}<br><bdi>grace@example.org</bdi><br>address not confirmed</td><td>2026-11-20 10:00:08: the agreement<br>text: agreements/6.txt</td><td>2026-11-20 10:00:10: version 1</td></tr>
</tbody></table>
<h2>What happened</h2>
<ol>
${item(0, "The log began.")}
${item(2, "Link 1 was made.")}
${item(3, "Version 1 was put on record.")}
${item(4, "Reader 1 was offered the agreement by link 2.")}
${item(5, "Reader 1 declined the agreement.")}
${item(6, `${grace} was offered ${nda} by link 1.`)}
${item(7, `${grace} was sent the text of the agreement.`)}
${item(8, `${grace} accepted the agreement for version 1. From the network address <bdi>203.0.113.7</bdi>.`)}
${item(10, `${grace} opened version 1.`)}
${item(11, `${grace} was sent a file of the idea.`)}
${item(12, `${grace} opened version 1.`)}
</ol>
`);
});

test("a report names the older logs, and what the newest one does not confirm", async () => {
  const sum = digest(makeFiles().get("events/3.json") ?? bytesOf(""));
  expect(await pageOf(makeResumedFiles())).toContain(
    `<small>No. 3 of log1, SHA-256 ${sum}</small>`,
  );
  const page = await pageOf(makeResumedFiles({ last: "0".repeat(64) }));
  expect(page).toContain(`No. 3 of log1, SHA-256 ${sum}, not confirmed by the newest log</small>`);
  expect(page).toContain("text: log1/agreements/6.txt");
  expect(page).toContain("<dt>Log</dt><dd>vault.example.org/log2, 3 events</dd>");
});

test("a report counts what the bundle lacks", async () => {
  const files = makeFiles();
  const withheld = ["disclosures/3-content.json", "disclosures/10-content.json"];
  const missing = ["idea/version-1", "idea/version-1-1.png", "agreements/6.txt"];
  for (const path of [...withheld, "idea/version-1.html", "idea/version-1-1.png"]) {
    files.delete(path);
  }
  files.delete("agreements/6.txt");
  const lists = { withheld, missing, pending: ["comment.added"] };
  const report = await verifyBundle(zipped(withIndex(files, lists)));
  expect(verdicts(report)).toEqual([]);
  const page = report.page && textOf(report.page);
  expect(page).toContain("<dd>2 facts that the holder does not get or that were erased, 3 files ");
  expect(page).toContain("has elsewhere, 1 events that had no place yet</dd>");
  expect(page).toContain("<dd>not told here, number 7</dd>\n<dt>Owner</dt><dd>not told here</dd>");
});

describe("a bundle is false", () => {
  const page = withIndex(makeFiles()).get("report.html") ?? bytesOf("");
  test.each([
    ["with another beginning", `<!---->${textOf(page)}`],
    ["with other words", textOf(page)?.replace("opened", "accepted") ?? ""],
    ["with an empty report", ""],
  ])("%s", async (_, text) => {
    const files = makeFiles().set("report.html", bytesOf(text));
    const report = await verifyBundle(zipped(withIndex(files)));
    expect(verdicts(report)).toEqual(["report.html: It does not say what the events say."]);
    expect(report.page).toBeNull();
  });

  test("without a report", async () => {
    const files = withIndex(makeFiles());
    files.delete("report.html");
    files.delete("bundle.json");
    const listed = [...files].map(([path, contents]) => [path, digest(contents)]);
    const index = writeCanonical({ v: 2, files: Object.fromEntries(listed) });
    const report = await verifyBundle(zipped(files.set("bundle.json", bytesOf(index))));
    expect(verdicts(report)).toEqual(["report.html: The file is missing."]);
  });
});

const sentences: [Partial<LogEvent>, string][] = [
  [{ type: "log.resumed" }, "Recording had stopped and began again, in a new log."],
  [{ type: "key.rotated" }, "The log got a new key."],
  [{ type: "revision.recorded" }, "A version was put on record."],
  [{ type: "idea.published", revision: "2" }, "The idea was published as version 2."],
  [{ type: "idea.deleted" }, "The draft was deleted."],
  [{ type: "share.revoked", share: "s" }, "Link 1 was revoked."],
  [{ type: "share.revoked" }, "A link was revoked."],
  [{ type: "agreement.offered" }, "The owner was offered the agreement by a link."],
  [
    { type: "agreement.accepted", recipient: "r", delivered: false },
    "Reader 1 accepted the agreement. The vault has no record that its text was sent to the reader.",
  ],
  [
    { type: "agreement.accepted", recipient: "r", discloses: { agreement: "a", person: "p" } },
    '"<bdi>Grace</bdi>" accepted the mutual agreement "<bdi>Ours 3</bdi>" as "<bdi>CTO</bdi>" of "<bdi>Hopper</bdi>".',
  ],
  [
    { type: "agreement.issued", share: "s", discloses: { agreement: "a", signatory: "o" } },
    '"<bdi>Ada</bdi>" accepted the mutual agreement "<bdi>Ours 3</bdi>" towards all readers of link 1.',
  ],
  [
    { type: "agreement.issued", share: "s", discloses: { agreement: "?", signatory: "?" } },
    "The owner accepted the agreement towards all readers of link 1.",
  ],
  [{ type: "access.requested", recipient: "r" }, "Reader 1 asked to read the document."],
  [{ type: "access.approved", recipient: "r" }, "The owner let Reader 1 read."],
  [
    { type: "access.approved", recipient: "r", discloses: { signatory: "o", terms: "t" } },
    '"<bdi>Ada</bdi>" let Reader 1 read and accepted the agreement.',
  ],
  [{ type: "access.refused", recipient: "r" }, "The owner declined the request of Reader 1."],
  [
    { type: "view.started", recipient: "r", revision: "2", mark: "IVC-7K3M-Q9TX-2B4S" },
    "Reader 1 opened version 2, copy IVC-7K3M-Q9TX-2B4S.",
  ],
  [
    { type: "email.confirmed", recipient: "r", discloses: { person: "p2" } },
    '"<bdi>Grace</bdi>" confirmed the address by <bdi>https://a.org</bdi>.',
  ],
  [{ type: "email.confirmed", recipient: "r" }, "Reader 1 confirmed the address by a code."],
  [{ type: "visit.closed", recipient: "r" }, "Reader 1 closed the document."],
  [
    { type: "file.delivered", recipient: "r", revision: "2" },
    "Reader 1 was shown the edited version 2.",
  ],
  [{ type: "file.delivered", download: true }, "The owner downloaded a file of the idea."],
  [{ type: "file.delivered", discloses: { file: "f" } }, 'The owner was sent "<bdi>a.png</bdi>".'],
  [
    { type: "file.delivered", discloses: { file: "m" } },
    'The owner was sent "<bdi>a.png</bdi>", a marked copy.',
  ],
  [{ type: "comment.added", discloses: { comment: "c" } }, '"<bdi>Ada</bdi>" commented.'],
  [{ type: "comment.changed", recipient: "r" }, "Reader 1 changed a comment."],
  [{ type: "comment.withdrawn" }, "The owner withdrew a comment."],
  [{ type: "person.erased" }, "The personal details of the owner were erased."],
  [{ type: "person.erased", recipient: "r" }, "The personal details of Reader 1 were erased."],
];

test.each(sentences)("%j is told", (event, sentence) => {
  const at = "2026-11-20T10:00:00.000000Z";
  const whole = { v: 2 as const, log: "a/log1", type: "", at, discloses: {}, ...event };
  const recorded = { path: "events/1.json", digest: "d", event: whole };
  const checkpoint = { origin: "a/log1", size: 2 };
  const log = { prefix: "", checkpoint, events: new Map([[1, recorded]]) };
  const fact = (name: string, facts: Record<string, string>) =>
    ({ name, path: "", digests: [], facts }) as const;
  const facts = new Map([
    ["f", fact("file", { name: "a.png" })],
    ["m", fact("file", { name: "a.png", original: "0".repeat(64) })],
    ["c", fact("comment", { author: "Ada" })],
    ["a", fact("agreement", { template: "Ours", version: "3", kind: "mutual", language: "en" })],
    ["o", fact("signatory", { name: "Ada" })],
    ["p2", fact("person", { name: "Grace", email: "g@h.org", provider: "https://a.org" })],
    ["p", fact("person", { name: "Grace", email: "g@h.org", role: "CTO", company: "Hopper" })],
  ]);
  const told = { idea: "7", logs: [log], chain: [log], facts, has: () => false };
  const text = reportEnding({ ...told, withheld: 0, missing: 0, pending: 0 });
  expect(text).toContain(`</time>${sentence}<small>No. 1, SHA-256 d</small>`);
});

test("a report without readers says so", () => {
  const told = { idea: "", logs: [], chain: [], facts: new Map(), has: () => false };
  expect(reportEnding({ ...told, withheld: 0, missing: 0, pending: 0 })).toContain(
    "<h2>Readers</h2>\n<p>None are recorded here.</p>\n<h2>What happened</h2>\n<ol>\n</ol>\n",
  );
});
