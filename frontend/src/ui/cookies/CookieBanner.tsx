import { X } from "lucide-react";
import { type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import { paths } from "@/app/paths";
import { Button } from "../Button";
import { IconButton } from "../IconButton";
import { textLinkStyles } from "../textLinkStyles";
import { COOKIE_CONSENT_KEY, COOKIE_PLACE_ID } from "./consent";

/**
 * Asks the question, in the place of the one that the server wrote into the page. Scrolling keeps
 * as much free as it covers: nothing that has focus hides behind it.
 */
export function CookieBanner({ onAnswered }: { onAnswered: () => void }) {
  const [place] = useState(() => document.getElementById(COOKIE_PLACE_ID));
  const ref = useRef<HTMLElement>(null);

  useLayoutEffect(() => {
    for (const written of [...(place?.children ?? [])]) {
      if (written !== ref.current) written.remove();
    }
  }, [place]);

  useEffect(() => {
    const banner = ref.current;
    if (!banner) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${banner.offsetHeight + 8}px`;
    });
    observer.observe(banner);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = "";
    };
  }, []);

  const notice = (
    <CookieNotice
      ref={ref}
      onAnswer={(accepted) => {
        localStorage.setItem(COOKIE_CONSENT_KEY, String(accepted));
        onAnswered();
      }}
    />
  );
  return place ? createPortal(notice, place) : notice;
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
          We only use cookies that keep you signed in or remember an agreement you accepted. None of
          them tracks you.{" "}
          <Link to={paths.privacyPolicy} className={textLinkStyles}>
            Learn more
          </Link>
        </p>
        <div className="flex items-center gap-2 max-sm:w-full">
          <Button size="sm" className="max-sm:flex-1" onClick={() => onAnswer(true)}>
            Accept Cookies
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:flex-1"
            onClick={() => onAnswer(false)}
          >
            Decline
          </Button>
          <IconButton
            label="Close cookie notice"
            className="max-sm:absolute max-sm:top-0.5 max-sm:right-1"
            onClick={() => onAnswer(false)}
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </section>
  );
}
