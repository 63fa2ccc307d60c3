import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

let isPressed = false;
const listeners = new Set<() => void>();

function changed(pressed: boolean) {
  if (pressed === isPressed) return;
  isPressed = pressed;
  for (const notify of listeners) notify();
}

/** Delay of the mouse events, and of the blur, that follow a touch, in milliseconds. */
const TAP_MS = 350;
let ending: ReturnType<typeof setTimeout> | undefined;

const press = ({ button }: MouseEvent) => {
  if (button !== 0) return;
  clearTimeout(ending);
  changed(true);
};
const release = () => {
  clearTimeout(ending);
  changed(false);
};
/** After the click of the same press, if there is one. */
const releaseSoon = (event: Event) => {
  const isTap =
    event instanceof PointerEvent && event.type === "pointerup" && event.pointerType === "touch";
  clearTimeout(ending);
  ending = setTimeout(release, isTap ? TAP_MS : 0);
};

const starts = ["pointerdown", "mousedown"] as const;
const ends = ["pointerup", "pointercancel", "mouseup"] as const;

function listen(notify: () => void) {
  if (listeners.size === 0) {
    for (const type of starts) addEventListener(type, press, true);
    for (const type of ends) addEventListener(type, releaseSoon, true);
    addEventListener("click", release);
  }
  listeners.add(notify);
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    for (const type of starts) removeEventListener(type, press, true);
    for (const type of ends) removeEventListener(type, releaseSoon, true);
    removeEventListener("click", release);
    release();
  };
}

/**
 * Returns the value, but keeps the previous one while a pointer is pressed: a layout shift would
 * move the button from under the pointer and lose the press.
 */
export function useStableWhilePressed<Value>(value: Value): Value {
  const held = useSyncExternalStore(
    listen,
    () => isPressed,
    () => false,
  );
  const steady = useRef(value);
  useLayoutEffect(() => {
    if (!held) steady.current = value;
  });
  return held ? steady.current : value;
}
