import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { cx } from "../cx";
import { IconButton } from "../IconButton";
import { selectToast, toastDismissed } from "./toastSlice";

/** The toast area of spec sections 2 and 9: top centre, 420 px, 5 s, F8, swipe right by 50. */
export function Toaster() {
  const toast = useSelector(selectToast);
  const dispatch = useDispatch();
  const isEscape = useRef(false);
  const id = toast?.id;

  // Radix lets a toast take every Escape. Ours takes what nothing else on the page has wanted.
  useEffect(() => {
    if (!id) return;
    const dismiss = (event: KeyboardEvent) => {
      isEscape.current = false;
      if (event.key === "Escape" && !event.defaultPrevented) dispatch(toastDismissed(id));
    };
    window.addEventListener("keydown", dismiss);
    return () => window.removeEventListener("keydown", dismiss);
  }, [id, dispatch]);

  return (
    <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {toast && (
        <Toast.Root
          key={toast.id}
          type={toast.variant === "destructive" ? "foreground" : "background"}
          open
          onEscapeKeyDown={() => {
            isEscape.current = true;
          }}
          onOpenChange={(open) => {
            if (!open && !isEscape.current) dispatch(toastDismissed(toast.id));
          }}
          className={cx(
            "flex items-start gap-3 rounded-lg border bg-surface py-3 pr-2 pl-4 shadow-raised",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) motion-safe:data-[state=open]:animate-toast-in",
            toast.variant === "destructive" ? "border-danger" : "border-line",
          )}
        >
          <div
            aria-hidden="true"
            className={cx(
              "w-1 self-stretch rounded-full",
              toast.variant === "destructive" ? "bg-danger-solid" : "bg-success",
            )}
          />
          <div className="min-w-0 flex-1 py-1.5">
            <Toast.Title className="font-semibold text-sm">{toast.title}</Toast.Title>
            {toast.description && (
              <Toast.Description className="text-muted text-sm">
                {toast.description}
              </Toast.Description>
            )}
          </div>
          <Toast.Close asChild>
            <IconButton label="Dismiss">
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        hotkey={["F8"]}
        label="Notifications ({hotkey})"
        className="fixed top-0 left-1/2 z-50 m-0 flex w-full max-w-[420px] -translate-x-1/2 list-none flex-col gap-2 p-4 outline-none"
      />
    </Toast.Provider>
  );
}
