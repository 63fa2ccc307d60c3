/** An idea's id; a text in what the server fills in. */
type IdeaId = number | string;

/** Every path that something links to; links are built here and nowhere else. */
export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  terms: "/terms",
  privacy: "/privacy",
  about: "/about",
  contact: "/contact",
  privacyPolicy: "/privacy-policy",
  dataHandling: "/data-handling",
  verify: "/verify",
  myDocuments: "/my-documents",
  dashboard: "/dashboard",
  profile: "/profile",
  newIdea: "/editor/new",
  editor: (ideaId: IdeaId) => `/editor/${ideaId}`,
  share: (ideaId: IdeaId) => `/share/${ideaId}`,
  evidence: (ideaId: number) => `/evidence/${ideaId}`,
  allReaders: "/readers",
  readers: (ideaId: number) => `/readers/${ideaId}`,
  preview: (shareId: string) => `/preview/${shareId}`,
  record: (documentId: string) => `/record/${encodeURIComponent(documentId)}`,
  collect: (accessToken: string) => `/collect/${encodeURIComponent(accessToken)}`,
  view: (accessToken: string) => `/view/${encodeURIComponent(accessToken)}`,
  nda: (accessToken: string) => `/nda/${encodeURIComponent(accessToken)}`,
  document: (accessToken: string) => `/document/${encodeURIComponent(accessToken)}`,
} as const;

/** The back button of every signed-in screen except the dashboard: one target, one label. */
export const backToDashboard = { to: paths.dashboard, label: "Dashboard" } as const;
