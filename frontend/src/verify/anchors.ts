/**
 * Confirmations of the time by outsiders. Here only the checkpoints that they stamp are checked: for
 * the stamps one needs certificates of the authority, the key of the witness, or a view of Bitcoin,
 * from elsewhere.
 */
import { sameBytes } from "./bytes";
import { parseCheckpoint } from "./checkpoint";
import { filesOf, type Log, stateProblem } from "./log";
import { commands, messages } from "./messages";
import type { Verifier } from "./verifier";

export async function verifyAnchors(verifier: Verifier, log: Log): Promise<void> {
  const { bundle } = verifier;
  const files = filesOf(bundle, log.prefix);
  const pathOf = (name: string, ending: string) => `${log.prefix}anchors/${name}.${ending}`;
  for (const [path, file] of files) {
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
      if (!bundle.has(stamped)) verifier.fails("files", path, messages.files.noCheckpoint);
      else if (file.kind === "cosigned") {
        const [note, cosigned] = await Promise.all([
          verifier.read("witness", stamped),
          verifier.read("witness", path),
        ]);
        if (!note || !cosigned) continue;
        // The signatures follow the checkpoint that they are for.
        if (sameBytes(cosigned.subarray(0, note.length), note)) {
          verifier.unknown("witness", path, messages.anchors.witness, commands.witness);
        } else verifier.fails("witness", path, messages.anchors.cosigned);
      } else if (file.kind === "calendar") {
        const command = commands.stamp(path, stamped);
        verifier.unknown("bitcoin", path, messages.anchors.bitcoin, command);
      } else {
        const command = commands.authority(stamped, path);
        verifier.unknown("authority", path, messages.anchors.authority, command);
      }
    } else if (file.kind === "eventStamp" && log.events.has(file.place)) {
      // The client finds the event by the name.
      verifier.unknown("bitcoin", path, messages.anchors.bitcoin, commands.stamp(path));
    }
  }
}
