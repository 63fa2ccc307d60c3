/**
 * Calls of public pages (accounts, the header, waitlist, idea search), typed by the generated client
 * but without RTK Query, whose 20 KB those pages do not need: they cache nothing. Nothing here
 * throws; each call resolves to `{ data }` or `{ error }`.
 */
import type {
  ConfirmationView,
  ConfirmEmailBody,
  LoginBody,
  LoginView,
  RegisterBody,
  ResetLookView,
  ResetPasswordBody,
  ResetView,
  SearchAnswer,
  SearchBody,
  SuccessView,
  User,
} from "./generated";
import { send } from "./http";

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
};
