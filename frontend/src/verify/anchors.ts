/**
 * Confirmations of the time by outsiders. Only the checkpoints that they stamp and the form of the
 * stamps are checked: what they are worth takes certificates of the authority, the key of the
 * witness, or a view of Bitcoin, from elsewhere.
 */
import { sameBytes } from "./bytes";
import { parseCheckpoint } from "./checkpoint";
import { type Log, stateProblem } from "./log";
import { commands, messages } from "./messages";
import { stampProblem, timestampProblem } from "./stamps";
import type { Verifier } from "./verifier";

export async function verifyAnchors(verifier: Verifier, log: Log): Promise<void> {
  const { bundle } = verifier;
  const pathOf = (name: string, ending: string) => `${log.prefix}anchors/${name}.${ending}`;
  for (const [path, file] of verifier.filesOf(log.prefix)) {
    if (file.kind === "anchored") {
      const isStamped = ["tsr", "ots", "cosigned"].some((ending) =>
        bundle.has(pathOf(file.name, ending)),
      );
      if (!isStamped) verifier.fails("files", path, messages.files.notStamped);
      const bytes = await verifier.read("consistency", path);
      if (!bytes) continue;
      const checkpoint = parseCheckpoint(bytes);
      verifier.check(
        "consistency",
        path,
        checkpoint ? await stateProblem(log, checkpoint) : messages.checkpoint.malformed,
      );
    } else if (file.kind === "authority" || file.kind === "calendar" || file.kind === "cosigned") {
      const stamped = pathOf(file.name, "checkpoint");
      if (bundle.has(stamped)) await verifyStamp(verifier, file.kind, path, stamped);
      else verifier.fails("files", path, messages.files.noCheckpoint);
    } else if (file.kind === "eventStamp") {
      const recorded = log.events.get(file.place);
      // The client finds the event by the name.
      if (recorded) await verifyStamp(verifier, file.kind, path, recorded.path);
    }
  }
}

/** What is checked of each kind of stamp. */
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
): Promise<void> {
  const { topic, problem, open, command } = kinds[kind];
  const stamp = await verifier.read(topic, path);
  const stamped = await verifier.read(topic, stampedPath);
  if (!stamp || !stamped) return;
  const found = problem(stamp, stamped, stampedPath);
  if (found) verifier.fails(topic, path, found);
  else verifier.unknown(topic, path, open, command(path, stampedPath));
}

/** Returns why a file is not a checkpoint with lines of witnesses below it. */
function cosignedProblem(cosigned: Uint8Array, note: Uint8Array): string | null {
  const isBelow = sameBytes(cosigned.subarray(0, note.length), note);
  // The lines of witnesses have the form of those of the log.
  const isSigned = isBelow && cosigned.length > note.length && parseCheckpoint(cosigned);
  return isSigned ? null : messages.anchors.cosigned;
}
