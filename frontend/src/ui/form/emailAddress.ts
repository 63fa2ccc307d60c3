import { string } from "yup";

const BEFORE_THE_AT =
  "We cannot send mail to this address: most mail servers take no accented or other letters and no quotation marks before the @. Please use another one.";

/** A required address that mail can be sent to (docs/rules.md#account-fields). */
export const emailAddress = (message: string) =>
  string()
    .trim()
    .transform(withAsciiDomain)
    .required(message)
    .test("before-the-at", BEFORE_THE_AT, (address) => !/[^\p{ASCII}].*@/u.test(address))
    .email(message);

/** As the server does: mail is sent to the ASCII form of a domain in another script. */
function withAsciiDomain(address: string): string {
  const [, local, domain] = /^(.*)@([^@/?#\\:]*[^\p{ASCII}][^@/?#\\:]*)$/u.exec(address) ?? [];
  if (!local || !domain) return address;
  try {
    return `${local}@${new URL(`http://${domain}`).hostname}`;
  } catch {
    return address;
  }
}
