import { waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { type App, serve } from "./steps";
import { type Reply, record, type SentCall } from "./wire";

/** How one call of section 7 is made, sent and used. */
export interface CallRow {
  /** Path and query, with the parameters filled in. */
  readonly to: string;
  /** The payload: JSON, or the fields of a multipart form; left out for none. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, unknown>>;
  /** An XMLHttpRequest has no say in this; everything else is never cached. */
  readonly cache?: RequestCache;
  /** What the server answers. */
  readonly reply: Reply;
  /** Changes the server before the page opens. */
  readonly given?: () => void;
  /** What somebody does to make the page send it. */
  readonly make: () => Promise<App>;
  /** What the page does with the answer. */
  readonly used: (app: App, sent: readonly SentCall[]) => Promise<void> | void;
  /** What it does with answers that section 8 says nothing about. */
  readonly otherwise?: readonly {
    readonly reply: Reply;
    readonly shows: (app: App) => Promise<void>;
  }[];
}

/** Makes the call, and checks every byte of it that the specification names. */
export async function checkCall(row: CallRow, call: string): Promise<void> {
  serve();
  row.given?.();
  const sent = record(call, row.reply);
  const app = await row.make();
  await waitFor(() => expect(sent).not.toHaveLength(0));
  expect(sent[0]).toEqual({
    to: row.to,
    credentials: "include",
    cache: row.cache ?? "no-store",
    type: row.form ? "multipart/form-data" : row.json === undefined ? null : "application/json",
    body: row.form ?? row.json,
  });
  await row.used(app, sent);
}

/** The other answers of a table, one test each. */
export const otherAnswers = (table: Readonly<Record<string, CallRow>>) =>
  Object.entries(table).flatMap(([call, row]) =>
    (row.otherwise ?? []).map(({ reply, shows }) => {
      const run = async () => {
        serve();
        row.given?.();
        const sent = record(call, reply);
        const app = await row.make();
        await waitFor(() => expect(sent).not.toHaveLength(0));
        await shows(app);
      };
      return [call, String(reply), run] as const;
    }),
  );
