import { Pencil, Share2, Tag, Trash2 } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import type { ListedIdea } from "@/api/generated";
import { paths } from "@/routing/paths";
import { formatDateTime } from "@/ui/dates";
import { IconButton, iconButtonStyles } from "@/ui/IconButton";
import { lazyComponent } from "@/ui/lazyComponent";
import { timeStyles } from "@/ui/timeStyles";
import { whenIdle } from "@/ui/whenIdle";
import { factsOf, titleOf } from "../messages";

// Requested when the cards are on the page, which have priority.
const RecordAction = lazyComponent(async () => {
  await whenIdle();
  return import("./RecordAction");
}, "RecordAction");

interface IdeaCardProps {
  idea: ListedIdea;
  onDelete?: ((idea: ListedIdea) => void) | undefined;
  onOrganize: (idea: ListedIdea) => void;
}

/** The card of one idea. */
export function IdeaCard({ idea, onDelete, onOrganize }: IdeaCardProps) {
  return (
    <IdeaCardView
      id={idea.id}
      title={titleOf(idea)}
      time={formatDateTime(idea.blockchainTimestamp ?? idea.lastModified)}
      facts={factsOf(idea)}
      tags={idea.tags.length > 0 && <CardTags tags={idea.tags.join(", ")} />}
      status={idea.status}
      action={
        !idea.onRecord &&
        !idea.isDamaged && (
          <Suspense fallback={<span className="size-11 shrink-0 md:size-9" />}>
            <RecordAction idea={idea} />
          </Suspense>
        )
      }
      onDelete={onDelete && (() => onDelete(idea))}
      onOrganize={() => onOrganize(idea)}
    />
  );
}

/** The line of a card with its tags. */
export function CardTags({ tags }: { tags: string }) {
  return (
    <p className="truncate text-muted text-sm">
      <span className="sr-only">Tags: </span>
      {tags}
    </p>
  );
}

interface IdeaCardViewProps {
  id: number | string;
  title: string;
  time: ReactNode;
  facts: ReactNode;
  tags: ReactNode;
  status: ListedIdea["status"];
  action?: ReactNode;
  onDelete?: (() => void) | undefined;
  onOrganize: () => void;
}

/**
 * A card whose title link covers it, so that a click anywhere opens the editor. The actions are
 * above that link; they appear on hover and focus, and always on small screens and without hover.
 * Where they only appear, the title uses their space as well.
 */
export function IdeaCardView({
  id,
  title,
  time,
  facts,
  tags,
  status,
  action,
  onDelete,
  onOrganize,
}: IdeaCardViewProps) {
  return (
    <li className="group relative flex flex-col gap-2 rounded-lg border border-line bg-surface py-4 pr-3 pl-5 shadow-soft sm:flex-row sm:items-start sm:gap-3 transition-colors focus-within:border-line-strong hover:border-line-strong">
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">
          <Link
            to={paths.editor(id)}
            className="rounded-sm after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:outline-offset-2"
          >
            <span className="line-clamp-2">{`Idea (${id}) : ${title}`}</span>
          </Link>
        </h3>
        <p className="mt-1 text-muted text-sm">
          Blockchain Timestamp: <span className={timeStyles}>{time}</span>
        </p>
        <p className="text-muted text-sm">{facts}</p>
        {tags}
      </div>
      <div className="-mb-2 -ml-3.5 relative flex shrink-0 rounded-md bg-surface transition-opacity sm:-my-1.5 sm:ml-0 sm:[@media(hover:hover)]:absolute sm:[@media(hover:hover)]:top-4 sm:[@media(hover:hover)]:right-3 sm:[@media(hover:hover)]:opacity-0 group-focus-within:opacity-100! group-hover:opacity-100!">
        {status === "draft" && (
          <CardLink to={paths.editor(id)} label="Edit" title={title} Icon={Pencil} />
        )}
        <CardLink to={paths.share(id)} label="Share" title={title} Icon={Share2} />
        {action}
        <IconButton label={`Organize ${title}`} data-tooltip="Organize" onClick={onOrganize}>
          <Tag className="size-4" aria-hidden="true" />
        </IconButton>
        {status === "draft" && onDelete && (
          <IconButton
            label={`Delete ${title}`}
            data-tooltip="Delete"
            className="hover:text-danger"
            onClick={onDelete}
          >
            <Trash2 className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </li>
  );
}

interface CardLinkProps {
  to: string;
  label: string;
  title: string;
  Icon: typeof Pencil;
}

function CardLink({ to, label, title, Icon }: CardLinkProps) {
  return (
    <Link
      to={to}
      aria-label={`${label} ${title}`}
      data-tooltip={label}
      className={iconButtonStyles}
    >
      <Icon className="size-4" aria-hidden="true" />
    </Link>
  );
}
