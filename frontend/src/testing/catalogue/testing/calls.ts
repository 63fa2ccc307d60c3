import { waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { type App, serve } from "./steps";
import { type Reply, record, type SentCall } from "./wire";

/** How one call is triggered, sent and used. */
export interface CallRow {
  /** Path and query, with the parameters filled in. */
  readonly to: string;
  /** Request body: JSON, or the fields of a multipart form; absent for none. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, unknown>>;
  /** XMLHttpRequest cannot set this; every other call is never cached. */
  readonly cache?: RequestCache;
  /** The server's response. */
  readonly reply: Reply;
  /** Changes the server before the page opens. */
  readonly given?: () => void;
  /** User actions that trigger the call. */
  readonly make: () => Promise<App>;
  /** Checks what the page does with the response. */
  readonly used: (app: App, sent: readonly SentCall[]) => Promise<void> | void;
  /** Other responses, and what the page then shows. */
  readonly otherwise?: readonly {
    readonly reply: Reply;
    readonly shows: (app: App) => Promise<void>;
  }[];
}

/** Triggers the call and checks the complete request. */
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

/** Lists the other responses of a table, one test each. */
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
