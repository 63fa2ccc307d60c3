import type { SearchAnswer } from "@/api/generated";
import { Alert } from "@/ui/Alert";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { plainText } from "../plainText";
import { sourcesOf } from "../sources";

interface SearchOutcomeProps {
  answer?: SearchAnswer;
  failure?: string;
}

/** Result of a search: text with its sources, or the failure. */
export function SearchOutcome({ answer, failure }: SearchOutcomeProps) {
  if (failure) {
    return (
      <div className="mt-6">
        <Alert>{failure}</Alert>
      </div>
    );
  }
  if (!answer) return null;
  const sources = sourcesOf(answer.citations);
  return (
    <div className="wrap-anywhere mt-6 border-line border-t pt-6">
      <h3 className="font-semibold">What the agent found</h3>
      <p className="mt-2 max-w-prose whitespace-pre-wrap">{plainText(answer.response)}</p>
      {sources.length > 0 && (
        <>
          <h3 className="mt-6 font-semibold text-sm">Sources</h3>
          <ul className="mt-1 flex flex-wrap gap-x-5">
            {sources.map(({ url, host }) => (
              <li key={url}>
                <a
                  href={url}
                  target="_blank"
                  rel="noopener noreferrer nofollow"
                  className={`inline-flex min-h-11 items-center md:min-h-8 ${textLinkStyles}`}
                >
                  {host}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
