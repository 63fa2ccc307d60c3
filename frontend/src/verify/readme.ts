/** The instructions in a bundle, which nobody signs: they follow from its other files. */
import { type Bytes, bytesOf, concat, sameBytes } from "./bytes";
import { digestOf } from "./hash";
import { commands } from "./messages";

/** SHA-256 of the part of the instructions that is the same in all bundles. */
export const README = "1509dc668f370eb7f9bb2133ba6eec21aebdaeb916a13499bec3b63018f05e4a";

/** SHA-256 of what those of version 1 begin with. */
const README_1 = "c129019bcdc56e4f11821bd8063447b771c0b65507a3e79d6902b31e80a40926";

/** SHA-256 of the script that comes with this version. */
export const SCRIPT_DIGEST = "34a0750493066f6fb1dd631bc5ed306ebc4de9635f51274e0d1c26b7afe976fd";

/** What the instructions follow from. */
interface Instructed {
  readonly idea: string;
  readonly vkey: string;
  /** Paths of all files, in order. */
  readonly paths: readonly string[];
  /** Paths of files that the bundle lacks, in order. */
  readonly missing: readonly string[];
}

/** Whether a file is the instructions for the other files, in a version of the format. */
export function isReadme(file: Bytes, version: number, bundle: Instructed): Promise<boolean> {
  const end = readmeEnding(bundle);
  return version === 1
    ? isAround(file, "", README_1, `Idea: ${bundle.idea}\n${end}`)
    : isAround(file, readmeBeginning(bundle), README, end);
}

/** Whether a file is a text with this SHA-256 between two others. */
export async function isAround(
  file: Bytes,
  before: string,
  digest: string,
  behind: string,
): Promise<boolean> {
  const [start, end] = [bytesOf(before), bytesOf(behind)];
  const middle = file.slice(start.length, Math.max(start.length, file.length - end.length));
  return sameBytes(file, concat(start, middle, end)) && (await digestOf(middle)) === digest;
}

/** Returns what the instructions say above the text that is the same in all bundles. */
export const readmeBeginning = ({ idea, vkey }: Instructed): string =>
  `Evidence of the idea ${idea}

To check it, drop this folder or its zip file on the page ${vkey.replace(/\/.*/, "")}/verify, in a browser, or on
that page of any vault that you trust.

`;

/** Returns what they say below it. */
export function readmeEnding({ vkey, paths, missing }: Instructed): string {
  const lines = [
    `Key in this folder: ${vkey}`,
    ...missing.map((path) => `Missing: ${path}`),
    ...paths.flatMap((path) => commandFor(path) ?? []).map((command) => `  ${command}`),
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
