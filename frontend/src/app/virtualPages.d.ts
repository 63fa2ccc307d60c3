/** The routes of the pages that build/pages.mjs declares, written by build/pageRoutes.ts. */
declare module "virtual:pages" {
  interface PageRoute {
    path: string;
    /** Loads the page's chunk. */
    lazy: () => Promise<{ Component: import("react").ComponentType; handle: PageHandle }>;
  }

  export interface PageHandle {
    /**
     * For a page whose document shows something to one browser alone (`personal` in
     * build/pages.mjs): without it, that would give way to a wait.
     */
    prepare?: import("@/store/prepare").Prepare;
  }

  export const everyone: PageRoute[];
  /** Pages that somebody who is signed in has no use for. */
  export const signedOut: PageRoute[];
  /** Pages of a share, whose screens call the server through RTK Query. */
  export const recipient: PageRoute[];
  export const signedIn: PageRoute[];
}
