import { useListIdeaSharesQuery } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { paths } from "@/routing/paths";
import { Facts, ShareSetup, ShareTerms, ShareTitle, ShareUse } from "@/sharing/ShareFacts";
import { LinkButton } from "@/ui/LinkButton";
import { messages } from "./messages";
import { RecordList } from "./RecordList";

const activeFirst = (shares: readonly Share[]) => [
  ...shares.filter(({ state }) => state === "active"),
  ...shares.filter(({ state }) => state !== "active"),
];

/** All links with their state, active ones first. */
export function Shares({ ideaId }: { ideaId: number }) {
  const query = useListIdeaSharesQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <RecordList
        query={{ ...query, data: query.data && activeFirst(query.data) }}
        failedText={messages.shares.failed}
        emptyText={messages.shares.empty}
        keyOf={({ id }) => id}
      >
        {(share) => (
          <>
            <ShareTitle share={share} />
            <Facts>
              <ShareUse share={share} />
            </Facts>
            <ShareTerms share={share} />
            <ShareSetup share={share} />
          </>
        )}
      </RecordList>
      <LinkButton to={paths.share(ideaId)} variant="secondary" size="sm" className="mt-4">
        Manage links
      </LinkButton>
    </>
  );
}
