/**
 * The template language of the shells, which the server fills in for each request: see
 * crates/web/src/template.rs. Marks such as `__VAULT_NAME__` are plain text.
 */
import type { ReactNode } from "react";

/** Whether the build renders shells. */
export const isBuild = import.meta.env.SSR;

/** Writes both cases, of which the server keeps one. */
export const conditional = (condition: string, then: ReactNode, otherwise: ReactNode = null) => (
  <>
    {`[[if ${condition}]]`}
    {then}
    {"[[else]]"}
    {otherwise}
    {"[[end]]"}
  </>
);
