import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { currentUserSlice } from "@/api/currentUserSlice";

interface Draft {
  /**
   * What the comment is about: a link's token, or 'idea' and its number; for an answer or an edit,
   * followed by a space and which.
   */
  subject: string;
  text: string;
}

interface CommentDraftsState {
  userId: string | undefined;
  texts: Record<string, string>;
}

/**
 * Comments that are being written. They outlive their form, which goes with a section that is
 * closed and with a document whose time is over, but neither the page nor whoever logs out.
 */
export const commentDraftsSlice = createSlice({
  name: "commentDrafts",
  initialState: (): CommentDraftsState => ({ userId: undefined, texts: {} }),
  reducers: {
    commentTyped: ({ texts }, { payload: { subject, text } }: PayloadAction<Draft>) => {
      texts[subject] = text;
    },
    /** What was typed since it was sent stays. */
    commentSent: ({ texts }, { payload: { subject, text } }: PayloadAction<Draft>) => {
      if (texts[subject] === text) delete texts[subject];
    },
    commentsForgotten: (state) => {
      state.texts = {};
    },
  },
  extraReducers: (builder) => {
    builder.addCase(currentUserSlice.actions.userChanged, (state, { payload }) =>
      // Null is a session that may have ended by itself: its user may come back.
      !payload || payload.id === state.userId ? state : { userId: payload.id, texts: {} },
    );
  },
});

/** The subjects of all that is being written beside the document of one link. */
export const draftsBeside = (texts: Record<string, string>, token: string): string[] =>
  Object.keys(texts).filter((subject) => subject === token || subject.startsWith(`${token} `));

export const { commentTyped, commentSent, commentsForgotten } = commentDraftsSlice.actions;
