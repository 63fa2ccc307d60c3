import { baseApi as api } from "./baseApi";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getCurrentUser: build.query<GetCurrentUserApiResponse, GetCurrentUserApiArg>({
      query: () => ({ url: `/api/auth/me` }),
    }),
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: "POST",
        body: queryArg.loginBody,
      }),
    }),
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/register`,
        method: "POST",
        body: queryArg.registerBody,
      }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/logout`,
        method: "POST",
        body: queryArg.emptyBody,
      }),
    }),
    listIdeas: build.query<ListIdeasApiResponse, ListIdeasApiArg>({
      query: () => ({ url: `/api/ideas` }),
    }),
    createIdea: build.mutation<CreateIdeaApiResponse, CreateIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas`,
        method: "POST",
        body: queryArg.ideaBody,
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
        body: queryArg.ideaBody,
      }),
    }),
    deleteIdea: build.mutation<DeleteIdeaApiResponse, DeleteIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    publishIdea: build.mutation<PublishIdeaApiResponse, PublishIdeaApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/publish`,
        method: "PUT",
      }),
    }),
    listIdeaShares: build.query<ListIdeaSharesApiResponse, ListIdeaSharesApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/shares`,
      }),
    }),
    listIdeaActivity: build.query<ListIdeaActivityApiResponse, ListIdeaActivityApiArg>({
      query: (queryArg) => ({
        url: `/api/ideas/${encodeURIComponent(String(queryArg.id))}/activity`,
      }),
    }),
    createShare: build.mutation<CreateShareApiResponse, CreateShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares`,
        method: "POST",
        body: queryArg.shareBody,
      }),
    }),
    revokeShare: build.mutation<RevokeShareApiResponse, RevokeShareApiArg>({
      query: (queryArg) => ({
        url: `/api/shares/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
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
        body: queryArg.emptyBody,
      }),
    }),
    registerRecipient: build.mutation<RegisterRecipientApiResponse, RegisterRecipientApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients`,
        method: "POST",
        body: queryArg.recipientBody,
      }),
    }),
    agreeToNda: build.mutation<AgreeToNdaApiResponse, AgreeToNdaApiArg>({
      query: (queryArg) => ({
        url: `/api/recipients/${encodeURIComponent(String(queryArg.id))}/nda`,
        method: "PUT",
        body: queryArg.ndaBody,
      }),
    }),
    listComments: build.query<ListCommentsApiResponse, ListCommentsApiArg>({
      query: (queryArg) => ({
        url: `/api/comments`,
        params: {
          ideaId: queryArg.ideaId,
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
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedApi };
export type GetCurrentUserApiResponse = /** status 200 ok */ User;
export type GetCurrentUserApiArg = void;
export type LoginApiResponse = /** status 200 ok */ LoginView;
export type LoginApiArg = {
  loginBody: LoginBody;
};
export type RegisterApiResponse = /** status 201 ok */ User;
export type RegisterApiArg = {
  registerBody: RegisterBody;
};
export type LogoutApiResponse = /** status 200 ok */ SuccessView;
export type LogoutApiArg = {
  emptyBody: EmptyBody;
};
export type ListIdeasApiResponse = /** status 200 ok */ IdeaSummary[];
export type ListIdeasApiArg = void;
export type CreateIdeaApiResponse = /** status 201 ok */ Idea;
export type CreateIdeaApiArg = {
  ideaBody: IdeaBody;
};
export type GetIdeaApiResponse = /** status 200 ok */ Idea;
export type GetIdeaApiArg = {
  id: number;
};
export type UpdateIdeaApiResponse = /** status 200 ok */ Idea;
export type UpdateIdeaApiArg = {
  id: number;
  ideaBody: IdeaBody;
};
export type DeleteIdeaApiResponse = unknown;
export type DeleteIdeaApiArg = {
  id: number;
};
export type PublishIdeaApiResponse = /** status 200 ok */ Idea;
export type PublishIdeaApiArg = {
  id: number;
};
export type ListIdeaSharesApiResponse = /** status 200 ok */ Share[];
export type ListIdeaSharesApiArg = {
  id: number;
};
export type ListIdeaActivityApiResponse = /** status 200 ok */ Activity[];
export type ListIdeaActivityApiArg = {
  id: number;
};
export type CreateShareApiResponse = /** status 201 ok */ Share;
export type CreateShareApiArg = {
  shareBody: ShareBody;
};
export type RevokeShareApiResponse = unknown;
export type RevokeShareApiArg = {
  id: string;
};
export type OpenShareApiResponse = /** status 200 ok */ SharedIdea;
export type OpenShareApiArg = {
  token: string;
};
export type CloseShareApiResponse = unknown;
export type CloseShareApiArg = {
  token: string;
  emptyBody: EmptyBody;
};
export type RegisterRecipientApiResponse = /** status 201 ok */ Recipient;
export type RegisterRecipientApiArg = {
  recipientBody: RecipientBody;
};
export type AgreeToNdaApiResponse = /** status 200 ok */ Recipient;
export type AgreeToNdaApiArg = {
  id: string;
  ndaBody: NdaBody;
};
export type ListCommentsApiResponse = /** status 200 ok */ Comment[];
export type ListCommentsApiArg = {
  ideaId?: number;
};
export type CreateCommentApiResponse = /** status 201 ok */ Comment;
export type CreateCommentApiArg = {
  commentBody: CommentBody;
};
export type User = {
  id: string;
  name: string;
  email: string;
  profileImage: string | null;
};
export type ErrorBody = {
  message: string;
  field?: string;
};
export type LoginView = {
  success: boolean;
  user: User;
};
export type LoginBody = {
  email: string;
  password: string;
};
export type RegisterBody = {
  name: string;
  email: string;
  password: string;
};
export type SuccessView = {
  success: boolean;
};
export type EmptyBody = object;
export type IdeaStatus = "draft" | "published";
export type IdeaSummary = {
  id: number;
  title: string;
  status: IdeaStatus;
  contentKind: "html" | "pdf" | "canvas" | "legacy";
  documentId: string | null;
  blockchainTimestamp: string | null;
  lastModified: string;
};
export type PdfContent = {
  type: "pdf";
  fileName: string;
  pdfPath: string;
};
export type CanvasElement = {
  type: "text" | "rect" | "circle";
  x: number;
  y: number;
  rotation?: number;
  text?: string;
  fontSize?: number;
  fontFamily?: string;
  fill?: string;
  fontStyle?: string;
  width?: number;
  height?: number;
  radius?: number;
  stroke?: string;
  strokeWidth?: number;
};
export type CanvasContent = {
  elements: CanvasElement[];
};
export type LegacyContent = {
  [key: string]: unknown;
};
export type IdeaContent = string | PdfContent | CanvasContent | LegacyContent;
export type Idea = {
  id: number;
  title: string;
  status: IdeaStatus;
  contentKind: "html" | "pdf" | "canvas" | "legacy";
  documentId: string | null;
  blockchainTimestamp: string | null;
  lastModified: string;
  content: IdeaContent;
  revision: number;
  sha256: string;
};
export type IdeaBody = {
  title: string;
  content: IdeaContent;
};
export type ShareType = "one-time" | "time-dependent" | "full-access" | "email";
export type Share = {
  id: string;
  ideaId: number;
  shareType: ShareType;
  expiresAt: string | null;
  maxViews: number | null;
  recipientEmail: string | null;
  accessLink: string;
  viewCount: number;
  state: "active" | "expired" | "exhausted";
  createdAt: string;
};
export type ActivityRecipient = {
  id: string;
  name: string;
  email: string;
  phone: string | null;
};
export type Activity =
  | {
      type: "registered";
      id: string;
      at: string;
      shareId: string;
      shareType: ShareType;
      recipient: ActivityRecipient;
    }
  | {
      type: "agreed";
      id: string;
      at: string;
      shareId: string;
      shareType: ShareType;
      recipient: ActivityRecipient;
      ndaVersion: string;
      ndaSha256: string;
      revisionSha256: string;
      ip: string;
      userAgent: string | null;
    }
  | {
      type: "viewed";
      id: string;
      at: string;
      shareId: string;
      shareType: ShareType;
      recipient: ActivityRecipient;
      revisionSha256: string;
      endsAt: string;
    }
  | {
      type: "closed";
      id: string;
      at: string;
      shareId: string;
      shareType: ShareType;
      recipient: ActivityRecipient;
    };
export type ShareBody = {
  shareType: ShareType;
  ideaId: number;
  expiresAt?: string | null;
  maxViews?: number | null;
  recipientEmail?: string | null;
};
export type Sharer = {
  name: string;
};
export type SharedIdeaDetails = {
  id: number;
  title: string;
  documentId: string | null;
  status: IdeaStatus;
  user: Sharer;
  content: null | IdeaContent;
};
export type Recipient = {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  agreedToNda: boolean;
};
export type NdaView = {
  version: string;
  sha256: string;
  text: string;
};
export type SharedIdea = {
  idea: SharedIdeaDetails;
  shareType: ShareType;
  stage: "collect" | "verify" | "nda" | "open";
  recipient: null | Recipient;
  nda: null | NdaView;
  viewEndsAt: string | null;
};
export type RecipientBody = {
  name: string;
  email: string;
  phone?: string | null;
  accessToken?: string | null;
};
export type NdaBody = {
  agreed: boolean;
};
export type Comment = {
  id: string;
  recipientId: string | null;
  author: string;
  content: string;
  createdAt: string;
};
export type CommentBody = {
  content: string;
  recipientId?: string | null;
  author?: string | null;
  ideaId?: number | null;
};
export const {
  useGetCurrentUserQuery,
  useLoginMutation,
  useRegisterMutation,
  useLogoutMutation,
  useListIdeasQuery,
  useCreateIdeaMutation,
  useGetIdeaQuery,
  useUpdateIdeaMutation,
  useDeleteIdeaMutation,
  usePublishIdeaMutation,
  useListIdeaSharesQuery,
  useListIdeaActivityQuery,
  useCreateShareMutation,
  useRevokeShareMutation,
  useOpenShareQuery,
  useCloseShareMutation,
  useRegisterRecipientMutation,
  useAgreeToNdaMutation,
  useListCommentsQuery,
  useCreateCommentMutation,
} = injectedRtkApi;
