import { skipToken } from "@reduxjs/toolkit/query/react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { allIdeas, useListIdeaSharesQuery, useListIdeasQuery } from "@/api/enhanced";
import { shareLabel } from "@/sharing/shareTypes";
import { Button } from "@/ui/Button";
import { FieldShell, inputStyles } from "@/ui/form/FieldShell";
import { TextField } from "@/ui/form/TextField";
import { addressOf, type Wanted, wantedIn } from "../filters";
import { messages } from "../messages";

const words = messages.filters;

/** The form that says which readers are looked for. What is asked stands in the address. */
export function ReaderFiltersForm({ ideaId }: { ideaId: number | null }) {
  const [query, setQuery] = useSearchParams();
  const [wanted, setWanted] = useState(() => wantedIn(query));
  // 'Back' changes the address, and not the form.
  useEffect(() => setWanted(wantedIn(query)), [query]);
  const ideas = useListIdeasQuery(allIdeas);
  const ofIdea = ideaId ?? (Number(wanted.ideaId) || null);
  // A deleted draft has none, and nobody else's idea is asked for.
  const isOwn = ideas.data?.some(({ id }) => id === ofIdea);
  const shares = useListIdeaSharesQuery(isOwn && ofIdea !== null ? { id: ofIdea } : skipToken);

  const field = (name: keyof Wanted) => ({
    name,
    value: wanted[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setWanted({
        ...wanted,
        [name]: target.value,
        // A link is one of the former idea's.
        ...(name === "ideaId" && { shareId: "" }),
      }),
  });
  const clear = () => {
    setWanted(wantedIn(new URLSearchParams()));
    setQuery({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setQuery(addressOf(wanted));
  };
  return (
    <search aria-label={words.legend}>
      <form
        onSubmit={submit}
        className="grid grid-cols-2 items-end gap-4 rounded-lg border border-line bg-surface p-4 lg:grid-cols-4"
      >
        <TextField
          label={words.q}
          type="search"
          maxLength={200}
          autoComplete="off"
          {...field("q")}
        />
        {ideaId === null && (
          <Select label={words.idea} {...field("ideaId")}>
            <option value="">{words.any}</option>
            {ideas.data?.map(({ id, title }) => (
              <option key={id} value={id}>
                {title || "Untitled Idea"}
              </option>
            ))}
          </Select>
        )}
        {ofIdea !== null && (
          <Select label={words.link} {...field("shareId")}>
            <option value="">{words.any}</option>
            {shares.data?.map((share) => (
              <option key={share.id} value={share.id}>
                {shareLabel(share)}
              </option>
            ))}
          </Select>
        )}
        <TextField label={words.version} type="number" min={1} {...field("version")} />
        <Select label={words.state} {...field("state")}>
          <option value="">{words.any}</option>
          <Options of={messages.states} />
        </Select>
        <TextField label={words.from} type="date" {...field("from")} />
        <TextField label={words.to} type="date" {...field("to")} />
        <Select label={words.sort} {...field("sort")} value={wanted.sort || "-registeredAt"}>
          <Options of={messages.sorts} />
        </Select>
        <div className="flex flex-wrap gap-3">
          <Button type="submit">{words.show}</Button>
          <Button variant="secondary" onClick={clear}>
            {words.clear}
          </Button>
        </div>
      </form>
    </search>
  );
}

const Options = ({ of }: { of: Record<string, string> }) =>
  Object.entries(of).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

interface SelectProps {
  label: string;
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  children: ReactNode;
}

const Select = ({ label, ...select }: SelectProps) => (
  <FieldShell label={label}>
    {(ids) => <select {...select} {...ids} className={`${inputStyles} read-only:bg-surface`} />}
  </FieldShell>
);
