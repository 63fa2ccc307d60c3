import { NavLink } from "react-router";
import { paths } from "@/routing/paths";
import { Badge } from "@/ui/Badge";

interface IdeaHeadProps {
  ideaId: number;
  /** Undefined while it is loading. */
  idea: { title: string; status: string } | undefined;
}

/** The head of each page of one idea: its title, its status, and the others, a step away. */
export function IdeaHead({ ideaId, idea }: IdeaHeadProps) {
  const isPublished = idea?.status === "published";
  const tabs = [
    ["Text", paths.editor(ideaId)],
    ["Share", paths.share(ideaId)],
    ["Readers", paths.readers(ideaId)],
    ["Evidence", paths.evidence(ideaId)],
  ] as const;
  return (
    <div className="mb-6">
      <p className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        {idea && (
          <>
            <span dir="auto" className="wrap-anywhere min-w-0 text-lg">
              {idea.title || "Untitled Idea"}
            </span>
            <Badge tone={isPublished ? "success" : "warning"}>
              {isPublished ? "Published" : "Draft"}
            </Badge>
          </>
        )}
      </p>
      <nav aria-label="Idea" className="mt-1 border-line border-b print:hidden">
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
    </div>
  );
}
