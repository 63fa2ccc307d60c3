/** The instructions in a bundle, which nobody signs: they follow from its other files. */
import { bytesOf, sameBytes } from "./bytes";
import { digestOf } from "./hash";
import { INDEX } from "./layout";
import { commands } from "./messages";

/** SHA-256 of what the instructions of all bundles begin with. */
export const README = "c129019bcdc56e4f11821bd8063447b771c0b65507a3e79d6902b31e80a40926";

/** SHA-256 of the script that comes with this version. */
export const SCRIPT_DIGEST = "aed8834771c4c6c4f97c9e8cba6bfed34057bb47a1cc38485f98462795960ab8";

/** Paths of the instructions and of the script. */
export const INSTRUCTIONS = "README.txt";
export const SCRIPT = "verify.py";

/** Whether a file is the instructions for the other files. */
export async function isReadme(
  file: Uint8Array<ArrayBuffer>,
  ...ending: Parameters<typeof readmeEnding>
): Promise<boolean> {
  const end = bytesOf(readmeEnding(...ending));
  const start = file.slice(0, Math.max(0, file.length - end.length));
  return sameBytes(file.subarray(start.length), end) && (await digestOf(start)) === README;
}

/** Returns what the instructions say below the text that is the same in all bundles. */
export function readmeEnding(
  idea: string,
  vkey: string,
  paths: readonly string[],
  missing: readonly string[],
): string {
  const others = paths.filter((path) => ![INDEX, INSTRUCTIONS, SCRIPT].includes(path));
  const lines = [
    `Idea: ${idea}`,
    `Key in this folder: ${vkey}`,
    ...missing.map((path) => `Missing: ${path}`),
    ...others.flatMap((path) => commandFor(path) ?? []).map((command) => `  ${command}`),
  ];
  return `${lines.join("\n")}\n`;
}

function commandFor(path: string): string | null {
  const stem = path.slice(0, path.lastIndexOf("."));
  if (/^(log\d+\/)?(idea|agreements|disclosures)\//.test(path)) return `sha256sum ${path}`;
  const [, at] = /^(log\d+\/|)log\/checkpoint\.sig$/.exec(path) ?? [];
  if (at !== undefined) return commands.signature(at);
  if (path.endsWith(".tsr")) return commands.authority(`${stem}.checkpoint`, path);
  if (path.endsWith(".json.ots")) return commands.stamp(path);
  return path.endsWith(".ots") ? commands.stamp(path, `${stem}.checkpoint`) : null;
}
