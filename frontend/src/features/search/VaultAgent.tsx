import { Suspense, useEffect, useRef, useState } from "react";
import type { SearchAnswer } from "@/api/generated";
import type { ApiResult } from "@/api/http";
import { useAppDispatch } from "@/store/hooks";
import { toastShown } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { TextArea } from "@/ui/form/TextArea";
import { lazyComponent } from "@/ui/lazyComponent";
import { messages } from "./messages";

const SearchOutcome = lazyComponent(() => import("./components/SearchOutcome"), "SearchOutcome");

type Outcome = { answer: SearchAnswer } | { failure: string };

/** The idea search. Clear also aborts a running search. */
export function VaultAgent() {
  const dispatch = useAppDispatch();
  const [query, setQuery] = useState("");
  const [searching, setSearching] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const underWay = useRef<AbortController>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => () => underWay.current?.abort(), []);

  const search = async () => {
    const idea = query.trim();
    if (!idea) {
      dispatch(toastShown({ ...messages.empty, variant: "destructive" }));
      field.current?.focus();
      return;
    }
    const attempt = new AbortController();
    underWay.current = attempt;
    setSearching(true);
    setOutcome(null);
    const { publicClient } = await import("@/api/publicClient");
    const result = await publicClient.searchIdeas({ query: idea }, attempt.signal);
    if (attempt.signal.aborted) return;
    setSearching(false);
    const next = outcomeOf(result);
    setOutcome(next);
    if ("failure" in next) {
      // The box below the search says why.
      dispatch(toastShown({ title: messages.errorTitle, variant: "destructive" }));
    }
  };

  const clear = () => {
    underWay.current?.abort();
    setQuery("");
    setSearching(false);
    setOutcome(null);
    field.current?.focus();
  };

  return (
    <section
      aria-labelledby="vault-agent"
      className="mt-14 rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-8"
    >
      <h2 id="vault-agent" className="font-semibold font-serif text-2xl">
        Vault Agent
      </h2>
      <p className="mt-1 mb-5 max-w-prose text-muted">
        Has someone had your idea before? Describe it and the agent will look for similar ones.
      </p>
      <TextArea
        ref={field}
        label="Your idea"
        hint="Your text is sent to the language model that this site’s operator has chosen. Leave out anything secret."
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <div className="mt-4 flex gap-3">
        <Button busy={searching} onClick={search}>
          {searching ? "Searching..." : "Search"}
        </Button>
        <Button variant="secondary" onClick={clear}>
          Clear
        </Button>
      </div>
      <div aria-live="polite">
        {outcome && (
          <Suspense fallback={null}>
            <SearchOutcome {...outcome} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function outcomeOf({ data, error }: ApiResult<SearchAnswer>): Outcome {
  if (data) return { answer: data };
  if (error?.detail) return { failure: error.detail };
  return { failure: error?.status ? messages.searchFailed : messages.noResponse };
}
