import { messages, offlineCommands } from "../messages";
import { Command } from "./Command";

/** The commands that need neither this page nor its server. */
export function Offline() {
  return (
    <section aria-label={messages.offline.title} className="mt-12">
      <h2 className="font-semibold font-serif text-2xl">{messages.offline.title}</h2>
      <p className="mt-2 max-w-prose text-muted">{messages.offline.lead}</p>
      <dl className="mt-4 flex flex-col gap-4 text-sm">
        {offlineCommands.map(([what, command]) => (
          <div key={command}>
            <dt>{what}</dt>
            <dd>
              <Command text={command} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
