import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useSelector } from "react-redux";
import { paths } from "@/routing/paths";
import { reload } from "@/routing/reload";
import { type SessionEnd, selectCurrentUser, selectOwner } from "@/store/currentUserSlice";
import { hasUnsavedWork } from "@/store/unsavedWork";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";

/** Shown by a signed-in screen once its session has ended. */
export function EndedSession({ end }: { end: SessionEnd }) {
  const [hasWork, setHasWork] = useState<boolean>();
  // Not while rendering: the editor, when asked, updates its own state.
  useLayoutEffect(() => setHasWork(hasUnsavedWork()), []);
  if (end === "refused") return <Notice />;
  if (hasWork === undefined) return null;
  return hasWork ? <Cover /> : <Reload />;
}

/** Opens the login, or the same page for the user who is signed in now. */
function Reload() {
  useEffect(reload, []);
  return null;
}

/**
 * Stands in front of a page with unsaved text, until its owner is signed in again: a dialog, so that
 * one that is open on the page does not keep the focus.
 */
function Cover() {
  const user = useSelector(selectCurrentUser);
  const owner = useSelector(selectOwner);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Content
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            heading.current?.focus();
          }}
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-50 flex flex-col items-center justify-center gap-6 overflow-y-auto bg-surface p-6 text-center"
        >
          <Dialog.Title asChild>
            <h1
              ref={heading}
              tabIndex={-1}
              className="max-w-2xl font-semibold font-serif text-3xl outline-none"
            >
              {user ? `${user.name} is signed in now` : "You are signed out"}
            </h1>
          </Dialog.Title>
          <Dialog.Description className="max-w-prose text-lg text-muted">
            This page has text of {owner?.name} that is not saved. On another tab,{" "}
            {user && `log ${user.name} out and `}sign in as {owner?.name}: then this page comes
            back.
          </Dialog.Description>
          <div className="flex flex-wrap justify-center gap-3">
            <NewTab className={buttonStyles("primary", "md")}>
              {user ? "Open another tab" : "Sign in on a new tab"}
            </NewTab>
            <Button variant="secondary" onClick={reload}>
              Leave this page
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Says why nothing works any more, unless the page does so beside what it could not save. What was
 * entered stays on the page.
 */
function Notice() {
  // An open dialog hides the rest of the page from screen readers and clicks.
  return createPortal(
    <div
      role="alert"
      className="pointer-events-auto fixed inset-x-0 bottom-0 z-40 border-danger border-t bg-danger-soft px-4 py-3 text-center text-danger print:hidden [:root:has([data-signed-out])_&]:hidden"
    >
      You are no longer signed in.{" "}
      <NewTab className="underline underline-offset-2">Sign in on a new tab</NewTab>, then try again
      here.
    </div>,
    document.body,
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
