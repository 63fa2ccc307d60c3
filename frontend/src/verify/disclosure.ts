/** Disclosures: the facts behind the digests of an event. */
import { isDigest } from "./bytes";
import { isObject, type Json, type Parsed, parseCanonical, unknownField } from "./canonical";
import { isSalt } from "./event";
import { messages } from "./messages";

type Check = (value: Json | undefined) => boolean;

const isText: Check = (value) => typeof value === "string";
const isOptional: Check = (value) => value === undefined || isText(value);
const isGiven: Check = (value) => isOptional(value) && value !== "";
const isFile: Check = (value) => fits(value, { name: isText, mediaType: isText, sha256: isDigest });
const isKind: Check = (value) => value === undefined || value === "one-way" || value === "mutual";
const isLanguage: Check = (value) =>
  value === undefined ||
  (typeof value === "string" && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(value));
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
  agreement: {
    template: isText,
    version: isText,
    sha256: isDigest,
    kind: isKind,
    language: isLanguage,
  },
  terms: { sha256: isDigest },
  person: {
    name: isText,
    email: isText,
    phone: isOptional,
    identity: isText,
    confirmedAt: isOptional,
    company: isGiven,
    role: isGiven,
    provider: isGiven,
  },
  origin: { address: isText, browser: isOptional },
  file: {
    name: isText,
    mediaType: isText,
    sha256: isDigest,
    original: (value) => value === undefined || isDigest(value),
  },
  comment: { author: isText, sha256: isDigest },
  signatory: { name: isText, company: isGiven, role: isGiven },
  sources: { files: areFiles },
};

/** Whether the members of a disclosure fit each other. */
const isConsistent = (facts: { [field: string]: Json }): boolean =>
  (facts.kind === undefined) === (facts.language === undefined) &&
  (facts.company === undefined) === (facts.role === undefined) &&
  (facts.provider === undefined) === (facts.identity !== "provider-confirmed");

/** Whether a disclosure of version 1 has members of version 2. */
export const isExtended = ({ kind, company, provider, original }: Disclosed["facts"]): boolean =>
  [kind, company, provider, original].some((member) => member !== undefined);

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
  if (shape && !(fits(value, { ...shape, salt: isText }) && isConsistent(value))) {
    return { problem: messages.json.shape };
  }
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
