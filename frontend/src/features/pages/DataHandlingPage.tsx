import { StaticPage } from "./StaticPage";

export function DataHandlingPage() {
  return (
    <StaticPage title="Data Handling">
      <p>
        Ideas leave the server only to their author and to people who accepted the agreement for
        them. A revoked or expired link opens nothing.
      </p>
      <p>
        Requests about your data are answered within one month, which can be extended by two months.
        You are told of a breach within 72 hours.
      </p>
    </StaticPage>
  );
}
