import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useDispatch, useSelector } from "react-redux";
import { selectToast, toastDismissed } from "@/store/toastSlice";
import { cx } from "@/ui/cx";
import { IconButton } from "@/ui/IconButton";
import { useStableWhilePressed } from "@/ui/press";
import { findPlace } from "./toastPlace";

/**
 * The toast area (docs/rules.md#ui-constants): top centre, 420 px, 5 s, F8, swipe right by 50 px.
 * It lies above the page, so that nothing moves, where it covers no control if there is such a
 * place, and does not appear or disappear while a pointer is pressed.
 */
export function Toaster() {
  const toast = useStableWhilePressed(useSelector(selectToast));
  const id = toast?.id;
  const { area, top } = useFreePlace(id);
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
            "pointer-events-auto flex items-start gap-3 rounded-lg border bg-surface py-2 pr-2 pl-4 shadow-raised",
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
          <div className="min-w-0 flex-1 py-1">
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
      <div
        ref={area}
        data-toasts=""
        style={{ top }}
        className="pointer-events-none fixed inset-x-0 z-50 mx-auto max-w-[420px] print:hidden"
      >
        <Toast.Viewport
          hotkey={["F8"]}
          label="Notifications ({hotkey})"
          className="flex w-full list-none flex-col px-4 py-1 outline-none empty:py-0"
        />
      </div>
    </Toast.Provider>
  );
}

/** Time between two looks at what the toast covers, in milliseconds. */
const LOOK_AGAIN_MS = 500;

/**
 * Finds a place for the toast where it covers nothing that can be pressed, and another when the
 * page has changed or scrolled. Returns its distance from the top of the window, in pixels.
 */
function useFreePlace(id: string | undefined) {
  const area = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || !id) return;
    let place = 0;
    const look = () => {
      place = findPlace(element, place);
      setTop(place);
    };
    // Called for the first time before the toast is painted, which is then at its place already.
    const observer = new ResizeObserver(() => flushSync(look));
    observer.observe(element);
    // A toast that is pointed at or focused does not move.
    const timer = setInterval(() => {
      if (!element.matches(":hover, :focus-within")) look();
    }, LOOK_AGAIN_MS);
    return () => {
      observer.disconnect();
      clearInterval(timer);
    };
  }, [id]);
  return { area, top: useStableWhilePressed(top) };
}
