/** Disclosures: the facts behind the digests of an event. */
import { isDigest } from "./bytes";
import { isObject, type Json, type Parsed, parseCanonical, unknownField } from "./canonical";
import { isSalt } from "./event";
import { messages } from "./messages";

type Check = (value: Json | undefined) => boolean;

const isText: Check = (value) => typeof value === "string";
const isOptional: Check = (value) => value === undefined || isText(value);
const isFile: Check = (value) => fits(value, { name: isText, mediaType: isText, sha256: isDigest });
const areFiles: Check = (value) => Array.isArray(value) && value.every(isFile);

/** The fields of each disclosure, besides its salt. Others only need a salt. */
const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  content: {
    title: isText,
    creator: isText,
    sha256: isDigest,
    documentId: isOptional,
    files: areFiles,
  },
  agreement: { template: isText, version: isText, sha256: isDigest },
  terms: { sha256: isDigest },
  person: {
    name: isText,
    email: isText,
    phone: isOptional,
    identity: isText,
    confirmedAt: isOptional,
  },
  origin: { address: isText, browser: isOptional },
  file: { name: isText, mediaType: isText, sha256: isDigest },
  comment: { author: isText, sha256: isDigest },
};

/** The facts of a disclosure, and the digests of the files that it names. */
export interface Disclosed {
  readonly facts: { readonly [field: string]: Json };
  readonly digests: readonly string[];
}

/** Parses a disclosure by its name. */
export function parseDisclosure(name: string, bytes: Uint8Array): Parsed<Disclosed> {
  const { value, problem } = parseCanonical(bytes);
  if (problem !== undefined) return { problem };
  if (!isObject(value) || !isSalt(value.salt)) return { problem: messages.disclosure.salt };
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  if (shape && !fits(value, { ...shape, salt: isText })) return { problem: messages.json.shape };
  return { value: { facts: value, digests: digestsOf(name, value) } };
}

function digestsOf(name: string, { sha256, files }: { [field: string]: Json }): string[] {
  if (name !== "content" && name !== "terms") return [];
  const others = Array.isArray(files) ? files.map((file) => isObject(file) && file.sha256) : [];
  return [sha256, ...others].filter(isDigest);
}

function fits(value: Json | undefined, shape: Readonly<Record<string, Check>>): boolean {
  if (!isObject(value) || unknownField(value, Object.keys(shape)) !== undefined) return false;
  return Object.entries(shape).every(([field, check]) => check(value[field]));
}
