import { Suspense, useState } from "react";
import { lazyComponent } from "./lazyComponent";
import type { MenuProps } from "./MenuWindow";
import { useIdleLoad } from "./useIdleLoad";

const Window = lazyComponent(() => import("./MenuWindow"), "MenuWindow");

/** A button that opens a menu. The menu's code is fetched while the page is idle. */
export function Menu(props: MenuProps) {
  const [opening, setOpening] = useState<"by key" | "by pointer" | null>(null);
  useIdleLoad(Window.load);
  const button = (
    <button
      type="button"
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      className={props.className}
      // A click by keyboard has `detail` 0.
      onClick={({ detail }) => setOpening(detail === 0 ? "by key" : "by pointer")}
    >
      {props.children}
    </button>
  );
  return (
    <Suspense fallback={button}>
      {opening ? <Window {...props} entersFirstItem={opening === "by key"} /> : button}
    </Suspense>
  );
}
