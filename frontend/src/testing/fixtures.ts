import type { Comment, Idea, IdeaSummary, ListedIdea, Session, Share, User } from "@/api/generated";

export const aUser = (over: Partial<User> = {}): User => ({
  id: "5b0c9d5e-8a56-4a7e-9f0e-0f6f9a1c2d3e",
  name: "Ada Lovelace",
  email: "ada@example.org",
  profileImage: null,
  emailConfirmed: true,
  confirmationRequired: false,
  ...over,
});

export const anIdeaSummary = (over: Partial<IdeaSummary> = {}): IdeaSummary => ({
  id: 7,
  title: "Self-watering planter",
  status: "draft",
  contentKind: "html",
  documentId: null,
  blockchainTimestamp: null,
  lastModified: "2026-11-20T09:30:00.000000Z",
  ...over,
});

export const aListedIdea = (over: Partial<ListedIdea> = {}): ListedIdea => ({
  ...anIdeaSummary(),
  onRecord: over.status === "published",
  linkCount: 0,
  viewCount: 0,
  isDamaged: false,
  tags: [],
  archived: false,
  ...over,
});

export const anIdea = (over: Partial<Idea> = {}): Idea => ({
  ...anIdeaSummary(),
  content: "<p>Water wicks up.</p>",
  revision: 1,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ...over,
});

export const aShare = (over: Partial<Share> = {}): Share => ({
  id: "0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111",
  ideaId: 7,
  name: null,
  coverTitle: null,
  shareType: "full-access",
  expiresAt: null,
  maxViews: null,
  recipientEmail: null,
  accessLink: "tok3n",
  viewCount: 0,
  showsOtherReaders: false,
  allowDownload: true,
  state: "active",
  notifications: null,
  createdAt: "2026-11-20T10:00:00.000000Z",
  lastViewAt: null,
  endedAt: null,
  foldedRegistrations: 0,
  ...over,
});

export const aComment = (over: Partial<Comment> = {}): Comment => ({
  id: "7f3d1b9a-0b6f-4c39-9c55-0e8f3a1c4d21",
  recipientId: "11111111-1111-4111-8111-111111111111",
  author: "Rosa Lindt",
  content: "Does the wick need changing?",
  createdAt: "2026-11-20T11:00:00.000000Z",
  editedAt: null,
  withdrawnAt: null,
  replyTo: null,
  ...over,
});

export const aSession = (over: Partial<Session> = {}): Session => ({
  id: "2f1e6f0a-52b7-4a4e-8a4e-33b3c1b5a222",
  createdAt: "2026-11-20T08:00:00.000000Z",
  lastSeenAt: "2026-11-20T09:00:00.000000Z",
  ip: "203.0.113.9",
  browser: "Firefox on Linux",
  current: false,
  ...over,
});
