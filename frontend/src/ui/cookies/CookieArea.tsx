import { lazy, Suspense, useState } from "react";
import { consentIsOpen, storeConsent } from "./consent";

const CookieBanner = lazy(async () => ({ default: (await import("./CookieBanner")).CookieBanner }));

/** Asks about cookies until there is an answer; the question's code comes after the page's. */
export function CookieArea() {
  const [open, setOpen] = useState(consentIsOpen);
  if (!open) return null;
  const answer = (accepted: boolean) => {
    storeConsent(accepted);
    setOpen(false);
  };
  return (
    <Suspense fallback={null}>
      <CookieBanner onAnswer={answer} />
    </Suspense>
  );
}
