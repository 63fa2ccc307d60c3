import { baseApi as api } from "./baseApi";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    deleteAccount: build.mutation<DeleteAccountApiResponse, DeleteAccountApiArg>({
      query: (queryArg) => ({
        url: `/api/account`,
        method: "DELETE",
        body: queryArg.accountDeletionBody,
      }),
    }),
    exportAccount: build.query<ExportAccountApiResponse, ExportAccountApiArg>({
      query: () => ({ url: `/api/account/export` }),
    }),
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
    lookAtEmailConfirmation: build.mutation<
      LookAtEmailConfirmationApiResponse,
      LookAtEmailConfirmationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/confirm-email/look`,
        method: "POST",
        body: queryArg.mailedLinkBody,
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
    lookAtPasswordReset: build.mutation<LookAtPasswordResetApiResponse, LookAtPasswordResetApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/reset-password/look`,
        method: "POST",
        body: queryArg.mailedLinkBody,
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
    getTwoFactor: build.query<GetTwoFactorApiResponse, GetTwoFactorApiArg>({
      query: () => ({ url: `/api/auth/totp` }),
    }),
    confirmTwoFactor: build.mutation<ConfirmTwoFactorApiResponse, ConfirmTwoFactorApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/totp`,
        method: "PUT",
        body: queryArg.twoFactorCodeBody,
      }),
    }),
    beginTwoFactor: build.mutation<BeginTwoFactorApiResponse, BeginTwoFactorApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/totp`,
        method: "POST",
        body: queryArg.currentPasswordBody,
      }),
    }),
    removeTwoFactor: build.mutation<RemoveTwoFactorApiResponse, RemoveTwoFactorApiArg>({
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
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
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
          archived: queryArg.archived,
        },
      }),
    }),
    createIdea: build.mutation<CreateIdeaApiResponse, CreateIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas`,
        method: "POST",
        body: queryArg.ideaBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    importPdf: build.mutation<ImportPdfApiResponse, ImportPdfApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/pdf`,
        method: "POST",
        body: queryArg.pdfForm,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
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
    downloadCertificate: build.query<DownloadCertificateApiResponse, DownloadCertificateApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/certificate.pdf`,
      }),
    }),
    getEvidence: build.query<GetEvidenceApiResponse, GetEvidenceApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/evidence`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    downloadEvidence: build.query<DownloadEvidenceApiResponse, DownloadEvidenceApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/evidence.zip`,
      }),
    }),
    recordRevision: build.mutation<RecordRevisionApiResponse, RecordRevisionApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/evidence/record`,
        method: "POST",
      }),
    }),
    organizeIdea: build.mutation<OrganizeIdeaApiResponse, OrganizeIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/organize`,
        method: "PUT",
        body: queryArg.organizeBody,
      }),
    }),
    setPublicRecord: build.mutation<SetPublicRecordApiResponse, SetPublicRecordApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/public-record`,
        method: "PUT",
        body: queryArg.publicRecordSwitch,
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
    getReport: build.query<GetReportApiResponse, GetReportApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/report`,
        params: {
          format: queryArg.format,
          ideaId: queryArg.ideaId,
          shareId: queryArg.shareId,
          q: queryArg.q,
          version: queryArg.version,
          state: queryArg.state,
          from: queryArg["from"],
          to: queryArg.to,
          sort: queryArg.sort,
        },
      }),
    }),
    listIdeaRevisions: build.query<ListIdeaRevisionsApiResponse, ListIdeaRevisionsApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/revisions`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
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
    getWorkingCopy: build.query<GetWorkingCopyApiResponse, GetWorkingCopyApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/working-copy`,
      }),
    }),
    keepWorkingCopy: build.mutation<KeepWorkingCopyApiResponse, KeepWorkingCopyApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/working-copy`,
        method: "PUT",
        body: queryArg.workingCopyBody,
      }),
    }),
    discardWorkingCopy: build.mutation<DiscardWorkingCopyApiResponse, DiscardWorkingCopyApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/working-copy`,
        method: "DELETE",
        params: {
          session: queryArg.session,
        },
      }),
    }),
    listMyDocuments: build.query<ListMyDocumentsApiResponse, ListMyDocumentsApiArg>({
      query: () => ({ url: `/api/my-documents` }),
    }),
    requestMyDocuments: build.mutation<RequestMyDocumentsApiResponse, RequestMyDocumentsApiArg>({
      query: (queryArg) => ({
        url: `/api/my-documents`,
        method: "POST",
        body: queryArg.myDocumentsBody,
      }),
    }),
    endMyDocuments: build.mutation<EndMyDocumentsApiResponse, EndMyDocumentsApiArg>({
      query: () => ({ url: `/api/my-documents/end`, method: "POST" }),
    }),
    openMyDocuments: build.mutation<OpenMyDocumentsApiResponse, OpenMyDocumentsApiArg>({
      query: (queryArg) => ({
        url: `/api/my-documents/open`,
        method: "POST",
        body: queryArg.mailedLinkBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    getMyAgreement: build.query<GetMyAgreementApiResponse, GetMyAgreementApiArg>({
      query: (queryArg) => ({
        url: `/api/my-documents/${encodeURIComponent(String(queryArg.id))}/agreement.txt`,
      }),
    }),
    downloadMyReceipt: build.query<DownloadMyReceiptApiResponse, DownloadMyReceiptApiArg>({
      query: (queryArg) => ({
        url: `/api/my-documents/${encodeURIComponent(String(queryArg.id))}/receipt.pdf`,
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
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
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
    listReaders: build.query<ListReadersApiResponse, ListReadersApiArg>({
      query: (queryArg) => ({
        url: `/api/readers`,
        params: {
          ideaId: queryArg.ideaId,
          shareId: queryArg.shareId,
          q: queryArg.q,
          version: queryArg.version,
          state: queryArg.state,
          from: queryArg["from"],
          to: queryArg.to,
          sort: queryArg.sort,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    exportReaders: build.query<ExportReadersApiResponse, ExportReadersApiArg>({
      query: (queryArg) => ({
        url: `/api/readers/export`,
        params: {
          format: queryArg.format,
          ideaId: queryArg.ideaId,
          shareId: queryArg.shareId,
          q: queryArg.q,
          version: queryArg.version,
          state: queryArg.state,
          from: queryArg["from"],
          to: queryArg.to,
          sort: queryArg.sort,
        },
      }),
    }),
    registerRecipient: build.mutation<RegisterRecipientApiResponse, RegisterRecipientApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients`,
        method: "POST",
        body: queryArg.recipientBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
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
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    erasePerson: build.mutation<ErasePersonApiResponse, ErasePersonApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/person`,
        method: "DELETE",
        body: queryArg.erasureBody,
      }),
    }),
    downloadReceipt: build.query<DownloadReceiptApiResponse, DownloadReceiptApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/receipt.pdf`,
      }),
    }),
    verifyRecipient: build.mutation<VerifyRecipientApiResponse, VerifyRecipientApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/verify`,
        method: "POST",
        body: queryArg.codeBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    getPublicRecord: build.query<GetPublicRecordApiResponse, GetPublicRecordApiArg>({
      query: (queryArg) => ({
        url: `/api/record/${encodeURIComponent(String(queryArg.documentId))}`,
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
        body: queryArg.declineBody,
      }),
    }),
    downloadShared: build.query<DownloadSharedApiResponse, DownloadSharedApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/download`,
      }),
    }),
    downloadSharedEvidence: build.query<
      DownloadSharedEvidenceApiResponse,
      DownloadSharedEvidenceApiArg
    >({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/evidence.zip`,
      }),
    }),
    reopenShare: build.mutation<ReopenShareApiResponse, ReopenShareApiArg>({
      query: (queryArg) => ({
        url: `/api/share/${encodeURIComponent(String(queryArg.token))}/reopen`,
        method: "POST",
      }),
    }),
    createShare: build.mutation<CreateShareApiResponse, CreateShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares`,
        method: "POST",
        body: queryArg.shareBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    findOwnShare: build.query<FindOwnShareApiResponse, FindOwnShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares/by-token/${encodeURIComponent(String(queryArg.token))}`,
      }),
    }),
    changeShare: build.mutation<ChangeShareApiResponse, ChangeShareApiArg>({
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
    previewShare: build.query<PreviewShareApiResponse, PreviewShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares/${encodeURIComponent(String(queryArg.id))}/preview`,
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
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
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
export type DeleteAccountApiResponse = unknown;
export type DeleteAccountApiArg = {
  accountDeletionBody: AccountDeletionBody;
};
export type ExportAccountApiResponse = /** status 200 undefined */ number[];
export type ExportAccountApiArg = void;
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
export type LookAtEmailConfirmationApiResponse = /** status 200 undefined */ ConfirmationView;
export type LookAtEmailConfirmationApiArg = {
  mailedLinkBody: MailedLinkBody;
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
export type LookAtPasswordResetApiResponse = /** status 200 undefined */ ResetLookView;
export type LookAtPasswordResetApiArg = {
  mailedLinkBody: MailedLinkBody;
};
export type ListSessionsApiResponse = /** status 200 undefined */ Session[];
export type ListSessionsApiArg = void;
export type EndSessionsApiResponse = unknown;
export type EndSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  id: string;
};
export type GetTwoFactorApiResponse = /** status 200 undefined */ TwoFactorStatus;
export type GetTwoFactorApiArg = void;
export type ConfirmTwoFactorApiResponse = /** status 200 undefined */ RecoveryCodes;
export type ConfirmTwoFactorApiArg = {
  twoFactorCodeBody: TwoFactorCodeBody;
};
export type BeginTwoFactorApiResponse = /** status 200 undefined */ TwoFactorSetup;
export type BeginTwoFactorApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type RemoveTwoFactorApiResponse = unknown;
export type RemoveTwoFactorApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type ReplaceRecoveryCodesApiResponse = /** status 200 undefined */ RecoveryCodes;
export type ReplaceRecoveryCodesApiArg = {
  currentPasswordBody: CurrentPasswordBody;
};
export type ListCommentsApiResponse = /** status 200 undefined */ Comment[];
export type ListCommentsApiArg = {
  /** Id of an idea; by default all comments that the caller may read. */
  ideaId?: number;
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
  cursor?: string;
};
export type CreateCommentApiResponse = /** status 201 undefined */ Comment;
export type CreateCommentApiArg = {
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
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
  /** `1` to save the file instead of showing it. */
  download?: string;
};
export type ListIdeasApiResponse = /** status 200 undefined */ ListedIdea[];
export type ListIdeasApiArg = {
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
  cursor?: string;
  /** Whether archived ideas are listed too; false by default. */
  archived?: boolean;
};
export type CreateIdeaApiResponse = /** status 201 undefined */ Idea;
export type CreateIdeaApiArg = {
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
  ideaBody: IdeaBody;
};
export type ImportPdfApiResponse = /** status 201 undefined */ Idea;
export type ImportPdfApiArg = {
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
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
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
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
export type DownloadCertificateApiResponse = /** status 200 undefined */ number[];
export type DownloadCertificateApiArg = {
  id: number;
};
export type GetEvidenceApiResponse = /** status 200 undefined */ Evidence;
export type GetEvidenceApiArg = {
  id: number;
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
  cursor?: string;
};
export type DownloadEvidenceApiResponse = /** status 200 undefined */ number[];
export type DownloadEvidenceApiArg = {
  id: number;
};
export type RecordRevisionApiResponse = /** status 200 undefined */ Evidence;
export type RecordRevisionApiArg = {
  id: number;
};
export type OrganizeIdeaApiResponse = /** status 200 undefined */ Organization;
export type OrganizeIdeaApiArg = {
  id: number;
  organizeBody: OrganizeBody;
};
export type SetPublicRecordApiResponse = /** status 200 undefined */ PublicRecordSwitch;
export type SetPublicRecordApiArg = {
  id: number;
  publicRecordSwitch: PublicRecordSwitch;
};
export type PublishIdeaApiResponse = /** status 200 undefined */ Idea;
export type PublishIdeaApiArg = {
  id: number;
  /** Revision that the creator has seen. If it is given, publishing is refused when a
    newer one exists; without it, the current one is published. */
  baseRevision?: number;
};
export type GetReportApiResponse = /** status 200 undefined */ number[];
export type GetReportApiArg = {
  id: number;
  /** pdf or html. */
  format?: string;
  /** Those of one idea. */
  ideaId?: number;
  /** Those of one link. */
  shareId?: string;
  /** A part of name or address, without regard to case and marks; at most 200 characters. */
  q?: string;
  /** Those who opened or accepted the version of this number. With the state `opened`, only who
    opened it. */
  version?: number;
  /** Those in one state. */
  state?: ReaderState;
  /** Earliest time, RFC 3339, or day, UTC: of the first opening (of the version, if one is
    asked for), or of the registration where nothing was opened. */
  from?: string;
  /** End of that time, or its last day. */
  to?: string;
  /** `registeredAt`, `name`, `firstOpenedAt` or `lastOpenedAt`; with `-` before it for the
    opposite order. */
  sort?: string;
};
export type ListIdeaRevisionsApiResponse = /** status 200 undefined */ Revision[];
export type ListIdeaRevisionsApiArg = {
  id: number;
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
  cursor?: string;
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
export type GetWorkingCopyApiResponse = /** status 200 undefined */ WorkingCopy | null;
export type GetWorkingCopyApiArg = {
  /** The idea, or `new` */
  id: string;
};
export type KeepWorkingCopyApiResponse = unknown;
export type KeepWorkingCopyApiArg = {
  /** The idea, or `new` */
  id: string;
  workingCopyBody: WorkingCopyBody;
};
export type DiscardWorkingCopyApiResponse = unknown;
export type DiscardWorkingCopyApiArg = {
  /** The idea, or `new` */
  id: string;
  /** Discards only text of that editing session. */
  session?: string;
};
export type ListMyDocumentsApiResponse = /** status 200 undefined */ MyDocuments;
export type ListMyDocumentsApiArg = void;
export type RequestMyDocumentsApiResponse = unknown;
export type RequestMyDocumentsApiArg = {
  myDocumentsBody: MyDocumentsBody;
};
export type EndMyDocumentsApiResponse = unknown;
export type EndMyDocumentsApiArg = void;
export type OpenMyDocumentsApiResponse = unknown;
export type OpenMyDocumentsApiArg = {
  /** Names the request. 22 to 64 visible ASCII characters that nobody can guess */
  "Idempotency-Key"?: string | null;
  mailedLinkBody: MailedLinkBody;
};
export type GetMyAgreementApiResponse = /** status 200 undefined */ string;
export type GetMyAgreementApiArg = {
  id: string;
};
export type DownloadMyReceiptApiResponse = /** status 200 undefined */ number[];
export type DownloadMyReceiptApiArg = {
  id: string;
};
export type ListNoticesApiResponse = /** status 200 undefined */ Notice[];
export type ListNoticesApiArg = {
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
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
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
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
export type ListReadersApiResponse = /** status 200 undefined */ Readers;
export type ListReadersApiArg = {
  /** Those of one idea. */
  ideaId?: number;
  /** Those of one link. */
  shareId?: string;
  /** A part of name or address, without regard to case and marks; at most 200 characters. */
  q?: string;
  /** Those who opened or accepted the version of this number. With the state `opened`, only who
    opened it. */
  version?: number;
  /** Those in one state. */
  state?: ReaderState;
  /** Earliest time, RFC 3339, or day, UTC: of the first opening (of the version, if one is
    asked for), or of the registration where nothing was opened. */
  from?: string;
  /** End of that time, or its last day. */
  to?: string;
  /** `registeredAt`, `name`, `firstOpenedAt` or `lastOpenedAt`; with `-` before it for the
    opposite order. */
  sort?: string;
  /** Largest number of entries on the page. */
  limit?: number;
  /** Start of the page: an opaque part of the address in `Link`. */
  cursor?: string;
};
export type ExportReadersApiResponse = /** status 200 undefined */ Reader[];
export type ExportReadersApiArg = {
  /** csv or json. */
  format?: string;
  /** Those of one idea. */
  ideaId?: number;
  /** Those of one link. */
  shareId?: string;
  /** A part of name or address, without regard to case and marks; at most 200 characters. */
  q?: string;
  /** Those who opened or accepted the version of this number. With the state `opened`, only who
    opened it. */
  version?: number;
  /** Those in one state. */
  state?: ReaderState;
  /** Earliest time, RFC 3339, or day, UTC: of the first opening (of the version, if one is
    asked for), or of the registration where nothing was opened. */
  from?: string;
  /** End of that time, or its last day. */
  to?: string;
  /** `registeredAt`, `name`, `firstOpenedAt` or `lastOpenedAt`; with `-` before it for the
    opposite order. */
  sort?: string;
};
export type RegisterRecipientApiResponse = /** status 201 undefined */ Recipient;
export type RegisterRecipientApiArg = {
  /** Names the request. 22 to 64 visible ASCII characters that nobody can guess */
  "Idempotency-Key"?: string | null;
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
  /** Names the request. 22 to 64 visible ASCII characters that nobody can guess */
  "Idempotency-Key"?: string | null;
  ndaBody: NdaBody;
};
export type ErasePersonApiResponse = unknown;
export type ErasePersonApiArg = {
  id: string;
  erasureBody: ErasureBody;
};
export type DownloadReceiptApiResponse = /** status 200 undefined */ number[];
export type DownloadReceiptApiArg = {
  id: string;
};
export type VerifyRecipientApiResponse = /** status 200 undefined */ Recipient;
export type VerifyRecipientApiArg = {
  id: string;
  /** Names the request. 22 to 64 visible ASCII characters that nobody can guess */
  "Idempotency-Key"?: string | null;
  codeBody: CodeBody;
};
export type GetPublicRecordApiResponse = /** status 200 undefined */ PublicRecord;
export type GetPublicRecordApiArg = {
  documentId: string;
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
  /** May be left out */
  declineBody: DeclineBody;
};
export type DownloadSharedApiResponse = /** status 200 The file */ FileBytes;
export type DownloadSharedApiArg = {
  token: string;
};
export type DownloadSharedEvidenceApiResponse = /** status 200 undefined */ number[];
export type DownloadSharedEvidenceApiArg = {
  token: string;
};
export type ReopenShareApiResponse = unknown;
export type ReopenShareApiArg = {
  token: string;
};
export type CreateShareApiResponse = /** status 201 undefined */ Share;
export type CreateShareApiArg = {
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
  shareBody: ShareBody;
};
export type FindOwnShareApiResponse = /** status 200 undefined */ OwnShare;
export type FindOwnShareApiArg = {
  token: string;
};
export type ChangeShareApiResponse = unknown;
export type ChangeShareApiArg = {
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
export type PreviewShareApiResponse = /** status 200 undefined */ SharePreview;
export type PreviewShareApiArg = {
  id: string;
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
  /** Names the request. 1 to 64 visible ASCII characters */
  "Idempotency-Key"?: string | null;
  imageForm: ImageForm;
};
export type JoinWaitlistApiResponse = /** status 200 undefined */ SuccessView;
export type JoinWaitlistApiArg = {
  waitlistBody: WaitlistBody;
};
export type VisitEnding = "closed" | "expired" | "revoked" | "exhausted";
export type EndedVisit = {
  /** When it ended, if that is known. */
  at: string | null;
  reason: VisitEnding;
  /** The caller's registration, whose agreement and receipt can be downloaded. */
  recipientId: string;
};
export type ErrorBody = {
  ended?: EndedVisit | null;
  /** The field that the message is about, if it is about one. */
  field?: string | null;
  /** Message for the person. */
  message: string;
  /** The idea's current revision, if a save was based on an older one. */
  revision?: number | null;
};
export type AccountDeletionBody = {
  /** With two-step sign-in: a code of the authenticator app, or a recovery code. */
  code?: string | null;
  /** The password of the account. */
  password: string;
};
export type SearchAnswer = {
  /** Web addresses of sources. */
  citations: string[];
  /** Plain text; not HTML or Markdown. */
  response: string;
};
export type SearchBody = {
  /** Description of the idea, at most 4,000 characters. */
  query: string;
};
export type AssistantAnswer = {
  /** Plain text; not HTML or Markdown. */
  response: string;
};
export type AssistantTurn = {
  /** Text of the message. */
  content: string;
  /** user or assistant. */
  role: string;
};
export type AssistantBody = {
  /** Earlier messages, the oldest first. */
  conversationHistory: AssistantTurn[];
  /** The new message. */
  message: string;
};
export type Asset = {
  createdAt: string;
  fileName: string;
  /** Path of the image on this server. */
  filePath: string;
  id: string;
};
export type SuccessView = {
  /** Always true; failures have another status. */
  success: boolean;
};
export type ChangePasswordBody = {
  /** New password again. */
  confirmPassword: string;
  /** Current password. */
  currentPassword: string;
  /** New password, 6 to 128 characters. */
  newPassword: string;
};
export type ConfirmEmailBody = {
  /** Password of the account, if it is not signed in. */
  password?: string | null;
  /** Token of the mailed link. */
  token: string;
};
export type ConfirmationView = {
  /** The address of the account. */
  email: string;
  /** Whether confirming needs the password, because the account is not signed in. */
  needsPassword: boolean;
};
export type MailedLinkBody = {
  /** Token of the mailed link. */
  token: string;
};
export type ForgotPasswordBody = {
  /** Email address of the account. */
  email: string;
};
export type User = {
  /** Whether sharing and two-step sign-in require the address to be confirmed first. */
  confirmationRequired: boolean;
  email: string;
  /** Whether the address was confirmed. */
  emailConfirmed: boolean;
  id: string;
  name: string;
  profileImage: string | null;
};
export type LoginView = {
  /** Always true; failures have another status. */
  success: boolean;
  /** The signed-in account. */
  user: User;
};
export type LoginBody = {
  /** For an account with two-step sign-in: the six digits that the app shows, or a
    recovery code. */
  code?: string | null;
  /** Email address of the account. */
  email: string;
  /** Password of the account. */
  password: string;
};
export type RegisterBody = {
  /** Email address without an account. */
  email: string;
  /** Token of an invitation, if there is one. */
  invitationToken?: string | null;
  /** Full name, at least 2 characters. */
  name: string;
  /** Password, 6 to 128 characters. */
  password: string;
};
export type ResetView = {
  /** Always true; failures have another status. */
  success: boolean;
  /** Present if the address was never confirmed before and the account holds ideas:
    somebody else may have registered it. */
  unprovenIdeas?: boolean | null;
};
export type ResetPasswordBody = {
  /** New password, 6 to 128 characters. */
  newPassword: string;
  /** Whether to turn off two-step sign-in, if the reset can. */
  removeTwoFactor?: boolean;
  /** Token of the mailed link. */
  token: string;
};
export type ResetLookView = {
  /** Whether the reset can turn off two-step sign-in. */
  twoFactorRemovable: boolean;
};
export type Session = {
  /** Browser and system in plain words, as in mails: 'Firefox on Linux'. */
  browser: string;
  /** Time of the login. */
  createdAt: string;
  /** Whether it is the session of this request. */
  current: boolean;
  /** Id of the session; not a credential. */
  id: string;
  /** Client address at the login. */
  ip: string | null;
  /** Time of the last request, to about five minutes. */
  lastSeenAt: string;
};
export type TwoFactorStatus = {
  /** Whether logins need a code. */
  enabled: boolean;
  /** Number of unused recovery codes. */
  recoveryCodesLeft: number;
};
export type RecoveryCodes = {
  /** Each works once, instead of a code of the app. */
  recoveryCodes: string[];
};
export type TwoFactorCodeBody = {
  /** The six digits that the app shows; spaces are ignored. */
  code: string;
};
export type TwoFactorSetup = {
  /** The link as a QR code, in rows: 1 is a dark module, 0 a light one. */
  qr: string[];
  /** The secret in base 32, for typing. */
  secret: string;
  /** The secret as an `otpauth` link, for opening in an app. */
  uri: string;
};
export type CurrentPasswordBody = {
  /** The account's current password. */
  currentPassword: string;
};
export type Comment = {
  author: string;
  /** Empty if it was withdrawn. */
  content: string;
  createdAt: string;
  /** Time of the author's last change. */
  editedAt: string | null;
  id: string;
  /** Null if the idea's owner wrote it. */
  recipientId: string | null;
  /** Id of the first comment in the thread of a reply. */
  replyTo: string | null;
  /** Time at which the author withdrew it. */
  withdrawnAt: string | null;
};
export type CommentBody = {
  /** Ignored; the server knows the author. */
  author?: string | null;
  /** Not blank, at most 5,000 characters. */
  content: string;
  /** Id of the idea, if its owner is the author. */
  ideaId?: number | null;
  /** Id of the author; must be a recipient of this browser. */
  recipientId?: string | null;
  /** Id of the comment that this one replies to. */
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
  /** Assigned at publication. */
  documentId: string | null;
  id: number;
  lastModified: string;
  status: StatusView;
  title: string;
};
export type Organization = {
  /** Whether lists leave it out. */
  archived: boolean;
  /** Its tags, in the order in which they were given. */
  tags: string[];
};
export type ListedIdea = IdeaSummary &
  Organization & {
    /** Whether its stored data is damaged; the title is empty then. */
    isDamaged: boolean;
    /** Number of links, ended ones included. */
    linkCount: number;
    /** Whether the current revision is on record. */
    onRecord: boolean;
    /** Number of views of all links. */
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
  /** SHA-256 in hex: of the HTML text, of the object as JSON with sorted keys and no white
    space, or of the PDF file itself. */
  sha256: string;
};
export type IdeaBody = {
  /** One of the four content forms; HTML is sanitized. */
  content: IdeaContent;
  /** Discards only unsaved text of that editing session, instead of all. */
  session?: string | null;
  /** Not blank, at most 200 characters. */
  title: string;
};
export type PdfForm = {
  /** application/pdf, at most 10 MB unless the operator allows another size. */
  file: Blob;
  /** Title of the idea; the file's name without '.pdf' by default. */
  title?: string | null;
};
export type IdeaUpdateBody = {
  /** Revision that the edit is based on. If it is given, the save is refused when a newer
    one exists; without it, the save overwrites the current one. */
  baseRevision?: number | null;
  /** One of the four content forms; HTML is sanitized. */
  content: IdeaContent;
  /** Discards only unsaved text of that editing session, instead of all. */
  session?: string | null;
  /** Not blank, at most 200 characters. */
  title: string;
};
export type Identity = "selfDeclared" | "emailConfirmed";
export type ActivityRecipient = {
  email: string;
  /** Time at which the address was confirmed, if it was. */
  emailConfirmedAt: string | null;
  /** Whether the recipient was erased: name and email are placeholders. */
  erased: boolean;
  id: string;
  /** How the recipient's identity is verified by now. */
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
  /** Name of the link, if it has one. */
  shareName?: string | null;
  shareType: ShareType;
};
export type Activity =
  | (ActivityBase & {
      type: "registered";
    })
  | (ActivityBase & {
      /** Time at which the address had been confirmed, if it had. */
      emailConfirmedAt: string | null;
      /** How the recipient's identity was verified at that time. */
      identity: Identity;
      /** Client address; null once the recipient was erased. */
      ip: string | null;
      /** SHA-256 of the accepted text, in hex; null once it was erased. */
      ndaSha256: string | null;
      /** Version of the agreement's wording. */
      ndaVersion: string;
      /** Number of the idea's revision at that time. */
      revision: number;
      /** SHA-256 of that revision, in hex. */
      revisionSha256: string;
      /** User agent of the browser. */
      userAgent: string | null;
    } & {
      type: "agreed";
    })
  | (ActivityBase & {
      /** End of the view, with the link at the latest; reloads until then are not counted.
    Null where nothing ends. */
      endsAt: string | null;
      /** Number of the revision that was shown first. */
      revision: number;
      /** SHA-256 of that revision, in hex. */
      revisionSha256: string;
    } & {
      type: "viewed";
    })
  | (ActivityBase & {
      /** Why, if the recipient said so; null once they were erased. */
      reason: string | null;
    } & {
      type: "declined";
    })
  | (ActivityBase & {
      type: "closed";
    })
  | (ActivityBase & {
      type: "downloaded";
    });
export type AnchorKind = "tsa" | "ots" | "witness";
export type AnchorState = "queued" | "submitted" | "pending" | "confirmed" | "refused";
export type EvidenceAnchor = {
  /** Number of the block of Bitcoin that a calendar names. The server has checked it only if
    the state is `confirmed`. */
  block: number | null;
  kind: AnchorKind;
  /** Host of the outsider; of a witness, the name in its key. */
  name: string;
  state: AnchorState;
  /** The time that an authority or a witness has signed, or that of a block whose header was checked. */
  time: string | null;
};
export type EventKind =
  | "log.started"
  | "revision.recorded"
  | "idea.published"
  | "idea.deleted"
  | "share.created"
  | "share.revoked"
  | "agreement.offered"
  | "agreement.delivered"
  | "email.confirmed"
  | "agreement.accepted"
  | "agreement.declined"
  | "agreement.issued"
  | "access.requested"
  | "access.approved"
  | "access.refused"
  | "view.started"
  | "visit.closed"
  | "file.delivered"
  | "comment.added"
  | "comment.changed"
  | "comment.withdrawn"
  | "person.erased"
  | "key.rotated"
  | "log.resumed";
export type EvidenceEvent = {
  at: string;
  /** The event, as canonical JSON. */
  body: string;
  comment: string | null;
  /** SHA-256 of the event, in hex: its leaf in the log. */
  digest: string;
  /** Address of the recipient, unless it was erased. */
  email: string | null;
  /** The disclosures that were not erased, by name. */
  facts: object;
  file: string | null;
  /** Place in the log, once it has one. */
  index: number | null;
  /** Whether names or facts are left out because they are damaged. */
  isDamaged: boolean;
  /** Origin of that log. */
  log: string | null;
  /** Name of the recipient, unless it was erased. */
  name: string | null;
  recipient: string | null;
  /** Number of the revision concerned. */
  revision: number | null;
  share: string | null;
  shareName: string | null;
  shareType: ShareType | null;
  type: EventKind;
};
export type EvidenceLog = {
  /** Origin of the log. */
  origin: string;
  /** Number of events in it. */
  size: number;
  /** The key that signs it, as a C2SP vkey. */
  vkey: string;
};
export type EvidenceState = "recorded" | "submitted" | "confirmed" | "stopped";
export type Evidence = {
  /** Confirmations of the newest recorded revision by outsiders, best first. */
  anchors: EvidenceAnchor[];
  events: EvidenceEvent[];
  /** Whether this vault asks outsiders to confirm the time. */
  hasWitnesses: boolean;
  /** Place in the log of the newest recorded revision, once it has one. */
  index: number | null;
  log: EvidenceLog | null;
  /** Cursor of the next page, if there is one. */
  next: string | null;
  /** Whether the current revision is on record. */
  onRecord: boolean;
  /** Whether anybody may look up its public record. */
  publicRecord: boolean;
  /** When the newest recorded revision was recorded. */
  recordedAt: string | null;
  /** Number of the current revision. */
  revision: number;
  /** SHA-256 of its exact content, in hex; of a PDF, of the file. */
  sha256: string;
  state: EvidenceState;
};
export type OrganizeBody = {
  /** Whether lists leave the idea out from now on. */
  archived?: boolean | null;
  /** All tags from now on: at most 10, of at most 30 characters each. */
  tags?: string[] | null;
};
export type PublicRecordSwitch = {
  /** Whether anybody may look it up. */
  enabled: boolean;
};
export type ReaderState =
  | "registered"
  | "unconfirmed"
  | "agreed"
  | "opened"
  | "declined"
  | "refused"
  | "erased";
export type Revision = {
  contentKind: ContentKindView;
  createdAt: string;
  /** Whether its content is kept; old revisions of drafts are thinned out. */
  kept: boolean;
  /** Number of the revision; the first is 1. */
  revision: number;
  /** SHA-256 of the content in hex, as for the idea. */
  sha256: string;
  title: string;
};
export type RevisionContent = Revision & {
  content: IdeaContent | null;
};
export type NotificationMode = "at-once" | "daily" | "never";
export type ShareState = "active" | "exhausted" | "expired" | "revoked";
export type Share = {
  /** Token of the public page /view/{accessLink}; null if it is damaged: the link works, but
    cannot be copied. */
  accessLink: string | null;
  /** Whether readers may download the document. */
  allowDownload: boolean;
  /** Title that readers see until they have accepted the agreement, in place of the idea's. */
  coverTitle: string | null;
  createdAt: string;
  /** Time from which recipients could not register any more, if there is one. */
  endedAt: string | null;
  expiresAt: string | null;
  /** Number of registrations that led to nothing yet, beyond the first few. The activity counts
    them instead of listing them. */
  foldedRegistrations: number;
  id: string;
  ideaId: number;
  /** Time of the latest view. */
  lastViewAt: string | null;
  maxViews: number | null;
  /** Name for the owner alone. */
  name: string | null;
  notifications: NotificationMode | null;
  /** Null for other types, and once that person is erased. */
  recipientEmail: string | null;
  shareType: ShareType;
  showsOtherReaders: boolean;
  state: ShareState;
  viewCount: number;
};
export type WorkingCopy = {
  /** Revision that the text is based on; null for a new idea. */
  baseRevision: number | null;
  /** Sanitized HTML. */
  content: string;
  keptAt: string;
  /** The editing session that wrote it; empty without a name. */
  session: string;
  title: string;
};
export type WorkingCopyBody = {
  /** Revision that the text is based on; without it, the current one. None for a new idea. */
  baseRevision?: number | null;
  /** HTML, which is sanitized. */
  content: string;
  /** Name of the editing session that wrote it: 1 to 64 letters, digits, - and _. One session
    does not change the text of another. */
  session?: string | null;
  /** At most 200 characters; it may be blank. */
  title: string;
};
export type AgreedDocument = {
  /** Null of a draft. */
  documentId: string | null;
  /** Name of the owner. */
  sharer: string;
  title: string;
};
export type MyDocument = {
  acceptedAt: string;
  agreement: AgreedDocument | null;
  firstOpenedAt: string | null;
  lastOpenedAt: string | null;
  /** Whether the link lets nobody in any more. One that has not ended may still refuse this
    person. */
  linkEnded: boolean;
  recipientId: string;
  /** Numbers of the versions that were opened, in the order in which they were first. */
  versions: number[];
};
export type MyDocuments = {
  /** The newest agreement first. */
  documents: MyDocument[];
  /** The person's address; null without documents. */
  email: string | null;
  /** Whether there are more, older ones, which are not listed. */
  hasMore: boolean;
};
export type MyDocumentsBody = {
  /** Email address. */
  email: string;
};
export type NoticeKind =
  | "agreed"
  | "first-read"
  | "commented"
  | "declined"
  | "refused"
  | "wrong-address"
  | "wrong-code"
  | "used-up"
  | "one-view-left"
  | "ending-soon"
  | "answered";
export type Notice = {
  /** Time of the latest event. */
  at: string;
  /** Number of events that the notice stands for. */
  count: number;
  id: number;
  ideaId: number;
  ideaTitle: string;
  kind: NoticeKind;
  /** Whether the owner has read it. */
  read: boolean;
  /** Name that the reader gave, if the notice is about a reader. */
  recipientName: string | null;
  shareId: string;
  /** The owner's name for the link. */
  shareName: string | null;
  shareType: ShareType;
};
export type ReadNoticesBody = {
  /** Time of the newest notice that was read, RFC 3339. */
  upTo: string;
};
export type UnreadNotices = {
  /** Number of unread notices. */
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
  /** When notices are mailed. */
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
export type ReaderAgreement = {
  /** SHA-256 of its text, in hex; null once that was erased. */
  sha256: string | null;
  /** Version of its wording. */
  version: string;
};
export type OpenedVersion = {
  firstOpenedAt: string;
  number: number;
  /** SHA-256 in hex; null once the draft was deleted. */
  sha256: string | null;
};
export type Reader = {
  acceptedAt: string | null;
  /** Number of the version at the time of the agreement. */
  acceptedVersion: number | null;
  agreement: ReaderAgreement | null;
  /** Number of comments, without those that were withdrawn. */
  comments: number;
  documentId: string | null;
  downloads: number;
  /** Null once the person was erased. */
  email: string | null;
  firstOpenedAt: string | null;
  ideaId: number;
  /** Title, as the agreement names it. */
  ideaTitle: string;
  identity: Identity;
  lastOpenedAt: string | null;
  /** Null once the person was erased. */
  name: string | null;
  /** Whether there is a receipt to download. */
  receipt: boolean;
  recipientId: string;
  registeredAt: string;
  shareId: string;
  /** The owner's name for the link. */
  shareName: string | null;
  shareType: ShareType;
  state: ReaderState;
  /** The versions that were opened, in the order in which they were first. */
  versions: OpenedVersion[];
  /** Number of counted views. */
  views: number;
};
export type Readers = {
  /** Cursor of the next page, if there is one. */
  next: string | null;
  /** The page. */
  readers: Reader[];
  /** Number of readers on all pages. */
  total: number;
};
export type Recipient = {
  agreedToNda: boolean;
  email: string;
  id: string;
  name: string;
  phone: string | null;
};
export type RecipientBody = {
  /** Token of the link; by default the link that this browser looked up last. */
  accessToken?: string | null;
  /** Email address. */
  email: string;
  /** Full name, at least 3 characters. */
  name: string;
  /** Phone number, optional. */
  phone?: string | null;
};
export type Verification = {
  /** Seconds until it expires; 0 if it no longer works. */
  expiresIn: number;
  /** Seconds until another code can be requested. */
  resendIn: number;
  /** Number of attempts left. */
  triesLeft: number;
};
export type NdaBody = {
  /** Must be true. */
  agreed: boolean;
};
export type ErasureBody = {
  /** Whether the texts of accepted agreements are kept, with the name in them; true by default. */
  keepAgreements?: boolean | null;
  /** The password of the caller's account. */
  password: string;
};
export type CodeBody = {
  /** The six digits of the mailed code; spaces are ignored. */
  code: string;
};
export type PublicRecord = {
  /** Confirmations by outsiders, best first. */
  anchors: EvidenceAnchor[];
  documentId: string;
  /** Whether this vault asks outsiders to confirm the time. */
  hasWitnesses: boolean;
  /** Place of the publication in the log. */
  index: number | null;
  /** Origin of the log, once the publication has a place. */
  log: string | null;
  publishedAt: string;
  /** SHA-256 of the exact content, in hex; of a PDF, of the file. */
  sha256: string;
  state: EvidenceState;
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
export type NdaClause = {
  body: string;
  /** Its number and name. */
  heading: string;
};
export type NdaTerm = {
  label: string;
  value: string;
};
export type Nda = {
  clauses: NdaClause[];
  /** Paragraphs between the terms and the clauses. */
  preamble: string[];
  /** SHA-256 of `text`, in hex. */
  sha256: string;
  terms: NdaTerm[];
  /** All of it as the exact text, which 'Download Agreement' saves. */
  text: string;
  title: string;
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
  /** End of the view, or of the link if that is earlier. Null before the stage is open,
    and if the view has no end. */
  viewEndsAt: string | null;
};
export type DeclineBody = {
  /** Why, for the owner; at most 500 characters. */
  reason?: string | null;
};
export type ShareBody = {
  /** Whether readers may download the document; true by default. */
  allowDownload?: boolean | null;
  /** Title that readers see until they have accepted the agreement, in place of the idea's; at most
    200 characters. */
  coverTitle?: string | null;
  /** Expiry of a time-dependent link, RFC 3339; 7 days from now by default. */
  expiresAt?: string | null;
  /** Id of the idea to share. */
  ideaId: number;
  /** Number of views in total; by default 1 for a one-time link, else unlimited. */
  maxViews?: number | null;
  /** A personal line in the mail that brings an email link, without addresses; at most 300
    characters. It is not kept once the mail is sent. */
  message?: string | null;
  /** Name for the owner alone; at most 120 characters. */
  name?: string | null;
  /** The only address that can register on an email link. */
  recipientEmail?: string | null;
  /** Whether answers to that mail go to the creator, whose address it then shows; false by
    default. */
  replyToMe?: boolean | null;
  /** one-time, time-dependent, full-access or email. */
  shareType: ShareType;
  /** Whether its readers and those of the idea's other links with this setting see each
    other's names and comments; false by default. */
  showsOtherReaders?: boolean | null;
};
export type OwnShare = {
  /** Null if it is none of them. */
  id: string | null;
};
export type ShareChangeBody = {
  /** Whether readers may download the document; unchanged if absent. */
  allowDownload?: boolean | null;
  /** Title that readers see until they have accepted the agreement; removed if blank or null,
    unchanged if absent. */
  coverTitle?: string | null;
  /** At most 120 characters; removed if blank or null, unchanged if absent. */
  name?: string | null;
  /** Whether its readers and those of the idea's other links with this setting see each
    other's names and comments; unchanged if absent. */
  showsOtherReaders?: boolean | null;
};
export type ShareNotifications = {
  mode: NotificationMode | null;
};
export type ShareNotificationsBody = {
  mode?: NotificationMode | null;
};
export type SharePreview = {
  /** The agreement, with the names of what its reader and the time add in square brackets. */
  nda: Nda;
  /** The link at the stage open, with nobody registered. */
  shared: SharedIdea;
  /** The title that readers see until they have accepted the agreement. */
  title: string;
};
export type UploadedImage = {
  /** Path of the image on this server. */
  url: string;
};
export type ImageForm = {
  /** Id of the caller's idea that the image is for. */
  ideaId?: number | null;
  /** PNG, JPEG, GIF or WebP, at most 5 MB and 40 megapixels. */
  image: Blob;
};
export type WaitlistBody = {
  /** Email address. */
  email: string;
  /** Full name. */
  name: string;
  /** Profession. */
  profession: string;
};
