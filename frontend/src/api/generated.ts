import { baseApi as api } from "./baseApi";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchIdeas: build.mutation<SearchIdeasApiResponse, SearchIdeasApiArg>({
      query: (queryArg) => ({
        url: `/api/ai-search`,
        method: "POST",
        body: queryArg.searchBody,
      }),
    }),
    askAssistant: build.mutation<AskAssistantApiResponse, AskAssistantApiArg>({
      query: (queryArg) => ({
        url: `/api/ai-writing-assistant`,
        method: "POST",
        body: queryArg.assistantBody,
      }),
    }),
    listAssets: build.query<ListAssetsApiResponse, ListAssetsApiArg>({
      query: () => ({ url: `/api/assets` }),
    }),
    deleteAsset: build.mutation<DeleteAssetApiResponse, DeleteAssetApiArg>({
      query: (queryArg) => ({
        url: `/api/assets/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    changePassword: build.mutation<ChangePasswordApiResponse, ChangePasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/change-password`,
        method: "POST",
        body: queryArg.changePasswordBody,
      }),
    }),
    confirmEmail: build.mutation<ConfirmEmailApiResponse, ConfirmEmailApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/confirm-email`,
        method: "POST",
        body: queryArg.confirmEmailBody,
      }),
    }),
    sendEmailConfirmation: build.mutation<
      SendEmailConfirmationApiResponse,
      SendEmailConfirmationApiArg
    >({
      query: () => ({ url: `/api/auth/confirm-email/resend`, method: "POST" }),
    }),
    forgotPassword: build.mutation<ForgotPasswordApiResponse, ForgotPasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/forgot-password`,
        method: "POST",
        body: queryArg.forgotPasswordBody,
      }),
    }),
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: "POST",
        body: queryArg.loginBody,
      }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/api/auth/logout`, method: "POST" }),
    }),
    getCurrentUser: build.query<GetCurrentUserApiResponse, GetCurrentUserApiArg>({
      query: () => ({ url: `/api/auth/me` }),
    }),
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/register`,
        method: "POST",
        body: queryArg.registerBody,
      }),
    }),
    resetPassword: build.mutation<ResetPasswordApiResponse, ResetPasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/reset-password`,
        method: "POST",
        body: queryArg.resetPasswordBody,
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      query: () => ({ url: `/api/auth/sessions` }),
    }),
    endSessions: build.mutation<EndSessionsApiResponse, EndSessionsApiArg>({
      query: () => ({ url: `/api/auth/sessions`, method: "DELETE" }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/sessions/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getTotp: build.query<GetTotpApiResponse, GetTotpApiArg>({
      query: () => ({ url: `/api/auth/totp` }),
    }),
    confirmTotp: build.mutation<ConfirmTotpApiResponse, ConfirmTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/totp`,
        method: "PUT",
        body: queryArg.totpCodeBody,
      }),
    }),
    beginTotp: build.mutation<BeginTotpApiResponse, BeginTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/totp`,
        method: "POST",
        body: queryArg.currentPasswordBody,
      }),
    }),
    removeTotp: build.mutation<RemoveTotpApiResponse, RemoveTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/totp`,
        method: "DELETE",
        body: queryArg.currentPasswordBody,
      }),
    }),
    replaceRecoveryCodes: build.mutation<
      ReplaceRecoveryCodesApiResponse,
      ReplaceRecoveryCodesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/totp/recovery-codes`,
        method: "POST",
        body: queryArg.currentPasswordBody,
      }),
    }),
    listComments: build.query<ListCommentsApiResponse, ListCommentsApiArg>({
      query: (queryArg) => ({
        url: `/api/comments`,
        params: {
          ideaId: queryArg.ideaId,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createComment: build.mutation<CreateCommentApiResponse, CreateCommentApiArg>({
      query: (queryArg) => ({
        url: `/api/comments`,
        method: "POST",
        body: queryArg.commentBody,
      }),
    }),
    editComment: build.mutation<EditCommentApiResponse, EditCommentApiArg>({
      query: (queryArg) => ({
        url: `/api/comments/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.commentEditBody,
      }),
    }),
    withdrawComment: build.mutation<WithdrawCommentApiResponse, WithdrawCommentApiArg>({
      query: (queryArg) => ({
        url: `/api/comments/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getFile: build.query<GetFileApiResponse, GetFileApiArg>({
      query: (queryArg) => ({
        url: `/api/files/${encodeURIComponent(String(queryArg.id))}`,
        params: {
          download: queryArg.download,
        },
      }),
    }),
    listIdeas: build.query<ListIdeasApiResponse, ListIdeasApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createIdea: build.mutation<CreateIdeaApiResponse, CreateIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas`,
        method: "POST",
        body: queryArg.ideaBody,
      }),
    }),
    importPdf: build.mutation<ImportPdfApiResponse, ImportPdfApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/pdf`,
        method: "POST",
        body: queryArg.pdfForm,
      }),
    }),
    getIdea: build.query<GetIdeaApiResponse, GetIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateIdea: build.mutation<UpdateIdeaApiResponse, UpdateIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.ideaUpdateBody,
      }),
    }),
    deleteIdea: build.mutation<DeleteIdeaApiResponse, DeleteIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listIdeaActivity: build.query<ListIdeaActivityApiResponse, ListIdeaActivityApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/activity`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    exportActivityCsv: build.query<ExportActivityCsvApiResponse, ExportActivityCsvApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/activity.csv`,
      }),
    }),
    exportActivityJson: build.query<ExportActivityJsonApiResponse, ExportActivityJsonApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/activity.json`,
      }),
    }),
    publishIdea: build.mutation<PublishIdeaApiResponse, PublishIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/publish`,
        method: "PUT",
        params: {
          baseRevision: queryArg.baseRevision,
        },
      }),
    }),
    listIdeaRevisions: build.query<ListIdeaRevisionsApiResponse, ListIdeaRevisionsApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/revisions`,
      }),
    }),
    getIdeaRevision: build.query<GetIdeaRevisionApiResponse, GetIdeaRevisionApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/revisions/${encodeURIComponent(String(queryArg["number"]))}`,
      }),
    }),
    listIdeaShares: build.query<ListIdeaSharesApiResponse, ListIdeaSharesApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/shares`,
      }),
    }),
    listNotices: build.query<ListNoticesApiResponse, ListNoticesApiArg>({
      query: (queryArg) => ({
        url: `/api/notices`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    readNotices: build.mutation<ReadNoticesApiResponse, ReadNoticesApiArg>({
      query: (queryArg) => ({
        url: `/api/notices/read`,
        method: "POST",
        body: queryArg.readNoticesBody,
      }),
    }),
    countUnreadNotices: build.query<CountUnreadNoticesApiResponse, CountUnreadNoticesApiArg>({
      query: () => ({ url: `/api/notices/unread` }),
    }),
    updateProfile: build.mutation<UpdateProfileApiResponse, UpdateProfileApiArg>({
      query: (queryArg) => ({
        url: `/api/profile`,
        method: "PUT",
        body: queryArg.profileBody,
      }),
    }),
    uploadProfileImage: build.mutation<UploadProfileImageApiResponse, UploadProfileImageApiArg>({
      query: (queryArg) => ({
        url: `/api/profile/image`,
        method: "POST",
        body: queryArg.profileImageForm,
      }),
    }),
    getNotificationSettings: build.query<
      GetNotificationSettingsApiResponse,
      GetNotificationSettingsApiArg
    >({
      query: () => ({ url: `/api/profile/notifications` }),
    }),
    updateNotificationSettings: build.mutation<
      UpdateNotificationSettingsApiResponse,
      UpdateNotificationSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/profile/notifications`,
        method: "PUT",
        body: queryArg.notificationSettingsBody,
      }),
    }),
    getStorage: build.query<GetStorageApiResponse, GetStorageApiArg>({
      query: () => ({ url: `/api/profile/storage` }),
    }),
    registerRecipient: build.mutation<RegisterRecipientApiResponse, RegisterRecipientApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients`,
        method: "POST",
        body: queryArg.recipientBody,
      }),
    }),
    getAgreement: build.query<GetAgreementApiResponse, GetAgreementApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/agreement.txt`,
      }),
    }),
    sendCode: build.mutation<SendCodeApiResponse, SendCodeApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/code`,
        method: "POST",
      }),
    }),
    agreeToNda: build.mutation<AgreeToNdaApiResponse, AgreeToNdaApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/nda`,
        method: "PUT",
        body: queryArg.ndaBody,
      }),
    }),
    verifyRecipient: build.mutation<VerifyRecipientApiResponse, VerifyRecipientApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/verify`,
        method: "POST",
        body: queryArg.codeBody,
      }),
    }),
    openShare: build.query<OpenShareApiResponse, OpenShareApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}`,
      }),
    }),
    closeShare: build.mutation<CloseShareApiResponse, CloseShareApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/close`,
        method: "POST",
      }),
    }),
    declineAgreement: build.mutation<DeclineAgreementApiResponse, DeclineAgreementApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/decline`,
        method: "POST",
      }),
    }),
    downloadShared: build.query<DownloadSharedApiResponse, DownloadSharedApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/download`,
      }),
    }),
    createShare: build.mutation<CreateShareApiResponse, CreateShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares`,
        method: "POST",
        body: queryArg.shareBody,
      }),
    }),
    renameShare: build.mutation<RenameShareApiResponse, RenameShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.shareChangeBody,
      }),
    }),
    revokeShare: build.mutation<RevokeShareApiResponse, RevokeShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    updateShareNotifications: build.mutation<
      UpdateShareNotificationsApiResponse,
      UpdateShareNotificationsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/shares/${encodeURIComponent(String(queryArg.id))}/notifications`,
        method: "PUT",
        body: queryArg.shareNotificationsBody,
      }),
    }),
    showUnsubscribe: build.query<ShowUnsubscribeApiResponse, ShowUnsubscribeApiArg>({
      query: (queryArg) => ({
        url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
      }),
    }),
    unsubscribe: build.mutation<UnsubscribeApiResponse, UnsubscribeApiArg>({
      query: (queryArg) => ({
        url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
        method: "POST",
      }),
    }),
    uploadImage: build.mutation<UploadImageApiResponse, UploadImageApiArg>({
      query: (queryArg) => ({
        url: `/api/upload/image`,
        method: "POST",
        body: queryArg.imageForm,
      }),
    }),
    joinWaitlist: build.mutation<JoinWaitlistApiResponse, JoinWaitlistApiArg>({
      query: (queryArg) => ({
        url: `/api/waitlist`,
        method: "POST",
        body: queryArg.waitlistBody,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedApi };
export type SearchIdeasApiResponse = /** status 200 undefined */ SearchAnswer;
export type SearchIdeasApiArg = {
  searchBody: SearchBody;
};
export type AskAssistantApiResponse = /** status 200 undefined */ AssistantAnswer;
export type AskAssistantApiArg = {
  assistantBody: AssistantBody;
};
export type ListAssetsApiResponse = /** status 200 undefined */ Asset[];
export type ListAssetsApiArg = void;
export type DeleteAssetApiResponse = unknown;
export type DeleteAssetApiArg = {
  id: string;
};
export type ChangePasswordApiResponse = /** status 200 undefined */ SuccessView;
export type ChangePasswordApiArg = {
  changePasswordBody: ChangePasswordBody;
};
export type ConfirmEmailApiResponse = /** status 200 undefined */ SuccessView;
export type ConfirmEmailApiArg = {
  confirmEmailBody: ConfirmEmailBody;
};
export type SendEmailConfirmationApiResponse = unknown;
export type SendEmailConfirmationApiArg = void;
export type ForgotPasswordApiResponse = /** status 200 undefined */ SuccessView;
export type ForgotPasswordApiArg = {
  forgotPasswordBody: ForgotPasswordBody;
};
export type LoginApiResponse = /** status 200 undefined */ LoginView;
export type LoginApiArg = {
  loginBody: LoginBody;
};
export type LogoutApiResponse = /** status 200 undefined */ SuccessView;
export type LogoutApiArg = void;
export type GetCurrentUserApiResponse = /** status 200 undefined */ User;
export type GetCurrentUserApiArg = void;
export type RegisterApiResponse = /** status 201 undefined */ User;
export type RegisterApiArg = {
  registerBody: RegisterBody;
};
export type ResetPasswordApiResponse = /** status 200 undefined */ ResetView;
export type ResetPasswordApiArg = {
  resetPasswordBody: ResetPasswordBody;
};
export type ListSessionsApiResponse = /** status 200 undefined */ Session[];
export type ListSessionsApiArg = void;
export type EndSessionsApiResponse = unknown;
export type EndSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  id: string;
};
export type GetTotpApiResponse = /** status 200 undefined */ Totp;
export type GetTotpApiArg = void;
export type ConfirmTotpApiResponse = /** status 200 undefined */ RecoveryCodes;
export type ConfirmTotpApiArg = {
  totpCodeBody: TotpCodeBody;
};
export type BeginTotpApiResponse = /** status 200 undefined */ TotpSetup;
export type BeginTotpApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type RemoveTotpApiResponse = unknown;
export type RemoveTotpApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type ReplaceRecoveryCodesApiResponse = /** status 200 undefined */ RecoveryCodes;
export type ReplaceRecoveryCodesApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type ListCommentsApiResponse = /** status 200 undefined */ Comment[];
export type ListCommentsApiArg = {
  /** The idea; by default all that the caller may read. */
  ideaId?: number;
  /** Most entries of the page. */
  limit?: number;
  /** Where the page begins: part of the address that `Link` names, and of no
    meaning to clients. */
  cursor?: string;
};
export type CreateCommentApiResponse = /** status 201 undefined */ Comment;
export type CreateCommentApiArg = {
  commentBody: CommentBody;
};
export type EditCommentApiResponse = /** status 200 undefined */ Comment;
export type EditCommentApiArg = {
  id: string;
  commentEditBody: CommentEditBody;
};
export type WithdrawCommentApiResponse = /** status 200 undefined */ Comment;
export type WithdrawCommentApiArg = {
  id: string;
};
export type GetFileApiResponse =
  | /** status 200 The whole file */ FileBytes
  | /** status 206 The part */ FileBytes;
export type GetFileApiArg = {
  id: string;
  /** `1`: as a download, not to be shown. */
  download?: string;
};
export type ListIdeasApiResponse = /** status 200 undefined */ ListedIdea[];
export type ListIdeasApiArg = {
  /** Most entries of the page. */
  limit?: number;
  /** Where the page begins: part of the address that `Link` names, and of no
    meaning to clients. */
  cursor?: string;
};
export type CreateIdeaApiResponse = /** status 201 undefined */ Idea;
export type CreateIdeaApiArg = {
  ideaBody: IdeaBody;
};
export type ImportPdfApiResponse = /** status 201 undefined */ Idea;
export type ImportPdfApiArg = {
  pdfForm: PdfForm;
};
export type GetIdeaApiResponse = /** status 200 undefined */ Idea;
export type GetIdeaApiArg = {
  id: number;
};
export type UpdateIdeaApiResponse = /** status 200 undefined */ Idea;
export type UpdateIdeaApiArg = {
  id: number;
  ideaUpdateBody: IdeaUpdateBody;
};
export type DeleteIdeaApiResponse = unknown;
export type DeleteIdeaApiArg = {
  id: number;
};
export type ListIdeaActivityApiResponse = /** status 200 undefined */ Activity[];
export type ListIdeaActivityApiArg = {
  id: number;
  /** Most entries of the page. */
  limit?: number;
  /** Where the page begins: part of the address that `Link` names, and of no
    meaning to clients. */
  cursor?: string;
};
export type ExportActivityCsvApiResponse = /** status 200 undefined */ string;
export type ExportActivityCsvApiArg = {
  id: number;
};
export type ExportActivityJsonApiResponse = /** status 200 undefined */ Activity[];
export type ExportActivityJsonApiArg = {
  id: number;
};
export type PublishIdeaApiResponse = /** status 200 undefined */ Idea;
export type PublishIdeaApiArg = {
  id: number;
  /** The revision that the creator has seen. With it, no newer one is
    published; without it, whatever is there. */
  baseRevision?: number;
};
export type ListIdeaRevisionsApiResponse = /** status 200 undefined */ Revision[];
export type ListIdeaRevisionsApiArg = {
  id: number;
};
export type GetIdeaRevisionApiResponse = /** status 200 undefined */ RevisionContent;
export type GetIdeaRevisionApiArg = {
  id: number;
  number: number;
};
export type ListIdeaSharesApiResponse = /** status 200 undefined */ Share[];
export type ListIdeaSharesApiArg = {
  id: number;
};
export type ListNoticesApiResponse = /** status 200 undefined */ Notice[];
export type ListNoticesApiArg = {
  /** Most entries of the page. */
  limit?: number;
  /** Where the page begins: part of the address that `Link` names, and of no
    meaning to clients. */
  cursor?: string;
};
export type ReadNoticesApiResponse = unknown;
export type ReadNoticesApiArg = {
  readNoticesBody: ReadNoticesBody;
};
export type CountUnreadNoticesApiResponse = /** status 200 undefined */ UnreadNotices;
export type CountUnreadNoticesApiArg = void;
export type UpdateProfileApiResponse = /** status 200 undefined */ User;
export type UpdateProfileApiArg = {
  profileBody: ProfileBody;
};
export type UploadProfileImageApiResponse = /** status 200 undefined */ User;
export type UploadProfileImageApiArg = {
  profileImageForm: ProfileImageForm;
};
export type GetNotificationSettingsApiResponse = /** status 200 undefined */ NotificationSettings;
export type GetNotificationSettingsApiArg = void;
export type UpdateNotificationSettingsApiResponse =
  /** status 200 undefined */ NotificationSettings;
export type UpdateNotificationSettingsApiArg = {
  notificationSettingsBody: NotificationSettingsBody;
};
export type GetStorageApiResponse = /** status 200 undefined */ Storage;
export type GetStorageApiArg = void;
export type RegisterRecipientApiResponse = /** status 201 undefined */ Recipient;
export type RegisterRecipientApiArg = {
  recipientBody: RecipientBody;
};
export type GetAgreementApiResponse = /** status 200 undefined */ string;
export type GetAgreementApiArg = {
  id: string;
};
export type SendCodeApiResponse = /** status 202 undefined */ Verification;
export type SendCodeApiArg = {
  id: string;
};
export type AgreeToNdaApiResponse = /** status 200 undefined */ Recipient;
export type AgreeToNdaApiArg = {
  id: string;
  ndaBody: NdaBody;
};
export type VerifyRecipientApiResponse = /** status 200 undefined */ Recipient;
export type VerifyRecipientApiArg = {
  id: string;
  codeBody: CodeBody;
};
export type OpenShareApiResponse = /** status 200 undefined */ SharedIdea;
export type OpenShareApiArg = {
  token: string;
};
export type CloseShareApiResponse = unknown;
export type CloseShareApiArg = {
  token: string;
};
export type DeclineAgreementApiResponse = unknown;
export type DeclineAgreementApiArg = {
  token: string;
};
export type DownloadSharedApiResponse = /** status 200 The file */ FileBytes;
export type DownloadSharedApiArg = {
  token: string;
};
export type CreateShareApiResponse = /** status 201 undefined */ Share;
export type CreateShareApiArg = {
  shareBody: ShareBody;
};
export type RenameShareApiResponse = unknown;
export type RenameShareApiArg = {
  id: string;
  shareChangeBody: ShareChangeBody;
};
export type RevokeShareApiResponse = unknown;
export type RevokeShareApiArg = {
  id: string;
};
export type UpdateShareNotificationsApiResponse = /** status 200 undefined */ ShareNotifications;
export type UpdateShareNotificationsApiArg = {
  id: string;
  shareNotificationsBody: ShareNotificationsBody;
};
export type ShowUnsubscribeApiResponse = unknown;
export type ShowUnsubscribeApiArg = {
  token: string;
};
export type UnsubscribeApiResponse = unknown;
export type UnsubscribeApiArg = {
  token: string;
};
export type UploadImageApiResponse = /** status 200 undefined */ UploadedImage;
export type UploadImageApiArg = {
  imageForm: ImageForm;
};
export type JoinWaitlistApiResponse = /** status 200 undefined */ SuccessView;
export type JoinWaitlistApiArg = {
  waitlistBody: WaitlistBody;
};
export type SearchAnswer = {
  /** Web addresses of sources. */
  citations: string[];
  /** Text; not to be interpreted. */
  response: string;
};
export type ErrorBody = {
  /** Which field of the payload is meant, if one is. */
  field?: string | null;
  /** What to tell the person. */
  message: string;
  /** The idea's current revision, where a save was based on an older one. */
  revision?: number | null;
};
export type SearchBody = {
  /** The idea, at most 4,000 characters. */
  query: string;
};
export type AssistantAnswer = {
  /** Text; not to be interpreted. */
  response: string;
};
export type AssistantTurn = {
  /** What was said. */
  content: string;
  /** user or assistant. */
  role: string;
};
export type AssistantBody = {
  /** What was said before, oldest first. */
  conversationHistory: AssistantTurn[];
  /** What the person says now. */
  message: string;
};
export type Asset = {
  createdAt: string;
  fileName: string;
  /** Its path on this server. */
  filePath: string;
  id: string;
};
export type SuccessView = {
  /** Always true; a failure has another status. */
  success: boolean;
};
export type ChangePasswordBody = {
  /** The new one again. */
  confirmPassword: string;
  /** The password until now. */
  currentPassword: string;
  /** The password from now on, 6 to 128 characters. */
  newPassword: string;
};
export type ConfirmEmailBody = {
  /** The end of the mailed link. */
  token: string;
};
export type ForgotPasswordBody = {
  /** Address of the account. */
  email: string;
};
export type User = {
  /** Whether sharing and two-step sign-in wait for that. */
  confirmationRequired: boolean;
  email: string;
  /** Whether the owner has shown that mails to the address arrive. */
  emailConfirmed: boolean;
  id: string;
  name: string;
  profileImage: string | null;
};
export type LoginView = {
  /** Always true; a failure has another status. */
  success: boolean;
  /** Who is signed in now. */
  user: User;
};
export type LoginBody = {
  /** For an account with two-step sign-in: the six digits that its app shows, or
    a recovery code. */
  code?: string | null;
  /** Address of the account. */
  email: string;
  /** Its password. */
  password: string;
};
export type RegisterBody = {
  /** Address, not taken yet. */
  email: string;
  /** From the link of an invitation, if there is one. */
  invitationToken?: string | null;
  /** Full name, at least 2 characters. */
  name: string;
  /** Password, 6 to 128 characters. */
  password: string;
};
export type ResetView = {
  /** Always true; a failure has another status. */
  success: boolean;
  /** Present when nobody had confirmed the address before and the account holds
    ideas: whoever registered it may have been somebody else. */
  unprovenIdeas?: boolean | null;
};
export type ResetPasswordBody = {
  /** The password from now on, 6 to 128 characters. */
  newPassword: string;
  /** The end of the mailed link. */
  token: string;
};
export type Session = {
  /** What the browser is, in words of its owner, as in mails: 'Firefox on Linux'. */
  browser: string;
  /** When it signed in. */
  createdAt: string;
  /** Whether it is the one that asks. */
  current: boolean;
  /** Names it here; it is no credential. */
  id: string;
  /** The address that it signed in from. */
  ip: string | null;
  /** When it was last seen, to about five minutes. */
  lastSeenAt: string;
};
export type Totp = {
  /** Whether they do. */
  enabled: boolean;
  /** How many recovery codes were not used yet. */
  recoveryCodesLeft: number;
};
export type RecoveryCodes = {
  /** Each works once, instead of a code of the app. */
  recoveryCodes: string[];
};
export type TotpCodeBody = {
  /** The six digits that the app shows; spaces do not matter. */
  code: string;
};
export type TotpSetup = {
  /** The link as a QR code: its rows, 1 for a dark module and 0 for a light one. */
  qr: string[];
  /** The secret in base 32, to be typed. */
  secret: string;
  /** The same as a link that apps open. */
  uri: string;
};
export type CurrentPasswordBody = {
  /** The account's password. */
  currentPassword: string;
};
export type Comment = {
  author: string;
  /** Empty once it was withdrawn. */
  content: string;
  createdAt: string;
  /** When its author last changed it. */
  editedAt: string | null;
  id: string;
  /** Null when the idea's owner wrote it. */
  recipientId: string | null;
  /** The first comment of the thread that it answers in. */
  replyTo: string | null;
  /** When its author withdrew it. */
  withdrawnAt: string | null;
};
export type CommentBody = {
  /** Ignored: the server knows who writes. */
  author?: string | null;
  /** Not blank, at most 5,000 characters. */
  content: string;
  /** On which idea, when its owner writes. */
  ideaId?: number | null;
  /** As whom; must be a recipient of this browser. */
  recipientId?: string | null;
  /** The comment that this one answers. */
  replyTo?: string | null;
};
export type CommentEditBody = {
  /** Not blank, at most 5,000 characters. */
  content: string;
};
export type FileBytes = Blob;
export type ContentKindView = "html" | "pdf" | "canvas" | "legacy";
export type StatusView = "draft" | "published";
export type IdeaSummary = {
  /** Time of publication. */
  blockchainTimestamp: string | null;
  contentKind: ContentKindView;
  /** Given at publication. */
  documentId: string | null;
  id: number;
  lastModified: string;
  status: StatusView;
  title: string;
};
export type ListedIdea = IdeaSummary & {
  /** How many links were made to it, dead ones included. */
  linkCount: number;
  /** How many views they have given together. */
  viewCount: number;
};
export type PdfType = "pdf";
export type PdfContent = {
  fileName: string;
  pdfPath: string;
  type: PdfType;
};
export type CanvasElement = {
  fill?: string | null;
  fontFamily?: string | null;
  fontSize?: number | null;
  /** bold or italic. */
  fontStyle?: string | null;
  height?: number | null;
  radius?: number | null;
  rotation?: number | null;
  stroke?: string | null;
  strokeWidth?: number | null;
  text?: string | null;
  /** text, rect or circle. */
  type: string;
  width?: number | null;
  x?: number | null;
  y?: number | null;
};
export type CanvasContent = {
  elements: CanvasElement[];
};
export type LegacyContent = object;
export type IdeaContent = string | PdfContent | CanvasContent | LegacyContent;
export type Idea = IdeaSummary & {
  content: IdeaContent;
  /** Number of the current revision; the first is 1. */
  revision: number;
  /** SHA-256 in hex: of the HTML text, of the object as JSON with sorted
    keys and no white space, or of the PDF file itself. */
  sha256: string;
};
export type IdeaBody = {
  /** One of the four forms; HTML is sanitized. */
  content: IdeaContent;
  /** Not blank, at most 200 characters. */
  title: string;
};
export type PdfForm = {
  /** application/pdf, at most 10 MB. */
  file: Blob;
  /** The idea's title; by default the file's name without '.pdf'. */
  title?: string | null;
};
export type IdeaUpdateBody = {
  /** The revision that the text started from. With it, nothing is saved over
    a newer one; without it, the text goes over whatever is there. */
  baseRevision?: number | null;
  /** One of the four forms; HTML is sanitized. */
  content: IdeaContent;
  /** Not blank, at most 200 characters. */
  title: string;
};
export type Identity = "selfDeclared" | "emailConfirmed";
export type ActivityRecipient = {
  email: string;
  /** When the address was confirmed, if it was. */
  emailConfirmedAt: string | null;
  id: string;
  /** How far it is certain by now who that is. */
  identity: Identity;
  name: string;
  phone: string | null;
};
export type ShareType = "one-time" | "time-dependent" | "full-access" | "email";
export type ActivityBase = {
  at: string;
  id: string;
  recipient: ActivityRecipient;
  shareId: string;
  /** What the owner calls the link, if it has a name. */
  shareName?: string | null;
  shareType: ShareType;
};
export type Activity =
  | (ActivityBase & {
      type: "registered";
    })
  | (ActivityBase & {
      /** When the address had been confirmed, if it had. */
      emailConfirmedAt: string | null;
      /** How far it was certain by then who agreed. */
      identity: Identity;
      /** From which address. */
      ip: string;
      /** SHA-256 of the text agreed to. */
      ndaSha256: string;
      /** The wording's version. */
      ndaVersion: string;
      /** SHA-256 of the idea's revision at that time. */
      revisionSha256: string;
      /** With which browser. */
      userAgent: string | null;
    } & {
      type: "agreed";
    })
  | (ActivityBase & {
      /** Until when reloads were free. */
      endsAt: string;
      /** SHA-256 of the revision that was shown first. */
      revisionSha256: string;
    } & {
      type: "viewed";
    })
  | (ActivityBase & {
      type: "declined";
    })
  | (ActivityBase & {
      type: "closed";
    })
  | (ActivityBase & {
      type: "downloaded";
    });
export type Revision = {
  contentKind: ContentKindView;
  createdAt: string;
  /** Whether its content can still be read; old revisions of drafts are thinned. */
  kept: boolean;
  /** Its number; the first is 1. */
  revision: number;
  /** SHA-256 of the content, in hex, as the idea has it. */
  sha256: string;
  title: string;
};
export type RevisionContent = Revision & {
  content: IdeaContent | null;
};
export type NotificationMode = "at-once" | "daily" | "never";
export type ShareState = "active" | "exhausted" | "expired" | "revoked";
export type Share = {
  /** The token of the public page /view/{accessLink}. */
  accessLink: string;
  /** Whether its readers may download the document. */
  allowDownload: boolean;
  createdAt: string;
  /** When it stopped taking new recipients, if it has. */
  endedAt: string | null;
  expiresAt: string | null;
  /** Registrations beyond the first few that led to nothing yet: the activity counts
    them instead of listing them. */
  foldedRegistrations: number;
  id: string;
  ideaId: number;
  /** When it gave its last view. */
  lastViewAt: string | null;
  maxViews: number | null;
  /** How its owner calls it. */
  name: string | null;
  notifications: NotificationMode | null;
  recipientEmail: string | null;
  shareType: ShareType;
  showsOtherReaders: boolean;
  state: ShareState;
  viewCount: number;
};
export type NoticeKind =
  | "agreed"
  | "first-read"
  | "commented"
  | "declined"
  | "refused"
  | "used-up"
  | "one-view-left"
  | "ending-soon"
  | "answered";
export type Notice = {
  /** When it happened last. */
  at: string;
  /** How often it happened. */
  count: number;
  id: number;
  ideaId: number;
  ideaTitle: string;
  kind: NoticeKind;
  /** Whether the owner has seen it. */
  read: boolean;
  /** The name that the reader gave, where it is about one. */
  recipientName: string | null;
  shareId: string;
  shareType: ShareType;
};
export type ReadNoticesBody = {
  /** The time of the newest that was seen, RFC 3339. */
  upTo: string;
};
export type UnreadNotices = {
  /** How many. */
  unread: number;
};
export type ProfileBody = {
  /** Full name, at least 2 characters. */
  name: string;
};
export type ProfileImageForm = {
  /** PNG, JPEG, GIF or WebP, at most 5 MB and 40 megapixels. */
  image: Blob;
};
export type NotificationSettings = {
  /** When. */
  mode: NotificationMode;
};
export type NotificationSettingsBody = {
  /** at-once, daily or never. */
  mode: NotificationMode;
};
export type Storage = {
  quotaBytes: number;
  usedBytes: number;
};
export type Recipient = {
  agreedToNda: boolean;
  email: string;
  id: string;
  name: string;
  phone: string | null;
};
export type RecipientBody = {
  /** The link's token; by default the link that this browser looked up last. */
  accessToken?: string | null;
  /** A valid address. */
  email: string;
  /** At least 3 characters. */
  name: string;
  /** Optional number. */
  phone?: string | null;
};
export type Verification = {
  /** Seconds that it still works; 0 when another one is needed. */
  expiresIn: number;
  /** Seconds to wait before another one can be asked for. */
  resendIn: number;
  /** How often it can still be entered. */
  triesLeft: number;
};
export type NdaBody = {
  /** Must be true. */
  agreed: boolean;
};
export type CodeBody = {
  /** The six digits of the mailed code; spaces do not matter. */
  code: string;
};
export type Sharer = {
  name: string;
};
export type DisclosedIdea = {
  content: IdeaContent | null;
  documentId: string | null;
  id: number;
  status: StatusView;
  title: string;
  user: Sharer;
};
export type Nda = {
  /** SHA-256 of `text`, in hex. */
  sha256: string;
  /** The exact text: what 'Download Agreement' saves. */
  text: string;
  version: string;
};
export type Stage = "collect" | "verify" | "nda" | "open";
export type SharedIdea = {
  /** Whether the document may be downloaded. */
  allowDownload: boolean;
  idea: DisclosedIdea;
  nda: Nda | null;
  recipient: Recipient | null;
  shareType: ShareType;
  stage: Stage;
  verification: Verification | null;
  /** When the view ends, with its time or with the link; only while the stage is
    open, and null where nothing ends. */
  viewEndsAt: string | null;
};
export type ShareBody = {
  /** Whether readers may download the document; by default they may. */
  allowDownload?: boolean | null;
  /** End of a time-dependent link, RFC 3339; by default 7 days from now. */
  expiresAt?: string | null;
  /** The idea to disclose. */
  ideaId: number;
  /** Views in all; by default 1 for a one-time link, else unlimited. */
  maxViews?: number | null;
  /** How its owner tells it from others: at most 120 characters, seen by nobody else. */
  name?: string | null;
  /** The only address that may register on an email link. */
  recipientEmail?: string | null;
  /** one-time, time-dependent, full-access or email. */
  shareType: ShareType;
  /** Whether readers of this link and of the idea's other links that allow it,
    too, see each other's names and comments; by default not. */
  showsOtherReaders?: boolean;
};
export type ShareChangeBody = {
  /** At most 120 characters; blank, null or absent takes the name away. */
  name?: string | null;
  /** Whether its readers and those of the idea's other links that allow it, too,
    see each other's names and comments; absent, that stays as it is. */
  showsOtherReaders?: boolean | null;
};
export type ShareNotifications = {
  mode: NotificationMode | null;
};
export type ShareNotificationsBody = {
  mode?: NotificationMode | null;
};
export type UploadedImage = {
  /** Its path on this server. */
  url: string;
};
export type ImageForm = {
  /** The own idea that it is for. */
  ideaId?: number | null;
  /** PNG, JPEG, GIF or WebP, at most 5 MB and 40 megapixels. */
  image: Blob;
};
export type WaitlistBody = {
  /** Where to write to. */
  email: string;
  /** Who asks. */
  name: string;
  /** What they do. */
  profession: string;
};
export const {
  useSearchIdeasMutation,
  useAskAssistantMutation,
  useListAssetsQuery,
  useDeleteAssetMutation,
  useChangePasswordMutation,
  useConfirmEmailMutation,
  useSendEmailConfirmationMutation,
  useForgotPasswordMutation,
  useLoginMutation,
  useLogoutMutation,
  useGetCurrentUserQuery,
  useRegisterMutation,
  useResetPasswordMutation,
  useListSessionsQuery,
  useEndSessionsMutation,
  useEndSessionMutation,
  useGetTotpQuery,
  useConfirmTotpMutation,
  useBeginTotpMutation,
  useRemoveTotpMutation,
  useReplaceRecoveryCodesMutation,
  useListCommentsQuery,
  useCreateCommentMutation,
  useEditCommentMutation,
  useWithdrawCommentMutation,
  useGetFileQuery,
  useListIdeasQuery,
  useCreateIdeaMutation,
  useImportPdfMutation,
  useGetIdeaQuery,
  useUpdateIdeaMutation,
  useDeleteIdeaMutation,
  useListIdeaActivityQuery,
  useExportActivityCsvQuery,
  useExportActivityJsonQuery,
  usePublishIdeaMutation,
  useListIdeaRevisionsQuery,
  useGetIdeaRevisionQuery,
  useListIdeaSharesQuery,
  useListNoticesQuery,
  useReadNoticesMutation,
  useCountUnreadNoticesQuery,
  useUpdateProfileMutation,
  useUploadProfileImageMutation,
  useGetNotificationSettingsQuery,
  useUpdateNotificationSettingsMutation,
  useGetStorageQuery,
  useRegisterRecipientMutation,
  useGetAgreementQuery,
  useSendCodeMutation,
  useAgreeToNdaMutation,
  useVerifyRecipientMutation,
  useOpenShareQuery,
  useCloseShareMutation,
  useDeclineAgreementMutation,
  useDownloadSharedQuery,
  useCreateShareMutation,
  useRenameShareMutation,
  useRevokeShareMutation,
  useUpdateShareNotificationsMutation,
  useShowUnsubscribeQuery,
  useUnsubscribeMutation,
  useUploadImageMutation,
  useJoinWaitlistMutation,
} = injectedRtkApi;
