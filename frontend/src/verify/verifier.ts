import type { Bytes } from "./bytes";
import type { VerifierKey } from "./checkpoint";
import { escaped } from "./escape";
import type { BundleFiles } from "./files";
import { type Layout, type LogFile, layoutOf } from "./layout";
import type { Claim, Outcome, Topic } from "./report";
import { type Limits, ZipError } from "./zip";

/** How long to work before the page may draw, in milliseconds. */
const STRETCH_MS = 12;

/** Knowledge of the caller from elsewhere. */
export interface Options {
  /** The log's key. */
  readonly key?: VerifierKey | null;
  /** Time in milliseconds, to point out events of the future. */
  readonly now?: number;
  readonly limits?: Limits;
  /** Called with each claim as it is checked. */
  readonly onClaim?: (claim: Claim) => void;
  readonly signal?: AbortSignal;
}

/** Collects the claims about a bundle. */
export class Verifier {
  readonly claims: Claim[] = [];
  /** Version of the bundle's format. */
  version = 2;
  /** Paths of disclosures that the bundle's holder does not get. */
  readonly withheld = new Set<string>();
  /** Paths of files that the vault could not read when it made the bundle. */
  readonly missing = new Set<string>();
  /** Number of events that had no place in the log then. */
  pending = 0;
  readonly layout: Layout;
  #pausedAt = performance.now();

  constructor(
    readonly bundle: BundleFiles,
    readonly options: Options,
  ) {
    this.layout = layoutOf(bundle.paths);
  }

  /** Returns the files of one log with their paths. */
  filesOf(prefix: string): readonly [string, LogFile][] {
    return this.layout.logs.get(prefix) ?? [];
  }

  holds(topic: Topic, subject: string, note?: string): void {
    this.#claim(topic, subject, { kind: "holds" }, note);
  }

  fails(topic: Topic, subject: string, reason: string): void {
    this.#claim(topic, subject, { kind: "fails", reason });
  }

  unknown(topic: Topic, subject: string, reason: string, command?: string): void {
    this.#claim(topic, subject, { kind: "unknown", reason, command });
  }

  /** Adds that a claim holds, or the problem with it; returns whether it holds. */
  check(topic: Topic, subject: string, problem: string | null | undefined | false): boolean {
    if (problem) this.fails(topic, subject, problem);
    else this.holds(topic, subject);
    return !problem;
  }

  /** Reads a file, or adds why it cannot be read. */
  async read(topic: Topic, path: string): Promise<Bytes | null> {
    await this.#pause();
    try {
      return await this.bundle.read(path);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      this.fails(topic, path, error.message);
      return null;
    }
  }

  #claim(topic: Topic, subject: string, outcome: Outcome, note?: string): void {
    const claim = {
      topic,
      subject: escaped(subject),
      outcome: escapedOutcome(outcome),
      note: note && escaped(note),
    };
    this.claims.push(claim);
    this.options.onClaim?.(claim);
  }

  async #pause(): Promise<void> {
    this.options.signal?.throwIfAborted();
    if (performance.now() - this.#pausedAt < STRETCH_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#pausedAt = performance.now();
  }
}

function escapedOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === "holds") return outcome;
  const reason = escaped(outcome.reason);
  if (outcome.kind === "fails") return { ...outcome, reason };
  return { ...outcome, reason, command: outcome.command && escaped(outcome.command) };
}
