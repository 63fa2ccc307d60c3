import type { Action } from "redux";

/** Creates actions of one type, and recognizes them. */
interface ActionCreator<Payload> {
  (payload: Payload): { type: string; payload: Payload };
  match: (action: Action) => action is { type: string; payload: Payload };
}

/**
 * Defines an action. The reducers of this folder are plain functions: Redux Toolkit's slices, with
 * Immer, would cost every public page 9 KB. They are loaded with RTK Query.
 */
export function defineAction<Payload = void>(type: string): ActionCreator<Payload> {
  return Object.assign((payload: Payload) => ({ type, payload }), {
    match: (action: Action): action is { type: string; payload: Payload } => action.type === type,
  });
}
