import type { Share } from "@/api/generated";

/** What the owner of a link allows its readers, and can change at any time. */
export type ShareOptions = Pick<Share, "showsOtherReaders" | "allowDownload">;

export const defaultOptions: ShareOptions = { showsOtherReaders: false, allowDownload: true };

/** The options in the order of the form, with the words of their checkboxes. */
export const optionTexts: Record<keyof ShareOptions, { label: string; hint?: string }> = {
  showsOtherReaders: {
    label: "Readers of all links with this option see each other’s comments",
  },
  allowDownload: {
    label: "Readers may download the document",
    hint: "Otherwise they get no file, but anything on a screen can be copied.",
  },
};

/** The names of the options. */
export const optionNames = Object.keys(optionTexts) as (keyof ShareOptions)[];

/** Returns the options that differ from the default. */
export const changedOptions = (options: ShareOptions): Partial<ShareOptions> =>
  Object.fromEntries(
    optionNames
      .filter((name) => options[name] !== defaultOptions[name])
      .map((name) => [name, options[name]]),
  );
