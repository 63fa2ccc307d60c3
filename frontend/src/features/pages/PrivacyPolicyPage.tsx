import { StaticPage } from "./StaticPage";

export function PrivacyPolicyPage() {
  return (
    <StaticPage title="Privacy Policy">
      <p>
        We keep what you enter: your account, your ideas, and, when someone opens one of your links,
        the details they give and the agreement they accept.
      </p>
      <p>
        An accepted agreement is stored with its time, IP address and browser, because it is
        evidence for both sides. Pages load nothing from other sites.
      </p>
    </StaticPage>
  );
}
