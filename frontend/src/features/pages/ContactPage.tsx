import { StaticPage } from "./StaticPage";

export function ContactPage() {
  return (
    <StaticPage title="Contact">
      <p>
        Please write to whoever runs this installation. Support replies typically arrive within 24
        hours.
      </p>
    </StaticPage>
  );
}
