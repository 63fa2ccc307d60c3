/**
 * Source of the HTML. `stored` was written by the exporter and passed the server's sanitizer: white
 * space is content. `foreign` is a clipboard: white space is layout, and formats may be in styles.
 */
export type HtmlOrigin = "stored" | "foreign";
