import { afterEach, describe, expect, test, vi } from "vitest";
import { type Bytes, bytesOf, concat, textOf } from "./bytes";
import { writeCanonical } from "./canonical";
import { parseKey } from "./checkpoint";
import type { Claim, Report, Topic } from "./report";
import {
  digest,
  type Files,
  flipped,
  makeBundle,
  makeFiles,
  makeKey,
  makeResumedFiles,
  makeStamp,
  makeTimestamp,
  withIndex,
  zipped,
} from "./testing/makeBundle";
import { verifyBundle } from "./verify";

afterEach(() => void vi.unstubAllGlobals());

const failures = ({ claims }: Report) => claims.filter(({ outcome }) => outcome.kind === "fails");
const of = (report: Report, topic: Topic) => report.claims.filter((claim) => claim.topic === topic);
const lines = (claims: readonly Claim[]) =>
  claims.map(({ topic, subject, outcome }) =>
    outcome.kind === "holds"
      ? `${topic} ${subject} holds`
      : `${topic} ${subject} ${outcome.kind}: ${outcome.reason}`,
  );

/** Changes the files and lists them as they are then. */
const check = (change: (files: Files) => void, over = {}) => {
  const files = makeFiles(over);
  change(files);
  return verifyBundle(zipped(withIndex(files)));
};
const read = (files: Files, path: string): Bytes => files.get(path) ?? bytesOf("");
const edit = (files: Files, path: string, from: string, to: string) => {
  const text = textOf(read(files, path)) ?? "";
  expect(text).toContain(from);
  files.set(path, bytesOf(text.replace(from, to)));
};

