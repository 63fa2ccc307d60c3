/** The routes of the pages that build/pages.mjs declares, written by build/pageRoutes.ts. */
declare module "virtual:pages" {
  interface PageRoute {
    path: string;
    /** Loads the page's chunk. */
    lazy: () => Promise<{ Component: import("react").ComponentType; handle: PageHandle }>;
  }

  export interface PageHandle {
    /**
     * Loads what the page shows first, where its document shows something of its link: see
     * `linkShown` in build/pages.mjs.
     */
    prepare?: import("@/features/recipient/visit").Prepare;
  }

  export const everyone: PageRoute[];
  /** Pages that somebody who is signed in has no use for. */
  export const signedOut: PageRoute[];
  export const signedIn: PageRoute[];
}
