import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

let isPressed = false;
const listeners = new Set<() => void>();

function changed(pressed: boolean) {
  if (pressed === isPressed) return;
  isPressed = pressed;
  for (const notify of listeners) notify();
}

/** A finger's press is followed by its mouse events, and with them the loss of focus, this late. */
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
/** Past the click that the same press makes, if it makes one. */
const releaseSoon = (event: Event) => {
  const isTap = event.type === "pointerup" && (event as PointerEvent).pointerType === "touch";
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
 * The value, but while a pointer is pressed the one from before: what takes or gives up room then
 * would move the button from under the pointer, and the press would be lost.
 */
export function useSteady<Value>(value: Value): Value {
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
