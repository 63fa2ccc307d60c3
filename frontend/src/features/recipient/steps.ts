/**
 * The steps that give the browser another key. When the answer with it is lost, the same step under
 * the same secret gives it again; that is kept in the session storage for a page that is loaded anew.
 */
import { toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { Recipient, RecipientBody } from "@/api/generated";
import { type ApiResult, mayHaveArrived } from "@/api/http";
import { randomKey } from "@/api/requestKeys";
import { readStored, removeStored, store } from "@/browser/storage";
import type { AppDispatch } from "@/store/store";
import type { Thunk } from "@/store/thunk";

const { registerRecipient, verifyRecipient, agreeToNda } = api.endpoints;

const STORED = "ideavault.step";

/** A step on a share. */
type Step = { token: string } & (
  | { kind: "register" }
  | { kind: "verify"; recipientId: string; code: string }
  | { kind: "agree"; recipientId: string }
);

/** A step with its secret. */
type NamedStep = Step & { key: string };

/** The step whose answer has not arrived; also here, because the storage may be blocked. */
let open: NamedStep | null = read();

/** Registers the recipient. Other details under the same secret are another request. */
export const register = (token: string, recipientBody: RecipientBody) =>
  take({ token, kind: "register" }, (dispatch, key) =>
    dispatch(registerRecipient.initiate({ recipientBody, ...named(key) }, UNTRACKED)),
  );

/** Confirms the recipient's address. */
export const verify = (token: string, recipientId: string, code: string) =>
  take({ token, kind: "verify", recipientId, code }, (dispatch, key) => {
    const body = { id: recipientId, codeBody: { code } };
    return dispatch(verifyRecipient.initiate({ ...body, ...named(key) }, UNTRACKED));
  });

/** Accepts the agreement. */
export const agree = (token: string, recipientId: string) =>
  take({ token, kind: "agree", recipientId }, (dispatch, key) => {
    const body = { id: recipientId, ndaBody: { agreed: true } };
    return dispatch(agreeToNda.initiate({ ...body, ...named(key) }, UNTRACKED));
  });

/** The answers are not cached: the share has the recipient. */
const UNTRACKED = { track: false };

/** Names a request, so that it can be sent again. */
const named = (key: string) => ({ "Idempotency-Key": key });

/**
 * Gets the browser's key if the server has moved the recipient on with a step whose answer was lost:
 * then it does not know the browser by its former key. Resolves to whether it did.
 */
export const recoverStep =
  (token: string): Thunk<boolean> =>
  async (dispatch) => {
    const step = open;
    if (step?.token !== token || step.kind === "register") return false;
    const { recipientId } = step;
    const again =
      step.kind === "verify" ? verify(token, recipientId, step.code) : agree(token, recipientId);
    return (await dispatch(again)).error === undefined;
  };

type Answer = Parameters<typeof toResult<Recipient>>[0];

const take =
  (
    wanted: Step,
    send: (dispatch: AppDispatch, key: string) => PromiseLike<Answer>,
  ): Thunk<ApiResult<Recipient>> =>
  async (dispatch) => {
    const known = open && JSON.stringify({ ...wanted, key: open.key }) === JSON.stringify(open);
    const step = { ...wanted, key: (known && open?.key) || randomKey() };
    keep(step);
    const answer = toResult(await send(dispatch, step.key));
    if (open === step && !mayHaveArrived(answer.error)) keep(null);
    return answer;
  };

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
