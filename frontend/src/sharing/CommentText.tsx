import { textLinkStyles } from "@/ui/textLinkStyles";
import { partsOf } from "./threads";

/** The text of a comment, with its web addresses as links. */
export function CommentText({ text }: { text: string }) {
  return (
    <p dir="auto" className="mt-0.5 whitespace-pre-wrap">
      {partsOf(text).map(({ at, text: part, address }) =>
        address === null ? (
          part
        ) : (
          <a
            key={at}
            href={address}
            target="_blank"
            rel="noopener nofollow noreferrer"
            className={textLinkStyles}
          >
            {part}
          </a>
        ),
      )}
    </p>
  );
}
