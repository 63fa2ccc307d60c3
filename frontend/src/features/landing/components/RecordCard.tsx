import { LogoMark } from "@/ui/Logo";

const rows = [
  ["Document", "IV-7K3M-Q9TX-2B4N"],
  ["Published", "21 Nov 2026, 10:00:00 UTC"],
  ["SHA-256", "9f86d081884c…"],
];

/** Drawing on the sealed record of the landing page, which is hidden from screen readers. */
export function RecordCard() {
  return (
    <div className="select-none text-page-ink">
      <div className="absolute inset-0 -z-10 translate-x-3 translate-y-3 rotate-1 rounded-lg border border-line bg-sunken" />
      <p className="font-semibold font-serif text-xl">Self-winding letter press</p>
      <div className="mt-5 flex flex-col gap-2.5">
        {["w-full", "w-11/12", "w-10/12", "w-2/3"].map((width) => (
          <div key={width} className={`h-2 rounded-full bg-page-line ${width}`} />
        ))}
      </div>
      <dl className="mt-8 flex flex-col gap-1.5 border-page-line border-t pt-4 text-sm">
        {rows.map(([term, value]) => (
          <div key={term} className="flex gap-3">
            <dt className="w-20 shrink-0 text-page-muted">{term}</dt>
            <dd translate="no" className="min-w-0 font-mono text-xs leading-6">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <LogoMark className="absolute right-6 -bottom-7 size-20 drop-shadow-md" />
    </div>
  );
}
