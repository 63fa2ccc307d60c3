/** Loads the page again, which takes everything of the present user from it. */
export const reload = (): void => location.reload();