describe("a true bundle", () => {
  test("holds in every claim that can be decided here", async () => {
    const claims: Claim[] = [];
    const report = await verifyBundle(makeBundle(), { onClaim: (claim) => claims.push(claim) });
    expect(lines(failures(report))).toEqual([]);
    expect(claims).toEqual(report.claims);
    const count = (topic: Topic) =>
      of(report, topic).filter(({ outcome }) => outcome.kind === "holds").length;
    expect(count("event")).toBe(7);
    expect(count("place")).toBe(7);
    expect(count("disclosure")).toBe(5);
    expect(count("content")).toBe(2);
    expect(count("terms")).toBe(1);
    expect(count("signature")).toBe(4);
    expect(count("consistency")).toBe(3);
  });

  test("says who took part, in the order of the log", async () => {
    const { summary } = await verifyBundle(makeBundle());
    expect(summary).toMatchObject({
      origin: "vault.example.org/log1",
      size: 13,
      vkey: makeKey(1).vkey,
      idea: "7",
      title: "A kettle that waits",
      creator: "Ada Lovelace",
    });
    expect(summary?.events.map(({ place, type, person }) => [place, type, person])).toEqual([
      [0, "log.started", null],
      [3, "revision.recorded", null],
      [6, "agreement.offered", "Grace Hopper"],
      [7, "agreement.delivered", "Grace Hopper"],
      [8, "agreement.accepted", "Grace Hopper"],
      [10, "view.started", "Grace Hopper"],
      [11, "file.delivered", "Grace Hopper"],
    ]);
  });

  test("leaves key and outside times open, and says which command decides them", async () => {
    const report = await verifyBundle(makeBundle());
    const open = report.claims.flatMap(({ topic, outcome }) =>
      outcome.kind === "unknown" ? [[topic, outcome.command]] : [],
    );
    expect(open).toEqual([
      // The script and the certificates, which nobody signs.
      ["files", undefined],
      ["key", "ideavault verify BUNDLE --key VKEY"],
      ["bitcoin", "ots verify -f anchors/9-calendar.checkpoint anchors/9-calendar.ots"],
      [
        "authority",
        "openssl ts -verify -data anchors/9-freetsa.org.checkpoint -in anchors/9-freetsa.org.tsr -CAfile ROOTS.pem",
      ],
      ["files", undefined],
      ["bitcoin", "ots verify events/8.json.ots"],
    ]);
  });

  test("leaves signatures of witnesses open, if they are below their checkpoint", async () => {
    const line = "\u2014 witness.example.org/w1 AAAAAAAA\n";
    const cosigned = (before: string) => (files: Files) => {
      const note = new TextDecoder().decode(read(files, "anchors/9-calendar.checkpoint"));
      files.set("anchors/9-calendar.cosigned", new TextEncoder().encode(before + note + line));
    };
    const [open] = of(await check(cosigned("")), "witness");
    expect(open?.outcome).toMatchObject({
      kind: "unknown",
      command: "ideavault verify BUNDLE --witness VKEY",
    });
    const [moved] = of(await check(cosigned("\n")), "witness");
    expect(moved?.outcome.kind).toBe("fails");
  });

  test("is checked alike where the browser has no cryptography", async () => {
    const expected = await verifyBundle(makeBundle());
    vi.stubGlobal("crypto", {});
    expect(await verifyBundle(makeBundle())).toEqual(expected);
    const forged = await check((files) =>
      files.set("log/checkpoint.sig", flipped(read(files, "log/checkpoint.sig"), 5, 1)),
    );
    expect(failures(forged)).not.toEqual([]);
  });

  test("holds for the known key and for no other one", async () => {
    const known = await verifyBundle(makeBundle(), { key: parseKey(makeKey(1).vkey) });
    expect(lines(of(known, "key"))).toEqual(["key log/vkey holds"]);
    const other = await verifyBundle(makeBundle(), { key: parseKey(makeKey(2).vkey) });
    expect(lines(failures(other))).toEqual([
      `key log/vkey fails: The key is not the one you gave, ${makeKey(2).vkey}.`,
    ]);
  });

  test("may leave out what it says that it withholds, and what has no place yet", async () => {
    const files = makeFiles();
    files.delete("disclosures/8-origin.json");
    files.delete("idea/version-1-1.png");
    const more = { withheld: ["disclosures/8-origin.json"], pending: ["comment.added"] };
    const report = await verifyBundle(zipped(withIndex(files, more)));
    expect(lines(failures(report))).toEqual([]);
    expect(lines(report.claims)).toContain(
      "place bundle.json unknown: An event comment.added had no place in the log yet.",
    );
    expect(lines(of(report, "disclosure"))).toContain(
      "disclosure disclosures/8-origin.json unknown: It was withheld from the holder of this bundle, or erased.",
    );
    expect(of(report, "content").map(({ outcome }) => outcome.kind)).toEqual(["holds", "unknown"]);
  });

  test("may lack what it says that the vault has lost", async () => {
    const files = makeFiles();
    const missing = ["disclosures/8-origin.json", "idea/version-1-1.png"];
    for (const path of missing) files.delete(path);
    const silent = await verifyBundle(zipped(withIndex(files, {})));
    expect(lines(failures(silent))).not.toEqual([]);
    const report = await verifyBundle(zipped(withIndex(files, { missing })));
    expect(lines(failures(report))).toEqual([]);
    for (const path of missing) {
      expect(lines(report.claims)).toContainEqual(
        expect.stringContaining(`${path} unknown: It was lost or damaged in the vault`),
      );
    }
    expect(of(report, "disclosure").some(({ outcome }) => outcome.kind === "unknown")).toBe(true);
  });

  test("is not called false by a clock that is behind", async () => {
    const now = Date.parse("2026-11-20T09:50:00Z");
    const report = await verifyBundle(makeBundle(), { now });
    expect(lines(failures(report))).toEqual([]);
    const open = of(report, "event").filter(({ outcome }) => outcome.kind === "unknown");
    expect(lines(open)[1]).toBe(
      "event events/3.json unknown: Its time is in the future, if the clock of this computer is right: it shows 2026-11-20 09:50 UTC.",
    );
    expect(open).toHaveLength(7);
    const slack = await verifyBundle(makeBundle(), { now: Date.parse("2026-11-20T09:56:00Z") });
    expect(of(slack, "event").filter(({ outcome }) => outcome.kind === "unknown")).toEqual([]);
  });
});

const paths = [...withIndex(makeFiles()).keys()];

