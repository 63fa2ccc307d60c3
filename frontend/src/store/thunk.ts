import type { AppDispatch, RootState } from "./store";

/** A function that is dispatched: it outlives the screen that dispatches it. */
export type Thunk<Result> = (dispatch: AppDispatch, getState: () => RootState) => Promise<Result>;
