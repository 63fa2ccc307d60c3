/**
 * The shells are Jinja templates, which the server renders for each request: what they can show
 * stands in crates/web/src/embedded.rs.
 */
import type { ReactNode } from "react";
import { timeStyles } from "./timeStyles";

/** Whether the build renders shells. */
export const isBuild = import.meta.env.SSR;

/** Writes the place of a variable. */
export const variable = (name: string): string => `{{ ${name} }}`;

/** Writes both cases; the server keeps one of them. */
export const conditional = (condition: string, then: ReactNode, otherwise: ReactNode = null) => (
  <>
    {`{% if ${condition} %}`}
    {then}
    {"{% else %}"}
    {otherwise}
    {"{% endif %}"}
  </>
);

/** The same, for texts. */
export const conditionalText = (condition: string, then: string, otherwise: string): string =>
  `{% if ${condition} %}${then}{% else %}${otherwise}{% endif %}`;

/** Writes a row, which the server repeats for each item of a list; the row knows it by that name. */
export const forEach = (name: string, list: string, row: ReactNode) => (
  <>
    {`{% for ${name} in ${list} %}`}
    {row}
    {"{% endfor %}"}
  </>
);

/** Keeps the place of a time: only the browser knows how to write it where the reader is. */
export const placeOfTime = <span className={timeStyles} />;
