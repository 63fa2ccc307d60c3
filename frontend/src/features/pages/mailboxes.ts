/** A mailbox of the operator. */
interface Mailbox {
  label: string;
  address: string;
  use: string;
}

const boxes = [
  { label: "Support", local: "support", use: "Help with your account, an idea or a link." },
  { label: "General", local: "hello", use: "Everything else, including requests about your data." },
  {
    label: "Security",
    local: "security",
    use: "Security problems you have found. Please give us time to fix them before you make them public.",
  },
];

/**
 * Returns the mailboxes at the installation's own host name. A host without a domain, such as
 * localhost, has only local mail.
 */
export function mailboxesAt(hostname: string): Mailbox[] {
  const isAddress = /^[\d.]+$|^\[.*\]$/.test(hostname);
  const domain = isAddress ? "localhost" : hostname;
  return boxes.map(({ label, local, use }) => ({ label, use, address: `${local}@${domain}` }));
}
