/** Figures of one visit. */
export interface Figures {
  /** Largest Contentful Paint, in milliseconds from the navigation. */
  lcp: number;
  /** Total blocking time: what each task took beyond 50 ms, in milliseconds. */
  blocking: number;
  /** All that was transferred until the network was quiet, headers included, in KB of 1000 bytes. */
  transferred: number;
  /** Time from the navigation until the page can be used, in milliseconds; only for some pages. */
  ready?: number;
  /** 95th percentile from a key to the frame that shows it, in milliseconds; only for the editor. */
  key?: number;
}

/** Upper limit of a figure. */
export type Goals = Partial<Figures>;

/**
 * Pages that everybody sees first. React Router with the parts for its framework mode is 4 KB of each,
 * lodash for Formik 5 KB of those with a form.
 */
export const firstPage: Goals = { lcp: 800, blocking: 120, transferred: 163 };

/**
 * The dashboard, with RTK Query and its calls. React, the router, RTK Query, the fonts and the
 * document are 149 KB before any code of its own.
 */
export const dashboardPage: Goals = { ...firstPage, transferred: 194 };

/** Steps of a link, with RTK Query and its calls, which are 23 KB. */
export const linkPage: Goals = { lcp: 1200, blocking: 150, transferred: 197 };

/** First page of a PDF of 5 MB, opened by its address. */
export const pdfPage: Goals = { ready: 3500 };

/** The editor with 20,000 words. */
export const editorPage: Goals = { ready: 2500, key: 50 };

const columns: [name: keyof Figures, heading: string, show: (value: number) => string][] = [
  ["lcp", "LCP", (value) => `${(value / 1000).toFixed(2)} s`],
  ["blocking", "blocking", (value) => `${value.toFixed(0)} ms`],
  ["transferred", "in all", (value) => `${value.toFixed(0)} KB`],
  ["ready", "ready", (value) => `${(value / 1000).toFixed(2)} s`],
  ["key", "key, p95", (value) => `${value.toFixed(0)} ms`],
];

/** Returns the medians of several visits, figure by figure. */
export function medians(visits: readonly Figures[]): Figures {
  const median = (name: keyof Figures) => {
    const values = visits.flatMap((visit) => visit[name] ?? []).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)];
  };
  const ready = median("ready");
  const key = median("key");
  return {
    lcp: median("lcp") ?? Number.NaN,
    blocking: median("blocking") ?? Number.NaN,
    transferred: median("transferred") ?? Number.NaN,
    ...(ready === undefined ? {} : { ready }),
    ...(key === undefined ? {} : { key }),
  };
}

/** Returns the figures that are over their goal, each as a text. */
export function missed(figures: Figures, goals: Goals): string[] {
  return columns.flatMap(([name, heading, show]) => {
    const goal = goals[name];
    const value = figures[name];
    if (goal === undefined) return [];
    if (value === undefined || !(value <= goal))
      return [`${heading}: ${value === undefined ? "none" : show(value)}, at most ${show(goal)}`];
    return [];
  });
}

/** Returns a Markdown table of all pages, with the goals behind the figures. */
export function table(rows: readonly (readonly [page: string, figures: Figures, goals: Goals])[]) {
  const cells = rows.map(([page, figures, goals]) => [
    page,
    ...columns.map(([name, , show]) => {
      const value = figures[name];
      const goal = goals[name];
      if (value === undefined) return "";
      if (goal === undefined) return show(value);
      return `${show(value)} of ${show(goal)}${value <= goal ? "" : " (missed)"}`;
    }),
  ]);
  const head = ["page", ...columns.map(([, heading]) => heading)];
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
