import { X } from "lucide-react";
import { type Ref, useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { Button } from "../Button";
import { IconButton } from "../IconButton";
import { textLinkStyles } from "../textLinkStyles";
import { COOKIE_CONSENT_KEY, COOKIE_PLACE_ID } from "./consent";

/** Asks the question, with what the server wrote into the page if it did. */
export function CookieBanner({ onAnswered }: { onAnswered: () => void }) {
  const drawn = useRef<HTMLElement>(null);
  const written = document.getElementById(COOKIE_PLACE_ID)?.firstElementChild;
  const answer = (accepted: boolean) => {
    localStorage.setItem(COOKIE_CONSENT_KEY, String(accepted));
    written?.remove();
    onAnswered();
  };
  useTakeover(written, answer);

  // Scrolling keeps as much free as it covers: nothing that has focus hides behind it.
  useEffect(() => {
    const banner = written ?? drawn.current;
    if (!(banner instanceof HTMLElement)) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${banner.offsetHeight + 8}px`;
    });
    observer.observe(banner);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = "";
    };
  }, [written]);

  return written ? null : <CookieNotice ref={drawn} onAnswer={answer} />;
}

/** Makes the written question work where it stands: drawn anew, it would count as appearing late. */
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

interface CookieNoticeProps {
  ref?: Ref<HTMLElement>;
  onAnswer: (accepted: boolean) => void;
}

/** The question of spec section 4. It sticks to the bottom edge but has its own room at the page's end. */
export function CookieNotice({ ref, onAnswer }: CookieNoticeProps) {
  return (
    <section
      ref={ref}
      aria-label="Cookies"
      className="sticky bottom-0 z-20 border-line border-t bg-surface shadow-raised print:hidden"
    >
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-6">
        <p className="min-w-0 flex-1 basis-64 text-sm max-sm:pr-8">
          We only use cookies that keep you signed in, know your browser again or remember an
          agreement you accepted. None of them tracks you.{" "}
          <Link to={paths.privacyPolicy} className={textLinkStyles}>
            Learn more
          </Link>
        </p>
        <div className="flex items-center gap-2 max-sm:w-full">
          <Button
            size="sm"
            className="max-sm:flex-1"
            data-answer="true"
            onClick={() => onAnswer(true)}
          >
            Accept Cookies
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:flex-1"
            data-answer="false"
            onClick={() => onAnswer(false)}
          >
            Decline
          </Button>
          <IconButton
            label="Close cookie notice"
            className="max-sm:absolute max-sm:top-0.5 max-sm:right-1"
            data-answer="false"
            onClick={() => onAnswer(false)}
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </section>
  );
}