describe("a bundle of before and after a resumption", () => {
  const key = parseKey(makeKey(4, "vault.example.org/log2").vkey);

  test("holds in both logs", async () => {
    const report = await verifyBundle(zipped(withIndex(makeResumedFiles())), { key });
    expect(lines(failures(report))).toEqual([]);
    expect(lines(report.claims)).toContain("consistency events/0.json holds");
    expect(lines(of(report, "key"))).toEqual(["key log/vkey holds"]);
    expect(lines(of(report, "place"))).toContain("place log1/events/8.tlog-proof holds");
    expect(lines(of(report, "disclosure"))).toContain(
      "disclosure log1/disclosures/6-person.json holds",
    );
  });

  test("fails where a time is before that of an event of the same log", async () => {
    const files = makeResumedFiles({
      events: [
        { type: "share.revoked", idea: "7", at: "2026-11-21T09:00:00.000000Z" },
        {
          type: "share.revoked",
          idea: "7",
          log: "vault.example.org/log1",
          at: "2026-11-21T03:00:00.000000Z",
        },
      ],
    });
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(lines(failures(report))).toEqual([
      "event events/3.json fails: Its time is before that of events/2.json.",
      "event events/4.json fails: Its time is before that of events/1.json.",
    ]);
  });

  test.each([
    ["2026-11-21T10:04:00.000000Z", []],
    [
      "2026-11-21T10:06:00.000000Z",
      [
        "event events/4.json fails: It is of the log that had stopped, but follows events of this one.",
      ],
    ],
  ])("allows what waited to follow an event of %s only shortly", async (at, problems) => {
    const files = makeResumedFiles({
      events: [
        { type: "share.revoked", idea: "7", at },
        {
          type: "share.revoked",
          idea: "7",
          log: "vault.example.org/log1",
          at: "2026-11-21T05:00:00.000000Z",
        },
      ],
    });
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(lines(failures(report))).toEqual(problems);
  });

  test("ends where the logs name each other in a circle", async () => {
    const files = makeResumedFiles();
    const path = "log1/events/0.json";
    const event = JSON.parse(textOf(read(files, path)) ?? "");
    const previous = {
      log: "vault.example.org/log2",
      checkpoint: digest(read(files, "log/checkpoint")),
    };
    files.set(path, bytesOf(writeCanonical({ ...event, type: "log.resumed", previous })));
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(failures(report).map(({ topic }) => topic)).toContain("place");
  });

  test("says that nothing vouches for an older log in another state", async () => {
    const files = makeResumedFiles({ last: "0".repeat(64) });
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(lines(failures(report))).toEqual([]);
    expect(lines(of(report, "key"))[1]).toMatch(/^key log1\/log\/vkey unknown: Only the bundle/);
  });

  test("fails where somebody else's log has the name of the older one", async () => {
    const files = makeResumedFiles();
    for (const [path, contents] of makeFiles({ key: makeKey(9) })) {
      if (/^(log|events)\//.test(path)) files.set(`log9/${path}`, contents);
    }
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(lines(failures(report))).toContain(
      "consistency log9/log/checkpoint fails: Another log of the bundle has the same name.",
    );
  });

  test("fails where the older log was changed", async () => {
    const files = makeResumedFiles();
    const path = "log1/disclosures/6-person.json";
    files.set(path, flipped(read(files, path), 20, 1));
    const report = await verifyBundle(zipped(withIndex(files)), { key });
    expect(failures(report).map(({ subject }) => subject)).toContain(path);
  });
});

describe("one bit changed in a file", () => {
  test.each(paths)("%s: is found by name", async (path) => {
    const files = withIndex(makeFiles());
    const contents = read(files, path);
    for (const byte of [0, Math.floor(contents.length / 2), contents.length - 1]) {
      const changed = new Map(files).set(path, flipped(contents, byte, byte % 7));
      const report = await verifyBundle(zipped(changed));
      expect(failures(report).length, `byte ${byte}`).toBeGreaterThan(0);
      if (path !== "bundle.json") {
        expect(lines(failures(report))).toContain(
          `files ${path} fails: The file is not the one in bundle.json.`,
        );
      }
    }
  });

  // Certificates and stamps are checked by others' tools, and scripts by reading them.
  const foreign = /^(verify\.py|bundle\.json|anchors\/.*\.pem|.*\.(tsr|ots))$/;
  test.each(paths.filter((path) => !foreign.test(path)))(
    "%s: is found also when bundle.json lists the changed file",
    async (path) => {
      const contents = read(withIndex(makeFiles()), path);
      for (const byte of [0, Math.floor(contents.length / 2), contents.length - 2]) {
        const report = await check((files) => files.set(path, flipped(contents, byte, 1)));
        expect(failures(report).length, `byte ${byte}`).toBeGreaterThan(0);
      }
    },
  );
});

describe("an attack", () => {
  test("a disclosure of another person in place of one", async () => {
    const other = makeFiles({ person: "Mallory" });
    const path = "disclosures/6-person.json";
    const report = await check((files) => files.set(path, read(other, path)));
    expect(lines(failures(report))).toEqual([
      `disclosure ${path} fails: The event at place 6 names another person.`,
    ]);
  });

  test("the proof of another idea", async () => {
    const other = makeFiles({ idea: "8" });
    const report = await check((files) =>
      files.set("events/8.tlog-proof", read(other, "events/8.tlog-proof")),
    );
    expect(lines(failures(report))).toEqual([
      "place events/8.tlog-proof fails: The proof is for another checkpoint than log/checkpoint.",
    ]);
  });

  test("an event of another idea, of the same log", async () => {
    const report = await check((files) => {
      edit(files, "events/3.json", '"idea":"7"', '"idea":"8"');
    });
    expect(lines(failures(report))).toContain(
      "event events/6.json fails: The event is of the idea 7, others of 8.",
    );
  });

  test("two events that change places", async () => {
    const report = await check((files) => {
      const [one, two] = [read(files, "events/6.json"), read(files, "events/7.json")];
      files.set("events/6.json", two).set("events/7.json", one);
    });
    const path = "The proof does not lead from this event to log/checkpoint.";
    expect(lines(failures(report))).toEqual(
      expect.arrayContaining([
        `place events/6.tlog-proof fails: ${path}`,
        `place events/7.tlog-proof fails: ${path}`,
      ]),
    );
  });

  test("every key replaced", async () => {
    const forger = makeKey(2);
    const report = await check((files) => {
      files.set("log/vkey", bytesOf(`${forger.vkey}\n`));
      files.set("log/key.pem", bytesOf(forger.pem));
    });
    expect(lines(failures(report))).toContain(
      "signature log/checkpoint fails: The signature is not by the key in log/vkey.",
    );
    expect(report.summary).toBeNull();
    const whole = await verifyBundle(makeBundle({ key: forger }), {
      key: parseKey(makeKey(1).vkey),
    });
    expect(lines(failures(whole))).toEqual([
      `key log/vkey fails: The key is not the one you gave, ${makeKey(1).vkey}.`,
    ]);
  });

  test("an acceptance before its delivery", async () => {
    const report = await check((files) => {
      const own = textOf(files.get("events/8.json") ?? new Uint8Array()) ?? "";
      const [delivered] = /"delivered":"[0-9a-f]{64}"/.exec(own) ?? [""];
      edit(files, "events/8.json", delivered, `"delivered":"${"0".repeat(64)}"`);
    });
    expect(lines(failures(report))).toContain(
      "event events/8.json fails: It names a delivery of the text that is not there.",
    );
  });

  test.each(["view.started", "file.delivered"])("a %s before the acceptance", async (type) => {
    const problem = "event events/5.json fails: This reader accepted no agreement before it.";
    for (const recipient of ["r1", "r2"]) {
      const shown = { type, idea: "7", recipient, view: "v0", discloses: {} };
      const report = await verifyBundle(makeBundle({ events: { 5: shown } }));
      expect(lines(failures(report))).toContain(problem);
      expect(failures(report).every(({ subject }) => subject === "events/5.json")).toBe(true);
    }
  });

  test("the delivery to another reader", async () => {
    const bundle = makeBundle({ events: { 8: { recipient: "r2" } } });
    expect(lines(failures(await verifyBundle(bundle)))).toContain(
      "event events/8.json fails: It names a delivery of the text that is not there.",
    );
  });

  test("an earlier time", async () => {
    const back = "event events/8.json fails: Its time is before that of events/7.json.";
    const report = await check((files) => {
      const own = textOf(read(files, "events/8.json")) ?? "";
      const [at] = /"at":"\d{4}/.exec(own) ?? [""];
      edit(files, "events/8.json", at, '"at":"2001');
    });
    expect(lines(failures(report))).toContain(back);
  });

  test.each([
    ["idea/version-1.html", "disclosures/3-content.json", "content"],
    ["agreements/6.txt", "disclosures/6-terms.json", "terms"],
  ] as const)("another text in %s", async (path, by, topic) => {
    const report = await check((files) => files.set(path, bytesOf("other words")));
    expect(lines(failures(report))).toEqual([
      `${topic} ${path} fails: No disclosure names this file by this name.`,
    ]);
    expect(of(report, topic).find(({ subject }) => subject === by)?.outcome.kind).toBe("unknown");
  });

  test("a disclosure left out, and one twice", async () => {
    const out = await check((files) => files.delete("disclosures/8-origin.json"));
    expect(lines(failures(out))).toEqual([
      "disclosure disclosures/8-origin.json fails: events/8.json names it, but it is missing.",
    ]);
    const twice = await check((files) =>
      files.set("disclosures/7-terms.json", read(files, "disclosures/6-terms.json")),
    );
    expect(lines(failures(twice))).toEqual([
      "disclosure disclosures/7-terms.json fails: The same disclosure is in disclosures/6-terms.json already.",
    ]);
  });

  test("a log that was rewritten", async () => {
    const report = await check((files) => {
      const proof = textOf(read(files, "log/consistency-9-13.txt")) ?? "";
      const [first = "", second = "", ...rest] = proof.split("\n");
      files.set("log/consistency-9-13.txt", bytesOf([second, first, ...rest].join("\n")));
    });
    expect(lines(failures(report))).toContain(
      "consistency log/checkpoint-9 fails: log/checkpoint does not extend it: the log was rewritten.",
    );
  });

  test("files that no bundle has, and files that are not listed", async () => {
    const report = await check((files) => files.set("events/08.json", bytesOf("{}")));
    expect(lines(failures(report))).toEqual([
      "files events/08.json fails: A bundle has no such file.",
    ]);
    const files = withIndex(makeFiles()).set("idea/more.txt", bytesOf("more"));
    expect(lines(failures(await verifyBundle(zipped(files))))).toContain(
      "files idea/more.txt fails: bundle.json does not list the file.",
    );
  });

  test.each([
    ["an empty file", () => new Uint8Array()],
    ["junk", () => bytesOf("a stamp")],
    ["the stamp of something else", () => makeStamp(bytesOf("something else"))],
    ["the beginning of one", (stamp: Bytes) => stamp.slice(0, 65)],
    ["one of a newer version", (stamp: Bytes) => flipped(stamp, 31, 1)],
    ["one by SHA-1", (stamp: Bytes) => flipped(stamp, 32, 1)],
  ])("%s as the stamp of a calendar", async (_, change) => {
    for (const path of ["anchors/9-calendar.ots", "events/8.json.ots"]) {
      const report = await check((files) => files.set(path, change(read(files, path))));
      // Without the stamp of the checkpoint, nothing says where that of an event should lead.
      const led = path === "events/8.json.ots" ? [] : ["bitcoin events/8.json.ots"];
      expect(failures(report).map(({ topic, subject }) => `${topic} ${subject}`)).toEqual([
        `bitcoin ${path}`,
        ...led,
      ]);
      expect(of(report, "bitcoin").filter(({ subject }) => subject === path)).toHaveLength(1);
    }
  });

  test.each([
    ["an empty file", () => new Uint8Array()],
    ["junk", () => bytesOf("an answer")],
    ["the answer for something else", () => makeTimestamp(bytesOf("something else"))],
    ["one with something behind it", (answer: Bytes) => concat(answer, bytesOf("0"))],
    ["one that is cut off", (answer: Bytes) => answer.slice(0, -1)],
  ])("%s as the answer of an authority", async (_, change) => {
    const path = "anchors/9-freetsa.org.tsr";
    const report = await check((files) => files.set(path, change(read(files, path))));
    expect(failures(report).map(({ topic, subject }) => `${topic} ${subject}`)).toEqual([
      `authority ${path}`,
    ]);
    expect(of(report, "authority")).toHaveLength(1);
  });

  test.each([
    ["nothing", ""],
    ["junk", "a signature\n"],
    ["half a line", "\u2014 witness.example.org/w1 AAAAAAAA"],
  ])("%s as the signature of a witness", async (_, line) => {
    const path = "anchors/9-calendar.cosigned";
    const report = await check((files) => {
      files.set(path, concat(read(files, "anchors/9-calendar.checkpoint"), bytesOf(line)));
    });
    expect(lines(failures(report))).toEqual([
      `witness ${path} fails: It is not its checkpoint with signatures of witnesses.`,
    ]);
  });

  test("a stamp without its checkpoint, and the other way round", async () => {
    const report = await check((files) => {
      files.delete("anchors/9-freetsa.org.checkpoint");
      files.delete("anchors/9-calendar.ots");
    });
    expect(lines(failures(report))).toEqual([
      "files anchors/9-calendar.checkpoint fails: Nothing stamps this checkpoint.",
      "files anchors/9-freetsa.org.tsr fails: Its checkpoint is missing.",
      "bitcoin events/8.json.ots fails: It does not lead where the stamp of a checkpoint leads.",
    ]);
  });
});

test("a bundle of a newer format says so", async () => {
  const files = makeFiles();
  const index = { v: 3, files: {} };
  files.set("bundle.json", bytesOf(writeCanonical(index)));
  const report = await verifyBundle(zipped(files));
  expect(lines(failures(report))[0]).toMatch(
    /^files bundle.json fails: The bundle has a newer format than this page knows/,
  );
});

test("a check can be stopped", async () => {
  const abort = new AbortController();
  abort.abort();
  await expect(verifyBundle(makeBundle(), { signal: abort.signal })).rejects.toThrow();
});

test("digests of the test's tools are those of everybody", () => {
  expect(digest(bytesOf("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
