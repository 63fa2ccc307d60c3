import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { Comment } from "@/api/generated";
import { lookupStarted, visitCleared, visitDenied } from "./visitSlice";

interface CommentsState {
  comments: Comment[];
}

const empty = (): CommentsState => ({ comments: [] });

/** Comments on the open document; empty at first, and cleared with it. */
export const commentsSlice = createSlice({
  name: "comments",
  initialState: empty,
  reducers: {
    commentsReplaced: (state, action: PayloadAction<Comment[]>) => {
      state.comments = action.payload;
    },
    commentAppended: (state, action: PayloadAction<Comment>) => {
      state.comments.push(action.payload);
    },
  },
  extraReducers: (builder) => {
    builder.addCase(lookupStarted, empty).addCase(visitDenied, empty).addCase(visitCleared, empty);
  },
  selectors: { selectComments: (state) => state.comments },
});

export const { commentsReplaced, commentAppended } = commentsSlice.actions;
export const { selectComments } = commentsSlice.selectors;
