import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { currentUserSlice } from "./currentUserSlice";

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

/**
 * Drafts of comments. They outlive their form, which is unmounted with a closed section or with an
 * expired view, but not a page reload or a logout.
 */
export const commentDraftsSlice = createSlice({
  name: "commentDrafts",
  initialState: (): CommentDraftsState => ({ userId: undefined, texts: {} }),
  reducers: {
    commentTyped: ({ texts }, { payload: { subject, text } }: PayloadAction<Draft>) => {
      texts[subject] = text;
    },
    /** Text typed after sending is kept. */
    commentSent: ({ texts }, { payload: { subject, text } }: PayloadAction<Draft>) => {
      if (texts[subject] === text) delete texts[subject];
    },
    commentDraftsCleared: (state) => {
      state.texts = {};
    },
  },
  extraReducers: (builder) => {
    builder.addCase(currentUserSlice.actions.userChanged, (state, { payload }) =>
      // Null is a session that may have expired: its user may come back.
      !payload || payload.id === state.userId ? state : { userId: payload.id, texts: {} },
    );
  },
});

/** Returns the keys of all drafts beside the document of one link. */
export const draftsBeside = (texts: Record<string, string>, token: string): string[] =>
  Object.keys(texts).filter((subject) => subject === token || subject.startsWith(`${token} `));

export const { commentTyped, commentSent, commentDraftsCleared } = commentDraftsSlice.actions;
