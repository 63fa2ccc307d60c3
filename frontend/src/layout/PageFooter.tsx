import { useEffect, useState } from "react";
import { Link } from "react-router";
import { paths } from "@/routing/paths";
import { formatDateTimeSeconds } from "@/ui/dates";
import { ThemeSwitch } from "@/ui/ThemeSwitch";
import { ContactLink, IfVault, vaultName } from "@/ui/vault";

const links = [
  { to: paths.about, label: "About Us" },
  { to: paths.contact, label: "Contact" },
  { to: paths.privacyPolicy, label: "Privacy Policy" },
  { to: paths.dataHandling, label: "Data Handling" },
];

/** The footer of every page; /profile leaves the links out. */
export function PageFooter({ withLinks }: { withLinks: boolean }) {
  return (
    <footer className="border-line border-t print:hidden">
      <div className="mx-auto flex w-full max-w-6xl flex-col flex-wrap items-center gap-4 px-4 py-6 text-muted text-sm sm:px-6 md:flex-row md:justify-between">
        <div className="flex min-w-0 flex-col gap-1 text-center md:text-left">
          <TimestampLine />
          <Operator />
        </div>
        {withLinks && (
          <nav aria-label="Footer">
            <ul className="flex flex-wrap justify-center gap-x-5 max-sm:w-60">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline md:min-h-8"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <ThemeSwitch />
      </div>
    </footer>
  );
}

/** The operator's name and contact, if set up. */
function Operator() {
  return (
    <>
      <IfVault has="contact">
        <p className="wrap-anywhere">
          <bdi>{vaultName()}</bdi>:{" "}
          <ContactLink className="underline-offset-4 hover:text-ink hover:underline" />
        </p>
      </IfVault>
      <IfVault has="name alone">
        <p className="wrap-anywhere" dir="auto">
          {vaultName()}
        </p>
      </IfVault>
    </>
  );
}

function TimestampLine() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="text-center tabular-nums md:text-left">
      Blockchain timestamp: <time dateTime={now.toISOString()}>{formatDateTimeSeconds(now)}</time>{" "}
      <span className="block">The time now, not on record</span>
    </p>
  );
}
