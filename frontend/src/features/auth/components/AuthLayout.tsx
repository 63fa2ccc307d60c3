import { FileLock2, Fingerprint, Stamp } from "lucide-react";
import type { ReactNode } from "react";
import { PageLayout } from "@/layout/PageLayout";

const points = [
  {
    Icon: Fingerprint,
    text: "Every save keeps its fingerprint and time. You decide which goes on record.",
  },
  { Icon: FileLock2, text: "Readers accept an agreement before they see anything." },
  { Icon: Stamp, text: "You see who agreed and who viewed it, and when." },
];

/** Layout of the login and register screens: claims and form side by side. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <PageLayout width="wide" className="flex items-center">
      <div className="mx-auto grid w-full max-w-md overflow-hidden rounded-lg border border-line bg-surface shadow-soft lg:max-w-5xl lg:grid-cols-[1fr_1.1fr]">
        <aside className="hidden flex-col justify-center bg-night p-10 text-on-night lg:flex">
          <p className="font-semibold font-serif text-2xl">
            Put your idea on record before you put it on the table.
          </p>
          <ul className="mt-8 flex flex-col gap-4">
            {points.map(({ Icon, text }) => (
              <li key={text} className="flex items-start gap-3 text-night-muted">
                <Icon className="mt-0.5 size-5 shrink-0 text-night-seal" aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </aside>
        <div className="min-w-0 p-6 sm:p-10">{children}</div>
      </div>
    </PageLayout>
  );
}
