/** Texts and controls of each screen. */
interface Screen {
  readonly texts?: readonly string[];
  readonly buttons?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly fields?: readonly string[];
  readonly placeholders?: readonly string[];
  /** Texts of another state of the same screen. */
  readonly not?: readonly string[];
}

const footer = {
  "About Us": "/about",
  Contact: "/contact",
  "Privacy Policy": "/privacy-policy",
  "Data Handling": "/data-handling",
};

export const screens = {
  "Landing page": {
    texts: ["Vault Agent"],
    buttons: ["Get Started", "Search", "Clear"],
    links: { Login: "/login", ...footer },
  },
  "Landing page, 'Get Started' dialog": { buttons: ["Join Waitlist"] },
  "Landing page, waitlist dialog": {
    fields: ["Name", "Email", "Profession"],
    buttons: ["Join Waitlist"],
  },
  Login: {
    texts: ["Sign up (Invite Only)", "Coming Soon"],
    fields: ["Email", "Password"],
    buttons: ["Sign in", "Show password"],
    links: { Forgot: "/forgot-password", IdeaVault: "/" },
  },
  Register: {
    texts: ["Create your account", "or with email", "Coming Soon"],
    fields: ["Full Name", "Email", "Password", "Confirm Password"],
    buttons: ["Create account"],
    links: { "Sign in": "/login", "Terms of Service": "/terms" },
  },
  "Forgot password": {
    texts: ["Reset Password"],
    fields: ["Email"],
    links: { "Back to Login": "/login" },
  },
  "Forgot password, sent": {
    texts: ["Check Your Email", "ada@example.org"],
    buttons: ["Try Again"],
    links: { "Back to Login": "/login" },
  },
  Dashboard: {
    texts: [
      "Idea Portfolio",
      "Hi Ada",
      "+ File an Idea",
      "Drafts",
      "Published",
      "My Assets",
      "Shared with me",
      "No published ideas yet",
      "No assets uploaded yet",
      "No shared ideas yet",
    ],
    buttons: ["Start from scratch", "Upload PDF", "Delete Self-watering planter"],
    links: {
      "Idea (7) : Self-watering planter": "/editor/7",
      "Edit Self-watering planter": "/editor/7",
      "Share Self-watering planter": "/share/7",
      IdeaVault: "/",
    },
  },
  "Dashboard, Account menu": { texts: ["Profile Settings", "Log Out"] },
  "Editor, new": {
    texts: [
      "My Idea",
      "Problem Statement",
      "Solution Overview",
      "Key Features",
      "Target Audience",
      "Implementation Notes",
      "Next Steps",
    ],
    fields: ["Title"],
    placeholders: ["Enter your idea title...", "Start writing your idea..."],
    buttons: ["Create Idea", "Write with AI"],
    links: { Dashboard: "/dashboard" },
    not: ["Publish", "Save Changes", "Idea details"],
  },
  "Editor, saved": {
    texts: ["Idea details"],
    buttons: [
      "Write with AI",
      "Save Changes",
      "Publish",
      "Bold",
      "Italic",
      "Strikethrough",
      "Code",
      "Highlight",
      "Paragraph",
      "Heading 1",
      "Heading 2",
      "Heading 3",
      "Bullet list",
      "Ordered list",
      "Quote",
      "Horizontal rule",
      "Add link",
      "Add image",
      "Add video",
      "Text colour",
      "Undo",
      "Redo",
    ],
    not: ["Create Idea", "Share It"],
  },
  "Editor, published": {
    texts: [
      "Published",
      "This idea has been published and is now read-only. Published ideas cannot be edited.",
    ],
    links: { "Share It": "/share/7" },
    not: ["Write with AI", "Save Changes", "Publish", "Bold"],
  },
  "Editor, PDF": {
    texts: ["PDF Document: Self-watering planter", "plan.pdf"],
    links: { "Open PDF": "/api/files/x" },
    not: ["Write with AI"],
  },
  "Editor, legacy format": { texts: ["Content imported from previous format"] },
  "AI writing assistant": {
    texts: ["Write with AI Assistant", "Start sharing your idea and I'll help you develop it!"],
    buttons: ["Send", "Copy All"],
    placeholders: ["Continue the conversation..."],
  },
  Share: {
    texts: ["Share your idea", "Self-watering planter", "Draft", "Active Share Links"],
    fields: [
      "One-time view",
      "Time-dependent (expires after a period)",
      "Full access (unlimited views)",
      "Share by Email (Full Access)",
      "Maximum Views",
    ],
    placeholders: ["One view if left empty"],
    buttons: ["Generate Share Link"],
    links: { Dashboard: "/dashboard" },
    not: ["Expiration Date", "Recipient Email"],
  },
  "Share, by email": {
    fields: ["Recipient Email"],
    buttons: ["Send Email Invitation"],
    not: ["Maximum Views", "Expiration Date"],
  },
  Profile: {
    texts: ["Email cannot be changed"],
    fields: ["Name", "Email"],
    buttons: ["Change Photo", "Save Changes", "Change Password", "Logout"],
    not: Object.keys(footer),
  },
  "Profile, password form": { buttons: ["Change Password", "Cancel"] },
  "Recipient details": { fields: ["Full name", "Email", "Phone (optional)"] },
  NDA: {
    texts: ["A kettle that waits", "IV-7K3M-Q9TX-2B4N", "Ada Lovelace", "Grace Hopper"],
    buttons: ["Please read the full agreement", "Decline", "Download Agreement"],
  },
  "Shared document": {
    texts: ["A kettle that waits", "Verified & Published", "IV-7K3M-Q9TX-2B4N", "Comments"],
    fields: ["Add a comment"],
    buttons: ["Close", "Download", "Send"],
  },
  "Shared document, PDF": {
    links: { "Open in New Tab": "/api/files/x", "Download PDF": "/api/share/tok/download" },
  },
  "Access Denied": {
    texts: ["The link you're trying to access is invalid or has expired."],
    links: { "Return Home": "/" },
  },
  About: {
    texts: ["Security First", "Innovation Protection", "User Control", "Transparency"],
  },
  Contact: { texts: ["Support", "General", "Security"] },
  "Privacy Policy": { texts: ["Last updated January 2025"] },
  "Data Handling": { texts: ["Your rights", "Our principles", "Security measures"] },
  "Cookie banner": {
    buttons: ["Accept Cookies", "Decline"],
    links: { "Learn more": "/privacy-policy" },
  },
} as const satisfies Record<string, Screen>;

/** Texts of transient states and questions. */
export const loadingStates = {
  "Protected-route guard": "Verifying access...",
  "Dashboard, loading": "Loading...",
  "Upload area, uploading": "Uploading PDF...",
  "Upload area, please wait": "Please wait while we process your file",
  "Upload area, done": "PDF Uploaded Successfully",
  "Editor, loading": "Loading idea...",
  "Editor, publishing an unsaved idea": "Please save your idea first before publishing",
  "Editor, add link": "Enter URL:",
  "Editor, add video": "Enter YouTube video URL:",
  "AI writing assistant, waiting": "AI is thinking...",
  "Share, loading": "Loading idea details...",
  "Share, idea absent": "Idea not found",
  "Profile, loading": "Loading profile...",
  "Profile, image": "Uploading image...",
  "Recipient details, checking": "Verifying access...",
  "NDA, declining": "Are you sure you want to decline? You will not be able to view the document.",
  "NDA, agreeing": "Encrypting your agreement...",
  "Shared document, checking": "Verifying access...",
  "Shared document, loading": "Loading document...",
} as const;
