import { useState } from "react";
import { CookieBanner } from "./CookieBanner";
import { COOKIE_CONSENT_KEY } from "./consent";

/** Shows the cookie question until it was answered in this browser. */
export function CookieArea() {
  const [open, setOpen] = useState(isOpen);
  return open && <CookieBanner onAnswered={() => setOpen(false)} />;
}

function isOpen(): boolean {
  try {
    return localStorage.getItem(COOKIE_CONSENT_KEY) === null;
  } catch {
    // Blocked storage counts as an answer, since none could be kept.
    return false;
  }
}
