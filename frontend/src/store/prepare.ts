import type { Thunk } from "./thunk";

/** The part of the router's state that says which page it is. */
interface Address {
  readonly location: { readonly search: string };
  readonly matches: readonly {
    readonly params: { readonly accessToken?: string | undefined };
  }[];
}

/** Loads what the page at an address shows first. */
export type Prepare = (address: Address) => Thunk<void>;
