import { StaticPage } from "./StaticPage";

export function AboutPage() {
  return (
    <StaticPage title="About Us">
      <p>
        IdeaVault lets you write down an idea, fix its content at a point in time, and disclose it
        under a non-disclosure agreement, with a record of who saw what and when.
      </p>
      <p>
        Every save is kept with the SHA-256 fingerprint of its exact content and the time at which
        the server received it. Publishing makes the text final.
      </p>
    </StaticPage>
  );
}
