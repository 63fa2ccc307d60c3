/**
 * Calls of public pages (accounts, the header, waitlist, idea search, the recipient flow), typed by
 * the generated client but without RTK Query, whose 20 KB those pages do not need: they cache
 * nothing. Nothing here throws; each call resolves to `{ data }` or `{ error }`.
 */
import type {
  Comment,
  CommentBody,
  ConfirmationView,
  ConfirmEmailBody,
  LoginBody,
  LoginView,
  Recipient,
  RecipientBody,
  RegisterBody,
  ResetLookView,
  ResetPasswordBody,
  ResetView,
  SearchAnswer,
  SearchBody,
  SharedIdea,
  SuccessView,
  User,
  Verification,
} from "./generated";
import { send } from "./http";

const segment = encodeURIComponent;

/** Names a request, so that it can be sent again. */
const named = (key: string) => ({ "Idempotency-Key": key });

/** Request for access to the private beta. */
interface WaitlistBody {
  name: string;
  email: string;
  profession: string;
}

export const publicClient = {
  /** Fails with 401 when nobody is signed in. */
  currentUser: () => send<User>({ url: "/api/auth/me" }),

  logout: () => send<SuccessView>({ url: "/api/auth/logout", method: "POST", body: {} }),

  login: (body: LoginBody) => send<LoginView>({ url: "/api/auth/login", method: "POST", body }),

  register: (body: RegisterBody) => send<User>({ url: "/api/auth/register", method: "POST", body }),

  /** Responds alike for known and unknown addresses. */
  forgotPassword: (body: { email: string }) =>
    send<SuccessView>({ url: "/api/auth/forgot-password", method: "POST", body }),

  /** Fails with 400 and no field when the token is used, replaced, expired or unknown. */
  resetPassword: (body: ResetPasswordBody) =>
    send<ResetView>({ url: "/api/auth/reset-password", method: "POST", body }),

  /** Changes nothing, and does not say whether the link is dead. */
  lookAtReset: (body: { token: string }) =>
    send<ResetLookView>({ url: "/api/auth/reset-password/look", method: "POST", body }),

  /**
   * Changes nothing. Fails with 409 for a used token, with 400 for one that is replaced, expired or
   * unknown.
   */
  lookAtConfirmation: (body: { token: string }) =>
    send<ConfirmationView>({ url: "/api/auth/confirm-email/look", method: "POST", body }),

  /** Fails as `lookAtConfirmation`, and with 400 on `password` if it is missing or wrong. */
  confirmEmail: (body: ConfirmEmailBody) =>
    send<SuccessView>({ url: "/api/auth/confirm-email", method: "POST", body }),

  joinWaitlist: (body: WaitlistBody) =>
    send<SuccessView>({ url: "/api/waitlist", method: "POST", body }),

  /** Citations are untrusted: check them before linking. */
  searchIdeas: (body: SearchBody, signal: AbortSignal) =>
    send<SearchAnswer>({ url: "/api/ai-search", method: "POST", body, signal }),

  /** Fails with 404 when the link is used up, revoked, expired or unknown. */
  openShare: (token: string, signal?: AbortSignal) =>
    send<SharedIdea>({ url: `/api/share/${segment(token)}`, signal }),

  /**
   * Looks a link up like a browser that has never seen it, which opens no view. Fails with 404 when
   * the link opens none any more.
   */
  peekShare: (token: string) =>
    send<SharedIdea>({ url: `/api/share/${segment(token)}`, credentials: "omit" }),

  closeShare: (token: string) =>
    send<null>({ url: `/api/share/${segment(token)}/close`, method: "POST", body: {} }),

  /** Fails once the agreement was accepted. */
  declineAgreement: (token: string) =>
    send<null>({ url: `/api/share/${segment(token)}/decline`, method: "POST", body: {} }),

  registerRecipient: (body: RecipientBody, key: string) =>
    send<Recipient>({ url: "/api/recipients", method: "POST", body, headers: named(key) }),

  /** Fails with 400 on the field `code` when the code is wrong, used or expired. */
  verifyRecipient: (recipientId: string, code: string, key: string) =>
    send<Recipient>({
      url: `/api/recipients/${segment(recipientId)}/verify`,
      method: "POST",
      body: { code },
      headers: named(key),
    }),

  /** Invalidates the previous code. */
  sendCode: (recipientId: string) =>
    send<Verification>({ url: `/api/recipients/${segment(recipientId)}/code`, method: "POST" }),

  agreeToNda: (recipientId: string, key: string) =>
    send<Recipient>({
      url: `/api/recipients/${segment(recipientId)}/nda`,
      method: "PUT",
      body: { agreed: true },
      headers: named(key),
    }),

  /** Without an idea, lists every comment that the caller may read. */
  listComments: (ideaId?: number) => send<Comment[]>({ url: "/api/comments", params: { ideaId } }),

  createComment: (body: CommentBody, key: string) =>
    send<Comment>({ url: "/api/comments", method: "POST", body, headers: named(key) }),
};
