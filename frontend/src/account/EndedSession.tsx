import { type ReactNode, useEffect, useState } from "react";
import { useSelector } from "react-redux";
import { paths } from "@/routing/paths";
import { reload } from "@/routing/reload";
import { type SessionEnd, selectCurrentUser, selectOwner } from "@/store/currentUserSlice";
import { hasUnsavedWork } from "@/store/unsavedWork";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
import { focusOnMount } from "@/ui/focusOnMount";

/** What a signed-in screen shows once its session has ended. */
export function EndedSession({ end }: { end: SessionEnd }) {
  const [hasWork] = useState(hasUnsavedWork);
  if (end === "left") return hasWork ? <Cover /> : <Reload />;
  // A page with unsaved text says so beside it.
  return hasWork ? null : <Notice />;
}

/** Opens the login, or the same page of whoever is signed in now. */
function Reload() {
  useEffect(reload, []);
  return null;
}

/** Stands in front of a page with unsaved text, until its owner is signed in again. */
function Cover() {
  const user = useSelector(selectCurrentUser);
  const owner = useSelector(selectOwner);
  return (
    <main className="pointer-events-auto fixed inset-0 z-50 flex flex-col items-center justify-center gap-6 overflow-y-auto bg-surface p-6 text-center">
      <h1
        ref={focusOnMount}
        tabIndex={-1}
        className="max-w-2xl font-semibold font-serif text-3xl outline-none"
      >
        {user ? `${user.name} is signed in now` : "You are signed out"}
      </h1>
      <p className="max-w-prose text-lg text-muted">
        This page has text of {owner?.name} that is not saved. On another tab,{" "}
        {user && `log ${user.name} out and `}sign in as {owner?.name}: then this page comes back.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <NewTab className={buttonStyles("primary", "md")}>
          {user ? "Open another tab" : "Sign in on a new tab"}
        </NewTab>
        <Button variant="secondary" onClick={reload}>
          Discard the text
        </Button>
      </div>
    </main>
  );
}

/** Says why nothing works any more. What was entered stays on the page. */
function Notice() {
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-40 border-danger border-t bg-danger-soft px-4 py-3 text-center text-danger print:hidden"
    >
      You are no longer signed in.{" "}
      <NewTab className="underline underline-offset-2">Sign in on a new tab</NewTab>, then try again
      here.
    </div>
  );
}

/** A link to the login on a new tab, so that this page stays as it is. */
function NewTab({ className, children }: { className: string; children: ReactNode }) {
  return (
    <a href={paths.login} target="_blank" rel="noopener" className={className}>
      {children}
    </a>
  );
}
