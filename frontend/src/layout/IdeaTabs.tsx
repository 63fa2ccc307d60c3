import { NavLink } from "react-router";
import { paths } from "@/routing/paths";

export const tabsStyles = "mb-6 border-line border-b print:hidden";

/** The pages of one idea, each a step away from the others. */
export function IdeaTabs({ ideaId }: { ideaId: number }) {
  const tabs = [
    ["Text", paths.editor(ideaId)],
    ["Share", paths.share(ideaId)],
    ["Readers", paths.readers(ideaId)],
    ["Evidence", paths.evidence(ideaId)],
  ] as const;
  return (
    <nav aria-label="Idea" className={tabsStyles}>
      <ul className="-mb-px flex gap-1 overflow-x-auto">
        {tabs.map(([label, to]) => (
          <li key={label}>
            <NavLink
              to={to}
              className="inline-flex min-h-11 items-center border-transparent border-b-2 px-3 text-muted text-sm hover:text-ink aria-[current=page]:border-primary aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
