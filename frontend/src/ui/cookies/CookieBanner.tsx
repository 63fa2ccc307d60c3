import { useEffect } from "react";
import { Link, useNavigate } from "react-router";
import { store } from "@/browser/storage";
import { paths } from "@/routing/paths";
import { Button } from "../Button";
import { IconButton } from "../IconButton";
import { textLinkStyles } from "../textLinkStyles";
import { COOKIE_CONSENT_KEY, COOKIE_PLACE_ID } from "./consent";

/** The cookie question; takes over the markup that the server wrote, if any. */
export function CookieBanner({ onAnswered }: { onAnswered: () => void }) {
  const written = document.getElementById(COOKIE_PLACE_ID)?.firstElementChild;
  const answer = (accepted: boolean) => {
    store("localStorage", COOKIE_CONSENT_KEY, String(accepted));
    written?.remove();
    onAnswered();
  };
  useTakeover(written, answer);
  return written ? null : <CookieNotice onAnswer={answer} />;
}

/**
 * Attaches handlers to the server's markup in place: re-rendered, it would count as a late layout
 * shift.
 */
function useTakeover(written: Element | null | undefined, answer: (accepted: boolean) => void) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!written) return;
    const abort = new AbortController();
    for (const button of written.querySelectorAll<HTMLElement>("[data-answer]")) {
      const accepted = button.dataset.answer === "true";
      button.removeAttribute("inert");
      button.addEventListener("click", () => answer(accepted), abort);
    }
    const follow = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(paths.privacyPolicy);
    };
    written.querySelector("a")?.addEventListener("click", follow, abort);
    return () => abort.abort();
  });
}

/**
 * The cookie question. Only necessary cookies are used, so it is unobtrusive: at the end of the
 * page, in its flow, covering nothing.
 */
export function CookieNotice({ onAnswer }: { onAnswer: (accepted: boolean) => void }) {
  return (
    <section aria-label="Cookies" className="border-line border-t bg-sunken print:hidden">
      <div className="relative mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2 sm:px-6">
        <p className="min-w-0 flex-1 basis-64 text-muted text-sm max-sm:pr-10">
          We use only the cookies that this site needs to work.{" "}
          <Link to={paths.privacyPolicy} className={textLinkStyles}>
            Learn more
          </Link>
        </p>
        <div className="flex items-center gap-2 max-sm:w-full">
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:flex-1"
            data-answer="true"
            onClick={() => onAnswer(true)}
          >
            Accept Cookies
          </Button>
          <Button
            variant="ghost"
            size="sm"
            className="max-sm:flex-1"
            data-answer="false"
            onClick={() => onAnswer(false)}
          >
            Decline
          </Button>
          <IconButton
            label="Close cookie notice"
            className="max-sm:absolute max-sm:top-0 max-sm:right-1"
            data-answer="false"
            onClick={() => onAnswer(false)}
          >
            <Cross />
          </IconButton>
        </div>
      </div>
    </section>
  );
}

/** Inline, so that public pages do not load the icon package. */
function Cross() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 fill-none stroke-current" aria-hidden="true">
      <path d="M18 6 6 18M6 6l12 12" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
