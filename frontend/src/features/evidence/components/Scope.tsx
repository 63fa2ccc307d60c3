import { Check, X } from "lucide-react";
import { Panel } from "@/ui/Panel";
import { messages } from "../messages";

const words = messages.scope;

/** Scope of this evidence, and the limits of any evidence of this kind (docs/evidence.md). */
export function Scope() {
  return (
    <Panel title={words.title}>
      <div className="flex flex-col gap-2.5 text-sm">
        <ul className="flex flex-col gap-2.5">
          {words.shown.map((text) => (
            <li key={text} className="flex gap-2.5">
              <Check className="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
        <p className="mt-2 border-line border-t pt-4 font-medium">{words.notTitle}</p>
        <ul className="flex flex-col gap-2.5 text-muted">
          {words.notShown.map((text) => (
            <li key={text} className="flex gap-2.5">
              <X className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
