import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { selectToast, toastDismissed } from "@/store/toastSlice";
import { cx } from "@/ui/cx";
import { IconButton } from "@/ui/IconButton";
import { useSteady } from "@/ui/press";

/**
 * The toast area (docs/rules.md#ui-constants): top centre, 420 px, 5 s, F8, swipe right by 50 px.
 * It takes up space at the top of the page instead of covering controls, and does not appear or
 * disappear while a pointer is pressed.
 */
export function Toaster() {
  const toast = useSteady(useSelector(selectToast));
  const strip = useStripHeight();
  const dispatch = useDispatch();
  const isEscape = useRef(false);
  const id = toast?.id;

  // Radix lets a toast handle every Escape. Ours handles only those that nothing else on the page
  // has handled.
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
      <div ref={strip} data-toasts="" className="sticky top-0 z-50 bg-paper print:hidden">
        <Toast.Viewport
          hotkey={["F8"]}
          label="Notifications ({hotkey})"
          className="mx-auto flex w-full max-w-[420px] list-none flex-col gap-2 px-4 py-2 outline-none empty:py-0"
        />
      </div>
    </Toast.Provider>
  );
}

/** Delay until the layout after a toast has settled, in milliseconds. */
const SETTLED_MS = 100;

/**
 * Publishes the height of the strip to the style sheet: fixed and sticky elements make room too.
 */
function useStripHeight() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style, dataset } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const height = ref.current?.offsetHeight ?? 0;
      style.setProperty("--toast-height", `${height}px`);
      // Scrolls back by the same amount, also when the page is scrolled.
      if (height > 0) dataset.toastLeaves = "";
      else setTimeout(() => delete dataset.toastLeaves, SETTLED_MS);
    });
    if (ref.current) observer.observe(ref.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--toast-height");
    };
  }, []);
  return ref;
}
