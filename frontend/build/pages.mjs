// @ts-check

/**
 * A page of the application. The router, the documents that the server sends, their preloads and
 * the JavaScript budgets all follow from this declaration.
 *
 * @typedef {object} Page
 * @property {string} name Name of its shell, and of its row in the budgets.
 * @property {readonly string[]} paths Its addresses, as react-router's patterns. Those that
 *   something links to stand in src/routing/paths.ts, too.
 * @property {string} title Title of its document until it runs; the vault's name is added. The
 *   page itself sets the same one, or a more exact one, by `PageHeading`.
 * @property {string} [description] For search engines and link previews. Default: the one of
 *   index.html.
 * @property {string} module Module of its component, which has the same name as the file.
 * @property {Access} access Who can open it; others are redirected. Whether somebody is the
 *   recipient of the share in the address, the page asks: public/early.js looks the share up before
 *   the application runs.
 * @property {"page" | "frame"} shell What its document shows before any script has run: the whole
 *   page, if it is the same for everybody, or what src/app/shells.tsx says.
 * @property {"preview" | "agreement" | "document" | "portfolio"} [personal] What its document shows
 *   to one browser alone: of that link, who shares what, to newcomers, or the beginning of the
 *   agreement or of the document, to whom the link itself would show it; or the ideas of the
 *   signed-in creator.
 * @property {boolean} [hasText] Whether its first screen has text in Serif, not only headings, and
 *   its font is loaded with the document. The editor loads it after its code.
 * @property {readonly string[]} [atStart] Modules that it requests at once, besides those that
 *   follow from `access`. They are preloaded, and count in the budget.
 * @property {number} budget JavaScript until it is usable, in KB (gzip). React Router with the parts
 *   for its framework mode is 5 KB more than without them, Formik with lodash 6 KB.
 *
 * @typedef {"everyone" | "signedOut" | "recipient" | "signedIn"} Access
 */

/** Tells about a share before it is opened: nothing about the idea. */
const invitation = {
  title: "A confidential document was shared with you",
  description:
    "Say who you are, read the non-disclosure agreement, and see the document once you have agreed.",
};

