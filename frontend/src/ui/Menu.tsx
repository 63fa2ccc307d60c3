import { lazy, Suspense, useState } from "react";
import type { MenuProps } from "./MenuWindow";
import { useIdleLoad } from "./useIdleLoad";

const load = () => import("./MenuWindow");
const Window = lazy(async () => ({ default: (await load()).MenuWindow }));

/** A button that opens a menu. The menu's code is fetched while the page is idle. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  useIdleLoad(load);
  const button = (
    <button
      type="button"
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      className={props.className}
      onClick={() => setWanted(true)}
    >
      {props.children}
    </button>
  );
  return <Suspense fallback={button}>{wanted ? <Window {...props} /> : button}</Suspense>;
}
