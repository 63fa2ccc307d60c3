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

/** The same, for texts. */
export const conditionalText = (condition: string, then: string, otherwise: string): string =>
  `[[if ${condition}]]${then}[[else]]${otherwise}[[end]]`;

/** Writes what the server repeats for each row of a list. */
export const forEach = (list: string, row: ReactNode) => (
  <>
    {`[[each ${list}]]`}
    {row}
    {"[[end]]"}
  </>
);

/** Keeps the place of a text that only the browser can write, such as a time where the reader is. */
export const placeOf = (text: string) => <span className="invisible">{text}</span>;

/** A time as long as any. */
export const placeOfTime = placeOf("Nov 24, 2026, 12:00 PM");
