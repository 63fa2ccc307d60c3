import { expect } from "vitest";
import type { Account } from "../pages/creator";
import type { Details } from "../pages/recipient";
import { api } from "./api";
import type { Person } from "./browser";
import type { Upload } from "./files";

/** Test data, created by the same API calls that the pages make. */

/** Registers and logs in; the person's browser then has the session. */
export async function signIn(person: Person, account: Account): Promise<void> {
  await post(person, "/api/auth/register", account);
  await post(person, "/api/auth/login", { email: account.email, password: account.password });
}

/** Saves a draft and returns its id. */
export async function saveDraft(person: Person, title: string, content: unknown): Promise<number> {
  const { id } = await post<{ id: number }>(person, "/api/ideas", { title, content });
  return id;
}

/** Creates an idea from a PDF and returns its id. */
export async function importPdf(person: Person, file: Upload, title: string): Promise<number> {
  const answer = await api(person.context).post("/api/ideas/pdf", {
    multipart: { file, title },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { id }: { id: number } = await answer.json();
  return id;
}

export async function publish(person: Person, ideaId: number): Promise<void> {
  const answer = await api(person.context).put(`/api/ideas/${ideaId}/publish`);
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Turns the public record of a published idea on, and returns its document id. */
export async function putOnPublicRecord(person: Person, ideaId: number): Promise<string> {
  const request = api(person.context);
  const path = `/api/ideas/${ideaId}`;
  const answer = await request.put(`${path}/public-record`, { data: { enabled: true } });
  expect(answer.status(), await answer.text()).toBe(200);
  const { documentId } = await (await request.get(path)).json();
  return documentId;
}

/** Creates a link with unlimited views and returns its token. */
export const shareFully = (person: Person, ideaId: number): Promise<string> =>
  share(person, { ideaId, shareType: "full-access" });

/** Returns the id of an own link. */
export async function idOfLink(person: Person, token: string): Promise<string> {
  const answer = await api(person.context).get(`/api/shares/by-token/${token}`);
  const { id } = await answer.json();
  return id;
}

/** Creates a link for one address and returns its token. */
export const shareWith = (
  person: Person,
  ideaId: number,
  recipientEmail: string,
): Promise<string> => share(person, { ideaId, shareType: "email", recipientEmail });

async function share(person: Person, terms: object): Promise<string> {
  const { accessLink } = await post<{ accessLink: string }>(person, "/api/shares", terms);
  return accessLink;
}

/** Submits details and returns the id of the registration; the agreement comes next. */
export async function giveDetailsTo(
  person: Person,
  token: string,
  details: Details,
): Promise<string> {
  expect((await api(person.context).get(`/api/share/${token}`)).status()).toBe(200);
  const body = { ...details, accessToken: token };
  const { id } = await post<{ id: string }>(person, "/api/recipients", body);
  return id;
}

/**
 * Submits details and accepts the agreement; the person's browser may then read the idea. Returns the
 * id of the registration.
 */
export async function agreeTo(person: Person, token: string, details: Details): Promise<string> {
  const request = api(person.context);
  const id = await giveDetailsTo(person, token, details);
  const answer = await request.put(`/api/recipients/${id}/nda`, { data: { agreed: true } });
  expect(answer.status(), await answer.text()).toBe(200);
  return id;
}

async function post<Answer>(person: Person, path: string, data: unknown): Promise<Answer> {
  const answer = await api(person.context).post(path, { data });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.json();
}
