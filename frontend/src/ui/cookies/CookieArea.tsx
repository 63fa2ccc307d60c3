import { Suspense, useState } from "react";
import { lazyComponent } from "../lazyComponent";
import { COOKIE_CONSENT_KEY } from "./consent";

const CookieBanner = lazyComponent(() => import("./CookieBanner"), "CookieBanner");

/** Shows the cookie question until it was answered in this browser; its code is loaded late. */
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
    // Blocked storage counts as an answer, since none could be kept.
    return false;
  }
}
