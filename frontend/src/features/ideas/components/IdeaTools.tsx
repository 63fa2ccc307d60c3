import { Search } from "lucide-react";
import { type ReactNode, useId } from "react";
import { inputStyles } from "@/ui/form/FieldShell";
import type { Choice, Filter, Order } from "../arrange";

interface IdeaToolsProps {
  choice: Choice;
  onChange: (choice: Choice) => void;
  /** Tags to filter by. */
  tags: readonly string[];
  found: number;
  total: number;
}

const orders: Record<Order, string> = {
  changed: "Last changed",
  title: "Title",
  published: "Published",
};

const filters: Record<Filter, string> = {
  all: "All ideas",
  text: "Text",
  pdf: "PDF",
  shared: "Shared",
  unshared: "Not shared",
  archived: "Archived",
};

/** Search, filter and order of the dashboard's ideas. */
export function IdeaTools({ choice, onChange, tags, found, total }: IdeaToolsProps) {
  const id = useId();
  return (
    <search className="mt-8 flex flex-wrap items-end gap-3">
      <div className="relative min-w-0 flex-1 basis-full sm:basis-64">
        <label htmlFor={id} className="sr-only">
          Search your ideas
        </label>
        <Search
          className="pointer-events-none absolute top-3.5 left-3 size-4 text-muted"
          aria-hidden="true"
        />
        <input
          id={id}
          type="search"
          value={choice.search}
          placeholder="Search your ideas"
          autoComplete="off"
          onChange={(event) => onChange({ ...choice, search: event.target.value })}
          className={`${inputStyles} pl-9`}
        />
      </div>
      <Select
        label="Show"
        value={choice.filter}
        options={filters}
        onChange={(filter) => onChange({ ...choice, filter })}
      >
        {tags.length > 0 && (
          <optgroup label="Tags">
            {tags.map((tag) => (
              <option key={tag} value={`#${tag}`}>
                {tag}
              </option>
            ))}
          </optgroup>
        )}
      </Select>
      <Select
        label="Order by"
        value={choice.order}
        options={orders}
        onChange={(order) => onChange({ ...choice, order })}
      />
      <p role="status" className="sr-only">
        {found < total ? `${found} of ${total} ideas` : ""}
      </p>
    </search>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: Partial<Record<Value, string>>;
  onChange: (value: Value) => void;
  /** More options. */
  children?: ReactNode;
}

function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  children,
}: SelectProps<Value>) {
  const id = useId();
  const values = Object.keys(options) as Value[];
  return (
    <div className="flex min-w-0 flex-1 basis-32 flex-col gap-1 sm:flex-none sm:flex-row sm:items-center sm:gap-2">
      <label htmlFor={id} className="shrink-0 text-muted text-sm">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={`${inputStyles} read-only:bg-surface sm:w-40`}
      >
        {values.map((option) => (
          <option key={option} value={option}>
            {options[option]}
          </option>
        ))}
        {children}
      </select>
    </div>
  );
}
