/** Texts of the page that checks evidence. */
export const messages = {
  title: "Check evidence",
  lead: "Choose an evidence bundle, a receipt or a certificate, and see, claim by claim, what it proves. It is checked here, in your browser, and never uploaded.",
  file: {
    label: "Evidence bundle, receipt or certificate",
    drop: "Drop evidence here",
    hint: "A bundle, whose name begins with “evidence-”, or a PDF: a receipt or a certificate. The idea's owner can download them, and so can each reader who accepted the agreement. A bundle that was unpacked or zipped again works too.",
    choose: "Choose a file",
    folder: "Choose its folder",
    folderLabel: "Folder of an unpacked bundle",
    another: "Check another file",
    unreadable: "The file could not be read. Please choose it again.",
  },
  key: {
    label: "The log's key, if you know it",
    description:
      "In the form NAME+ID+KEY, from the operator or from an earlier bundle, through a different channel.",
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
    lead: "This page is a convenience: whoever runs it could make it say anything. If a lot depends on the result, use independent tools on your own computer. Unpack the bundle and run these commands in its folder. Its README.txt lists them with the actual file names.",
    python:
      "All at once, with Python and OpenSSL: a script in the bundle, short enough to read first. If everything holds, it makes the report",
    sum: "Content, agreements and persons: compare the SHA-256 of each file with the one in its disclosure, and that of each disclosure with the one in its event",
    signature: "The signature of the log, which covers every event",
    authority:
      "The time by an authority. ROOTS.pem has its certificates, from its own site or from the list of your system (Debian: /etc/ssl/certs/ca-certificates.crt)",
    bitcoin: "The time by Bitcoin, with the client of OpenTimestamps",
    tool: "All of it, with the tool of this product",
  },
} as const;

/** The commands of docs/evidence.md that need no server of ours. */
export const offlineCommands = [
  [
    messages.offline.python,
    "python3 verify.py --key VKEY --roots ROOTS.pem --report ../checked.html",
  ],
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
