import { lazy, Suspense, useState } from "react";
import { COOKIE_CONSENT_KEY } from "./consent";

const CookieBanner = lazy(async () => ({ default: (await import("./CookieBanner")).CookieBanner }));

/** Asks about cookies while this browser has no answer (spec section 4); the code comes late. */
export function CookieArea() {
  const [open, setOpen] = useState(isOpen);
  return (
    <Suspense fallback={null}>
      {open && <CookieBanner onAnswered={() => setOpen(false)} />}
    </Suspense>
  );
}

function isOpen(): boolean {
  try {
    return localStorage.getItem(COOKIE_CONSENT_KEY) === null;
  } catch {
    // Who blocks storage has answered, and no other answer could be kept.
    return false;
  }
}
