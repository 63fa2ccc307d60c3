/**
 * The steps that give the browser another key. When the answer with it is lost, the same step under
 * the same secret gives it again; that is kept in the session storage for a page that is loaded anew.
 */
import type { RecipientBody } from "@/api/generated";
import { type ApiResult, mayHaveArrived } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { randomKey } from "@/api/requestKeys";
import { readStored, removeStored, store } from "@/browser/storage";

const STORED = "ideavault.step";

/** A step on a link. */
type Step = { token: string } & (
  | { kind: "register" }
  | { kind: "verify"; recipientId: string; code: string }
  | { kind: "agree"; recipientId: string }
);

/** A step with its secret. */
type NamedStep = Step & { key: string };

/** The step whose answer has not arrived; also here, because the storage may be blocked. */
let open: NamedStep | null = read();

/** Registers the reader. Other details under the same secret are another request. */
export const register = (token: string, body: RecipientBody) =>
  take({ token, kind: "register" }, (key) => publicClient.registerRecipient(body, key));

/** Confirms the reader's address. */
export const verify = (token: string, recipientId: string, code: string) =>
  take({ token, kind: "verify", recipientId, code }, (key) =>
    publicClient.verifyRecipient(recipientId, code, key),
  );

/** Accepts the agreement. */
export const agree = (token: string, recipientId: string) =>
  take({ token, kind: "agree", recipientId }, (key) => publicClient.agreeToNda(recipientId, key));

/**
 * Gets the browser's key if the server has moved the reader on with a step whose answer was lost:
 * then it does not know the browser by its former key. Resolves to whether it did.
 */
export async function recoverStep(token: string): Promise<boolean> {
  const step = open;
  if (step?.token !== token || step.kind === "register") return false;
  const { recipientId } = step;
  const answer = await (step.kind === "verify"
    ? verify(token, recipientId, step.code)
    : agree(token, recipientId));
  return answer.error === undefined;
}

async function take<T>(
  wanted: Step,
  send: (key: string) => Promise<ApiResult<T>>,
): Promise<ApiResult<T>> {
  const known = open && JSON.stringify({ ...wanted, key: open.key }) === JSON.stringify(open);
  const step = { ...wanted, key: (known && open?.key) || randomKey() };
  keep(step);
  const answer = await send(step.key);
  if (open === step && !mayHaveArrived(answer.error)) keep(null);
  return answer;
}

function read(): NamedStep | null {
  try {
    return JSON.parse(readStored("sessionStorage", STORED) ?? "null");
  } catch {
    return null;
  }
}

function keep(step: NamedStep | null): void {
  open = step;
  if (step) store("sessionStorage", STORED, JSON.stringify(step));
  else removeStored("sessionStorage", STORED);
}
