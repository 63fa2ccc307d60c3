/** Texts of the page that checks evidence. */
export const messages = {
  title: "Check evidence",
  lead: "Choose an evidence bundle and see, claim by claim, what it proves. It is checked here, in your browser, and never uploaded.",
  file: {
    label: "Evidence bundle",
    drop: "Drop an evidence bundle here",
    hint: "Its name begins with “evidence-”. Whoever put the idea on record, or agreed to read it, can download it.",
    choose: "Choose a bundle",
    another: "Check another bundle",
    unreadable: "The file could not be read. Please choose it again.",
  },
  key: {
    label: "The log's key, if you know it",
    description:
      "In the form NAME+ID+KEY, from the operator or from an earlier bundle, over another channel than this one.",
    malformed: "This is not a key of a log. It looks like vault.example.org/log1+ab12cd34+AQ…",
    use: "Use this key",
    summary: "I know the log's key",
  },
  command: {
    copy: "Copy the command",
    copyFailed: "It could not be copied. Select it and copy it by hand.",
  },
  offline: {
    title: "Check it without this page",
    lead: "This page is a convenience. Whoever runs it could make it say anything, so where much depends on the answer, use tools of others on a computer of your own. Unpack the file and run these commands in its folder. README.txt in it lists them with its own names.",
    python:
      "All at once, with Python and OpenSSL: a script in the file itself, short enough to be read first",
    sum: "Content, agreements, persons: the SHA-256 of a file is the one in its disclosure, that of a disclosure the one in its event",
    signature: "The signature of the log, which covers every event",
    authority: "The time by an authority. ROOTS.pem are its certificates, from its own site",
    bitcoin: "The time by Bitcoin, with the client of OpenTimestamps",
    tool: "All of it, with the tool of this product",
  },
} as const;

/** The commands of docs/evidence.md that need no server of ours. */
export const offlineCommands = [
  [messages.offline.python, "python3 verify.py --key VKEY --roots ROOTS.pem"],
  [messages.offline.sum, "sha256sum idea/* agreements/* disclosures/* events/*.json"],
  [
    messages.offline.signature,
    "openssl pkeyutl -verify -pubin -inkey log/key.pem -rawin -in log/checkpoint.body -sigfile log/checkpoint.sig",
  ],
  [
    messages.offline.authority,
    "openssl ts -verify -data anchors/X.checkpoint -in anchors/X.tsr -CAfile ROOTS.pem",
  ],
  [messages.offline.bitcoin, "ots verify events/N.json.ots"],
  [messages.offline.tool, "ideavault verify BUNDLE --key VKEY --roots ROOTS.pem"],
] as const;
