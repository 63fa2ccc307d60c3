import type { Action } from "redux";
import { defineAction } from "./action";
import { userChanged } from "./currentUserSlice";

interface Draft {
  /**
   * Key of the draft: a link's token, or 'idea' and its number; for a reply or an edit, followed by
   * a space and the comment.
   */
  subject: string;
  text: string;
}

interface CommentDraftsState {
  userId: string | undefined;
  texts: Record<string, string>;
}

export const commentTyped = defineAction<Draft>("commentDrafts/typed");
/** Text typed after sending is kept. */
export const commentSent = defineAction<Draft>("commentDrafts/sent");
export const commentDraftsCleared = defineAction("commentDrafts/cleared");

/**
 * Drafts of comments. They outlive their form, which is unmounted with a closed section or with an
 * expired view, but not a logout; a recipient's outlive a page reload, too
 * (features/recipient/keepDrafts.ts).
 */
export function commentDraftsReducer(
  state: CommentDraftsState = { userId: undefined, texts: {} },
  action: Action,
): CommentDraftsState {
  if (commentTyped.match(action)) {
    const { subject, text } = action.payload;
    return { ...state, texts: { ...state.texts, [subject]: text } };
  }
  if (commentSent.match(action)) {
    const { [action.payload.subject]: text, ...texts } = state.texts;
    return text === action.payload.text ? { ...state, texts } : state;
  }
  if (commentDraftsCleared.match(action)) return { ...state, texts: {} };
  // Null is a session that may have expired: its user may come back.
  if (userChanged.match(action) && action.payload && action.payload.id !== state.userId) {
    return { userId: action.payload.id, texts: {} };
  }
  return state;
}

/** Returns the keys of all drafts beside the document of one link. */
export const draftsBeside = (texts: Record<string, string>, token: string): string[] =>
  Object.keys(texts).filter((subject) => subject === token || subject.startsWith(`${token} `));
