import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { Server } from "./server";

/**
 * Waits for an email to this address that holds these words, and returns the text of the newest.
 * Others may be on their way to the same address.
 */
export function mailTo(server: Server, address: string, words: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const found = (await mails(server)).findLast(
        (mail) => mail.includes(`To: ${address}`) && mail.includes(words),
      );
      if (found === undefined) throw new Error(`no mail with ${words} to ${address}`);
      return found;
    },
    { timeout: 60_000 },
  );
}

/** Waits for a code emailed to this address and returns the newest, other than `not`. */
export function codeTo(server: Server, address: string, not?: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const codes = (await mails(server))
        .filter((mail) => mail.includes(`To: ${address}`))
        .map((mail) => /^ {4}(\d{6})\s*$/m.exec(mail)?.[1]);
      const code = codes.findLast((each) => each !== undefined);
      if (code === undefined || code === not) throw new Error(`no new code for ${address}`);
      return code;
    },
    { timeout: 60_000 },
  );
}

/** Returns all emails, oldest first: their file names sort by time. */
async function mails({ dataDir }: Server): Promise<string[]> {
  const outbox = join(dataDir, "outbox");
  const names = await readdir(outbox).catch(() => []);
  const emails = names.filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(emails.map((name) => readFile(join(outbox, name), "utf8")));
}

/** Waits for an email to this address with a link to this path of the server; returns the link. */
export async function linkTo(server: Server, address: string, path: string): Promise<string> {
  return linkIn(await mailTo(server, address, server.url + path), server.url, path);
}

/** Finds the link to this path of the server in an email. */
export function linkIn(mail: string, url: string, path: string): string {
  const link = mail.split(/\s+/).find((word) => word.startsWith(`${url}${path}`));
  if (link === undefined) throw new Error(`no ${path} in ${mail}`);
  return link;
}
