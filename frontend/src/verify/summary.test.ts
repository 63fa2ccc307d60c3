import { describe, expect, test } from "vitest";
import { bytesOf } from "./bytes";
import { writeCanonical } from "./canonical";
import type { Summary } from "./report";
import {
  digest,
  type Files,
  makeFiles,
  makeKey,
  makeResumedFiles,
  withIndex,
  zipped,
} from "./testing/makeBundle";
import { verifyBundle } from "./verify";

const summaryOf = async (files: Files) => {
  const { claims, summary } = await verifyBundle(zipped(withIndex(files)));
  const failures = claims.filter(({ outcome }) => outcome.kind === "fails");
  expect(failures.map(({ subject, outcome }) => [subject, outcome])).toEqual([]);
  return summary;
};

/** An event with a disclosure, and the file of that. */
function disclosing(place: number, name: string, facts: Record<string, string | never[]>) {
  const json = bytesOf(writeCanonical({ ...facts, salt: "A".repeat(43) }));
  const event = { idea: "7", discloses: { [name]: digest(json) } };
  return { event, file: [`disclosures/${place}-${name}.json`, json] as const };
}

const content = (place: number, title: string) => {
  const facts = { title, creator: "Ada Lovelace", sha256: "0".repeat(64), files: [] };
  const { event, file } = disclosing(place, "content", facts);
  return { event: { ...event, type: "revision.recorded", revision: "2" }, file };
};
const log3 = makeKey(5, "vault.example.org/log3");

describe("the title", () => {
  test("is that of the highest place, whatever the order of the names", async () => {
    const latest = content(12, "A kettle that is patient");
    const files = makeFiles({ events: { 12: latest.event } }).set(...latest.file);
    expect((await summaryOf(files))?.title).toBe("A kettle that is patient");
  });

  test("is that of the last event, also where that names an earlier disclosure", async () => {
    const other = content(9, "A pot");
    const again = JSON.parse(Buffer.from(makeFiles().get("events/3.json") ?? "").toString());
    const { type, discloses, revision } = again;
    const files = makeFiles({
      events: { 9: other.event, 12: { type, discloses, revision, idea: "7" } },
    }).set(...other.file);
    expect((await summaryOf(files))?.title).toBe("A kettle that waits");
  });

  test("is that of the newest log", async () => {
    const newest = content(3, "A kettle that is patient");
    const files = makeResumedFiles({ events: [newest.event] }).set(...newest.file);
    expect((await summaryOf(files))?.title).toBe("A kettle that is patient");
    const again = makeResumedFiles({ stopped: makeResumedFiles(), key: log3 });
    expect((await summaryOf(again))?.title).toBe("A kettle that waits");
  });
});

const origins = (summary: Summary | null) => summary?.unvouched.map(({ origin }) => origin);

describe("the events of several logs", () => {
  test("are in the order in which the logs continue each other", async () => {
    const files = makeResumedFiles({ stopped: makeResumedFiles(), key: log3 });
    const summary = await summaryOf(files);
    const first = summary?.events.filter(({ place }) => place === 0);
    expect(first?.map(({ log }) => log)).toEqual(["log1", "log2", "log3"]);
    expect(summary?.unvouched).toEqual([]);
    expect((await summaryOf(makeFiles()))?.events.map(({ log }) => log)).toContain(null);
  });

  test("stand apart with their facts where nothing vouches for a log", async () => {
    const facts = { name: "Grace Hopper", email: "g@example.org", identity: "self-declared" };
    const { event, file } = disclosing(3, "person", facts);
    const accepted = { ...event, type: "agreement.accepted", recipient: "r1", delivered: false };
    // The genuine logs, with another one in place of the older one.
    const stopped = makeFiles({ person: "Mallory", key: makeKey(9) });
    const files = makeResumedFiles({ stopped, last: "0".repeat(64), events: [accepted] });
    const summary = await summaryOf(files.set(...file));
    expect(origins(summary)).toEqual(["vault.example.org/log1"]);
    expect(summary?.events.map(({ type, person }) => [type, person])).toEqual([
      ["log.resumed", null],
      ["share.created", null],
      ["idea.deleted", null],
      ["agreement.accepted", "Grace Hopper"],
    ]);
    expect(summary?.title).toBeNull();
    const apart = summary?.unvouched[0];
    expect(apart?.title).toBe("A kettle that waits");
    expect(apart?.events.map(({ person }) => person)).toContain("Mallory");
    expect(apart?.events.map(({ person }) => person)).not.toContain("Grace Hopper");
  });

  test("stand apart also where an unvouched log continues another one", async () => {
    const stopped = makeResumedFiles();
    const files = makeResumedFiles({ stopped, key: log3, last: "0".repeat(64) });
    const summary = await summaryOf(files);
    expect(origins(summary)).toEqual(["vault.example.org/log1", "vault.example.org/log2"]);
    expect(summary?.events).toHaveLength(3);
  });
});