/** @type {readonly Page[]} */
export const pages = [
  {
    name: "landing",
    paths: ["/"],
    title: "Put your idea on record",
    module: "src/app/routes/LandingRoute.tsx",
    access: "everyone",
    shell: "frame",
    budget: 119.5,
  },
  {
    name: "login",
    paths: ["/login"],
    title: "Sign in",
    module: "src/features/auth/LoginPage.tsx",
    access: "signedOut",
    shell: "page",
    budget: 136,
  },
  {
    name: "register",
    paths: ["/register"],
    title: "Register",
    module: "src/features/auth/RegisterPage.tsx",
    access: "signedOut",
    shell: "page",
    budget: 135,
  },
  {
    name: "collect",
    paths: ["/collect/:accessToken?", "/view/:accessToken?"],
    ...invitation,
    personal: "preview",
    module: "src/features/recipient/CollectPage.tsx",
    access: "recipient",
    shell: "frame",
    atStart: ["src/features/recipient/components/CollectForm.tsx"],
    // This and the next two with RTK Query (22 KB) and the calls (4 KB).
    budget: 164,
  },
  {
    name: "nda",
    paths: ["/nda/:accessToken?"],
    ...invitation,
    personal: "agreement",
    module: "src/features/recipient/AgreementPage.tsx",
    access: "recipient",
    hasText: true,
    shell: "frame",
    budget: 152.5,
  },
  {
    name: "document",
    paths: ["/document/:accessToken?"],
    ...invitation,
    personal: "document",
    module: "src/features/recipient/DocumentPage.tsx",
    access: "recipient",
    hasText: true,
    shell: "frame",
    atStart: ["src/content/HtmlContent.tsx"],
    budget: 153.5,
  },
  {
    name: "forgotPassword",
    paths: ["/forgot-password"],
    title: "Reset Password",
    module: "src/features/auth/ForgotPasswordPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 134.5,
  },
  {
    name: "resetPassword",
    paths: ["/reset-password/:token?"],
    title: "Choose a new password",
    module: "src/features/auth/ResetPasswordPage.tsx",
    access: "everyone",
    shell: "frame",
    budget: 135,
  },
  {
    name: "confirmEmail",
    paths: ["/confirm-email/:token?"],
    title: "Confirm your email address",
    module: "src/features/auth/ConfirmEmailPage.tsx",
    access: "everyone",
    shell: "frame",
    budget: 135,
  },
  {
    name: "myDocuments",
    paths: ["/my-documents"],
    title: "Your documents",
    module: "src/features/myDocuments/MyDocumentsPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 134,
  },
  {
    name: "openDocuments",
    paths: ["/my-documents/:token"],
    title: "Your documents",
    module: "src/features/myDocuments/OpenDocumentsPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 122.5,
  },
  {
    name: "unsubscribe",
    paths: ["/unsubscribe/:token"],
    title: "Stop emails",
    module: "src/features/notices/UnsubscribePage.tsx",
    access: "everyone",
    shell: "page",
    budget: 119,
  },
  {
    name: "about",
    paths: ["/about"],
    title: "About Us",
    module: "src/features/pages/AboutPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 121,
  },
  {
    name: "contact",
    paths: ["/contact"],
    title: "Contact",
    module: "src/features/pages/ContactPage.tsx",
    access: "everyone",
    shell: "frame",
    budget: 120,
  },
  {
    name: "privacyPolicy",
    paths: ["/privacy-policy", "/privacy"],
    title: "Privacy Policy",
    module: "src/features/pages/PrivacyPolicyPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 121,
  },
  {
    name: "terms",
    paths: ["/terms"],
    title: "Terms of Service",
    module: "src/features/pages/TermsPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 120,
  },
  {
    name: "dataHandling",
    paths: ["/data-handling"],
    title: "Data Handling",
    module: "src/features/pages/DataHandlingPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 121,
  },
  {
    name: "dashboard",
    paths: ["/dashboard"],
    title: "Idea Portfolio",
    module: "src/features/ideas/DashboardPage.tsx",
    access: "signedIn",
    personal: "portfolio",
    shell: "frame",
    budget: 155.5,
  },
  {
    name: "editor",
    paths: ["/editor/:id"],
    title: "Editor",
    module: "src/app/routes/EditorRoute.tsx",
    access: "signedIn",
    shell: "frame",
    atStart: ["src/features/editor/components/HtmlIdea.tsx"],
    budget: 298,
  },
  {
    name: "share",
    paths: ["/share/:id"],
    title: "Share your idea",
    module: "src/features/shares/SharePage.tsx",
    access: "signedIn",
    shell: "frame",
    // With the head of an idea.
    budget: 182,
  },
  {
    name: "preview",
    paths: ["/preview/:shareId"],
    title: "Preview",
    module: "src/features/recipient/PreviewPage.tsx",
    access: "signedIn",
    shell: "frame",
    budget: 182,
  },
  {
    name: "evidence",
    paths: ["/evidence/:id"],
    title: "Evidence",
    module: "src/features/evidence/EvidencePage.tsx",
    access: "signedIn",
    shell: "frame",
    // With the head of an idea.
    budget: 156.5,
  },
  {
    name: "readers",
    paths: ["/readers", "/readers/:id"],
    title: "Readers",
    module: "src/features/readers/ReadersPage.tsx",
    access: "signedIn",
    shell: "frame",
    budget: 153,
  },
  {
    name: "profile",
    paths: ["/profile"],
    title: "Profile",
    module: "src/features/profile/ProfilePage.tsx",
    access: "signedIn",
    shell: "frame",
    atStart: ["src/features/profile/components/ProfileForm.tsx"],
    budget: 169.5,
  },
  {
    name: "verify",
    paths: ["/verify"],
    title: "Check evidence",
    module: "src/features/verify/VerifyPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 123.5,
  },
  {
    name: "record",
    paths: ["/record/:documentId"],
    title: "Public record",
    module: "src/features/record/RecordPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 123,
  },
  {
    name: "notFound",
    paths: ["*"],
    title: "404 Page Not Found",
    module: "src/features/pages/NotFoundPage.tsx",
    access: "everyone",
    shell: "page",
    budget: 118.5,
  },
];
