/** State of the navigation that follows a logout: too late to ask whether to stay. */
export const LOGGED_OUT = { hasLoggedOut: true } as const;

/** Whether a navigation follows a logout. */
export const followsLogout = ({ state }: { state: unknown }): boolean =>
  typeof state === "object" && state !== null && "hasLoggedOut" in state;
