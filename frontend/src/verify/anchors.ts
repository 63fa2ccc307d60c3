/**
 * Confirmations of the time by outsiders. Only the checkpoints that they stamp and the form of the
 * stamps are checked: what they are worth takes certificates of the authority, the key of the
 * witness, or a view of Bitcoin, from elsewhere.
 */
import { sameBytes } from "./bytes";
import { parseCheckpoint } from "./checkpoint";
import { anchoredSize } from "./layout";
import { type Log, stateProblem } from "./log";
import { commands, messages } from "./messages";
import { stampEnds, stampProblem, timestampProblem } from "./stamps";
import type { Verifier } from "./verifier";

export async function verifyAnchors(verifier: Verifier, log: Log): Promise<void> {
  const { bundle } = verifier;
  const pathOf = (name: string, ending: string) => `${log.prefix}anchors/${name}.${ending}`;
  const files = verifier.filesOf(log.prefix);
  const answers = files.filter(([, file]) => file.kind === "authority").length;
  const attested = new Set<string>();
  for (const [path, file] of files) {
    if (file.kind === "anchored") {
      const isStamped = ["tsr", "ots", "cosigned"].some((ending) =>
        bundle.has(pathOf(file.name, ending)),
      );
      if (!isStamped) verifier.fails("files", path, messages.files.notStamped);
      const bytes = await verifier.read("consistency", path);
      if (!bytes) continue;
      const checkpoint = parseCheckpoint(bytes);
      const isNamed = checkpoint?.size === anchoredSize(file.name);
      verifier.check(
        "consistency",
        path,
        (!checkpoint && messages.checkpoint.malformed) ||
          (!isNamed && messages.checkpoint.anchoredName) ||
          (checkpoint && (await stateProblem(log, checkpoint))),
      );
    } else if (file.kind === "authority" || file.kind === "calendar" || file.kind === "cosigned") {
      const stamped = pathOf(file.name, "checkpoint");
      if (bundle.has(stamped)) {
        const ends = await verifyStamp(verifier, file.kind, path, stamped);
        for (const end of ends) attested.add(end);
      } else verifier.fails("files", path, messages.files.noCheckpoint);
    } else if (file.kind === "root") {
      const isOfAnswer = file.number > 0 && file.number <= answers;
      if (isOfAnswer) verifier.unknown("files", path, messages.anchors.root);
      else verifier.fails("files", path, messages.anchors.noAnswer);
    }
  }
  // One submission to a calendar serves a checkpoint and the events below it.
  for (const [path, file] of files) {
    const recorded = file.kind === "eventStamp" && log.events.get(file.place);
    // The client finds the event by the name.
    if (recorded) await verifyStamp(verifier, "eventStamp", path, recorded.path, attested);
  }
}

/** Checks of each kind of stamp. */
const kinds = {
  authority: {
    topic: "authority",
    problem: timestampProblem,
    open: messages.anchors.authority,
    command: (path: string, stamped: string) => commands.authority(stamped, path),
  },
  calendar: {
    topic: "bitcoin",
    problem: stampProblem,
    open: messages.anchors.bitcoin,
    command: (path: string, stamped: string) => commands.stamp(path, stamped),
  },
  eventStamp: {
    topic: "bitcoin",
    problem: stampProblem,
    open: messages.anchors.bitcoin,
    command: (path: string) => commands.stamp(path),
  },
  cosigned: {
    topic: "witness",
    problem: cosignedProblem,
    open: messages.anchors.witness,
    command: () => commands.witness,
  },
} as const;

async function verifyStamp(
  verifier: Verifier,
  kind: keyof typeof kinds,
  path: string,
  stampedPath: string,
  attested?: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { topic, problem, open, command } = kinds[kind];
  const stamp = await verifier.read(topic, path);
  const stamped = await verifier.read(topic, stampedPath);
  if (!stamp || !stamped) return [];
  const found = problem(stamp, stamped, stampedPath);
  if (found) {
    verifier.fails(topic, path, found);
    return [];
  }
  const ends = topic === "bitcoin" ? stampEnds(stamp) : [];
  const isElsewhere = attested && !ends.every(({ text }) => attested.has(text));
  const isNothing = topic === "bitcoin" && !ends.some(({ isKnown }) => isKnown);
  if (isElsewhere) verifier.fails(topic, path, messages.anchors.otherBlock);
  else if (isNothing) verifier.unknown("files", path, messages.anchors.noBlock);
  else verifier.unknown(topic, path, open, command(path, stampedPath));
  return ends.map(({ text }) => text);
}

/** Returns why a file is not a checkpoint with lines of witnesses below it. */
function cosignedProblem(cosigned: Uint8Array, note: Uint8Array): string | null {
  const isBelow = sameBytes(cosigned.subarray(0, note.length), note);
  // The lines of witnesses have the form of those of the log.
  const isSigned = isBelow && cosigned.length > note.length && parseCheckpoint(cosigned);
  return isSigned ? null : messages.anchors.cosigned;
}
