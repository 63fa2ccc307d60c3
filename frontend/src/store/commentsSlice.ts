import type { Action } from "redux";
import type { Comment } from "@/api/generated";
import { defineAction } from "./action";
import { lookupStarted, visitCleared, visitDenied } from "./visitSlice";

interface CommentsState {
  comments: Comment[];
}

export const commentsReplaced = defineAction<Comment[]>("comments/replaced");
export const commentAppended = defineAction<Comment>("comments/appended");

/** Comments on the open document; empty at first, and cleared with it. */
export function commentsReducer(
  state: CommentsState = { comments: [] },
  action: Action,
): CommentsState {
  if (commentsReplaced.match(action)) return { comments: action.payload };
  if (commentAppended.match(action)) return { comments: [...state.comments, action.payload] };
  const isEnd = [lookupStarted, visitDenied, visitCleared].some(({ match }) => match(action));
  return isEnd ? { comments: [] } : state;
}

export const selectComments = ({ comments }: { comments: CommentsState }) => comments.comments;
