import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { selectToast, toastDismissed } from "@/store/toastSlice";
import { cx } from "@/ui/cx";
import { IconButton } from "@/ui/IconButton";
import { useStableWhilePressed } from "@/ui/press";

/**
 * The toast area (docs/rules.md#ui-constants): top centre, 420 px, 5 s, F8, swipe right by 50 px.
 * It stands in the strip that every page leaves free below its header (`PageLayout`), and over a
 * dialog's scrim at the upper edge of the window, which dialogs leave free. So it moves nothing and
 * covers nothing that can be pressed. It does not appear or disappear while a pointer is pressed.
 */
export function Toaster() {
  const toast = useStableWhilePressed(useSelector(selectToast));
  const id = toast?.id;
  const dispatch = useDispatch();
  const isEscape = useRef(false);

  // Radix lets a toast handle every Escape. Ours handles only those that nothing else on the page
  // has handled.
  useEffect(() => {
    if (!id) return;
    const dismiss = (event: KeyboardEvent) => {
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
            // Radix closes it in the same task, if at all.
            queueMicrotask(() => {
              isEscape.current = false;
            });
          }}
          onOpenChange={(open) => {
            if (!open && !isEscape.current) dispatch(toastDismissed(toast.id));
          }}
          className={cx(
            "pointer-events-auto flex max-h-full items-center gap-2 overflow-hidden rounded-lg border bg-surface pl-2 shadow-raised",
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
          <div className="max-h-13 min-w-0 flex-1 overflow-y-auto text-sm leading-tight">
            <Toast.Title className="inline font-semibold">{toast.title}</Toast.Title>
            {toast.description && (
              <>
                {" "}
                <Toast.Description className="inline text-muted">
                  {toast.description}
                </Toast.Description>
              </>
            )}
          </div>
          <Toast.Close asChild>
            <IconButton label="Dismiss">
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      )}
      <div className="pointer-events-none absolute inset-0 print:hidden">
        {/* Below open menus, which may begin at the header, and above dialogs. */}
        <div
          data-toasts=""
          className="sticky top-0 z-25 mx-auto mt-16 h-14 max-w-[420px] [body:has(>.bg-scrim)_&]:z-50 [body:has(>.bg-scrim)_&]:mt-0"
        >
          <Toast.Viewport
            hotkey={["F8"]}
            label="Notifications ({hotkey})"
            className="flex h-14 w-full list-none flex-col justify-center px-2 outline-none"
          />
        </div>
      </div>
    </Toast.Provider>
  );
}
