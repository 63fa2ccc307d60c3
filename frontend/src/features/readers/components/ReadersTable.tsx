import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Reader, ReaderState } from "@/api/generated";
import { paths } from "@/routing/paths";
import { receiptUrl } from "@/sharing/agreement";
import { shareLabel } from "@/sharing/shareTypes";
import { Badge, type BadgeTone } from "@/ui/Badge";
import { formatDateTime } from "@/ui/dates";
import { Hash } from "@/ui/Hash";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";

const { columns } = messages;

interface ReadersTableProps {
  readers: readonly Reader[];
  /** Whether the readers are those of several ideas. */
  namesIdeas: boolean;
}

/**
 * One row for each registration. On a narrow window, each row is a block, and its cells say what
 * they are.
 */
export function ReadersTable({ readers, namesIdeas }: ReadersTableProps) {
  return (
    <table
      aria-label={messages.table}
      className="w-full border-collapse text-left text-sm max-lg:block"
    >
      <thead className="max-lg:sr-only">
        <tr>
          {Object.values(columns).map((name) => (
            <th
              key={name}
              scope="col"
              className="border-line border-b px-3 py-2 font-semibold text-muted first:pl-0"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {readers.map((reader) => (
          <Row key={reader.recipientId} reader={reader} namesIdea={namesIdeas} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ reader, namesIdea }: { reader: Reader; namesIdea: boolean }) {
  const name = reader.name ?? messages.erased;
  const visits = [
    reader.views > 0 && messages.views(reader.views),
    reader.downloads > 0 && messages.downloads(reader.downloads),
    reader.comments > 0 && messages.comments(reader.comments),
  ].filter(Boolean);
  const label = shareLabel({ name: reader.shareName, shareType: reader.shareType });
  return (
    <tr className="border-line border-b align-top max-lg:block max-lg:py-4">
      <th scope="row" className="px-3 py-3 font-normal first:pl-0 max-lg:block max-lg:p-0 lg:w-52">
        <span dir="auto" className="wrap-anywhere block font-semibold">
          {name}
        </span>
        {reader.email !== null && (
          <>
            <span className="wrap-anywhere block">{reader.email}</span>
            <span className="block text-muted">
              {reader.identity === "emailConfirmed" ? messages.confirmed : messages.selfDeclared}
            </span>
          </>
        )}
      </th>
      <Cell label={columns.document}>
        {namesIdea && (
          <Link to={paths.readers(reader.ideaId)} className={`${textLinkStyles} wrap-anywhere`}>
            {reader.ideaTitle || "Untitled Idea"}
          </Link>
        )}
        <Line>{label}</Line>
        <Line>
          {messages.registered} <Time at={reader.registeredAt} />
        </Line>
        {reader.acceptedAt !== null && reader.agreement && reader.acceptedVersion !== null && (
          <Line>
            {messages.agreed(reader.agreement.version, reader.acceptedVersion)},{" "}
            <Time at={reader.acceptedAt} />
          </Line>
        )}
      </Cell>
      <Cell label={columns.opened}>
        {reader.versions.length === 0 && <span className="text-muted">{messages.none.short}</span>}
        <ul className="flex flex-col gap-1">
          {reader.versions.map(({ number, sha256, firstOpenedAt }) => (
            <li key={number}>
              {messages.version(number)}, <Time at={firstOpenedAt} />
              {sha256 && (
                <>
                  {" "}
                  <Hash value={sha256} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Cell>
      <Cell label={columns.visits}>
        {visits.length === 0 && <span className="text-muted">{messages.none.short}</span>}
        {visits.length > 0 && <Line>{visits.join(", ")}</Line>}
        {reader.lastOpenedAt !== null && (
          <Line>
            {messages.last} <Time at={reader.lastOpenedAt} />
          </Line>
        )}
      </Cell>
      <Cell label={columns.state}>
        <Badge tone={tones[reader.state]}>{messages.states[reader.state]}</Badge>
        {reader.receipt && (
          <a
            href={receiptUrl(reader.recipientId)}
            download
            aria-label={messages.receiptOf(name)}
            className={`${textLinkStyles} mt-2 block`}
          >
            {messages.receipt}
          </a>
        )}
      </Cell>
    </tr>
  );
}

const tones: Record<ReaderState, BadgeTone> = {
  registered: "neutral",
  unconfirmed: "neutral",
  agreed: "success",
  opened: "success",
  declined: "warning",
  refused: "warning",
  erased: "neutral",
};

const Cell = ({ label, children }: { label: string; children: ReactNode }) => (
  <td className="px-3 py-3 max-lg:mt-3 max-lg:block max-lg:p-0">
    <span className="mb-1 block font-semibold text-muted text-xs lg:hidden">{label}</span>
    {children}
  </td>
);

const Line = ({ children }: { children: ReactNode }) => (
  <span className="wrap-anywhere block">{children}</span>
);

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatDateTime(at)}
  </time>
);
