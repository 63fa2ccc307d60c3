/** Texts of the window that erases a person. */
export const messages = {
  title: (name: string) => `Erase ${name}?`,
  what: (email: string) =>
    `This removes who opened your ideas as ${email}: name, addresses, phone number and browser, the name at comments, and mails that wait; unless you keep them, the texts of agreements, too. Open visits end, and so do links for this address only.`,
  stays: "What stays",
  staysText:
    "That somebody accepted, opened or commented, which version, and when: provable, but no longer who. Comments keep their text.",
  cannot: "What cannot be erased",
  cannotText:
    "Evidence bundles and exports that were downloaded, emails that were sent, and backups of this vault.",
  keep: "Keep accepted agreements",
  keepHint:
    "Their texts keep the name and the address, for as long as the duties in them last or the law asks for them.",
  before: "Save before you erase",
  beforeText: "As long as the record still says who this was:",
  report: "the report of this idea",
  bundle: "the evidence of this idea",
  password: "Your password",
  passwordMissing: "Please enter your password",
  confirm: "Erase for good",
  done: "The person is erased.",
  failed: "The person could not be erased. Please try again.",
} as const;
