/**
 * The calls of public pages (accounts, the header, waitlist, idea search, the recipient flow), typed by the generated client
 * but without RTK Query, whose 20 KB those pages have no use for: they cache nothing.
 * Nothing here throws; each call gives `{ data }` or `{ error }`.
 */
import type {
  Comment,
  CommentBody,
  LoginBody,
  LoginView,
  Recipient,
  RecipientBody,
  RegisterBody,
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

/** Who asks to be let into the private beta. */
interface WaitlistBody {
  name: string;
  email: string;
  profession: string;
}

export const publicClient = {
  /** Nobody signed in is a 401. */
  currentUser: () => send<User>({ url: "/api/auth/me" }),

  logout: () => send<SuccessView>({ url: "/api/auth/logout", method: "POST", body: {} }),

  login: (body: LoginBody) => send<LoginView>({ url: "/api/auth/login", method: "POST", body }),

  register: (body: RegisterBody) => send<User>({ url: "/api/auth/register", method: "POST", body }),

  /** Answers the same for known and unknown addresses. */
  forgotPassword: (body: { email: string }) =>
    send<SuccessView>({ url: "/api/auth/forgot-password", method: "POST", body }),

  /** A token that is used, replaced, too old or unknown is a 400 that blames no other field. */
  resetPassword: (body: { token: string; newPassword: string }) =>
    send<ResetView>({ url: "/api/auth/reset-password", method: "POST", body }),

  /** A token that was used before is a 409, one that is replaced, too old or unknown a 400. */
  confirmEmail: (body: { token: string }) =>
    send<SuccessView>({ url: "/api/auth/confirm-email", method: "POST", body }),

  joinWaitlist: (body: WaitlistBody) =>
    send<SuccessView>({ url: "/api/waitlist", method: "POST", body }),

  /** Citations come from outside: check them before linking. */
  searchIdeas: (body: SearchBody, signal: AbortSignal) =>
    send<SearchAnswer>({ url: "/api/ai-search", method: "POST", body, signal }),

  /** A dead, revoked, expired or unknown link is a 404. */
  openShare: (token: string, signal?: AbortSignal) =>
    send<SharedIdea>({ url: `/api/share/${segment(token)}`, signal }),

  closeShare: (token: string) =>
    send<null>({ url: `/api/share/${segment(token)}/close`, method: "POST", body: {} }),

  /** Once agreed to, it cannot be declined any more. */
  declineAgreement: (token: string) =>
    send<null>({ url: `/api/share/${segment(token)}/decline`, method: "POST", body: {} }),

  registerRecipient: (body: RecipientBody) =>
    send<Recipient>({ url: "/api/recipients", method: "POST", body }),

  /** A code that is wrong, used up or too old is a 400 on the field. */
  verifyRecipient: (recipientId: string, code: string) =>
    send<Recipient>({
      url: `/api/recipients/${segment(recipientId)}/verify`,
      method: "POST",
      body: { code },
    }),

  /** The code before stops working. */
  sendCode: (recipientId: string) =>
    send<Verification>({ url: `/api/recipients/${segment(recipientId)}/code`, method: "POST" }),

  agreeToNda: (recipientId: string) =>
    send<Recipient>({
      url: `/api/recipients/${segment(recipientId)}/nda`,
      method: "PUT",
      body: { agreed: true },
    }),

  /** Without an idea: every comment the caller may read. */
  listComments: (ideaId?: number) => send<Comment[]>({ url: "/api/comments", params: { ideaId } }),

  createComment: (body: CommentBody) =>
    send<Comment>({ url: "/api/comments", method: "POST", body }),
};
