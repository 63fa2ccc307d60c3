import { type Topic, topics } from "@/verify/report";
import { messages } from "../resultMessages";
import type { Tallies } from "../tally";
import { TopicRow } from "./TopicRow";

interface ClaimListProps {
  tallies: Tallies;
  isDone: boolean;
}

/** All claims, by what they are about. */
export function ClaimList({ tallies, isDone }: ClaimListProps) {
  // Few logs have witnesses: without any, the line would only raise questions.
  const shown = topics.filter((topic) => topic !== "witness" || countOf(tallies, topic) > 0);
  const reached = shown.findLastIndex((topic) => countOf(tallies, topic) > 0);
  return (
    <section aria-label={messages.claims.title} className="mt-8">
      <h2 className="font-semibold font-serif text-2xl">{messages.claims.title}</h2>
      <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-soft">
        {shown.map((topic, index) => (
          <TopicRow
            key={topic}
            topic={topic}
            tally={tallies[topic]}
            isDone={isDone}
            isRunning={!isDone && index === Math.max(reached, 0)}
          />
        ))}
      </ol>
    </section>
  );
}

const countOf = (tallies: Tallies, topic: Topic): number => {
  const { holds, fails, unknown } = tallies[topic];
  return holds.length + fails.length + unknown.length;
};
