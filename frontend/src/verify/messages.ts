/**
 * Sentences of the verification. `ideavault verify` judges alike, not always in these words; only an
 * event of the future is false to it.
 */
export const messages = {
  zip: {
    foreign: "This is not a bundle: it is not a zip file.",
    incomplete: "The bundle is not a complete zip file.",
    hidden: "The bundle holds data outside its files.",
    tooMany: (count: number) =>
      `The bundle has more than ${count.toLocaleString("en")} files, too many for a browser. Check it with python3 verify.py.`,
    tooLarge: (bytes: number) =>
      `The bundle holds more than ${bytes / 1024 / 1024} MiB, too much for a browser. Check it with python3 verify.py.`,
    path: "The path is not safe.",
    duplicate: "Another file has the same path.",
    encrypted: "The file is encrypted.",
    notAFile: "This is not a regular file.",
    method: "The file is compressed by another method than Deflate.",
    overlap: "The file overlaps with another one.",
    headers: "The headers of the file contradict each other.",
    ratio: "The file is compressed too well to be real.",
    damaged: "The file is damaged or not of its declared size.",
    missing: "The file is missing.",
    unreadable: "The file cannot be read.",
  },
  json: {
    syntax: "This is not JSON.",
    number: "A number is too large.",
    form: "This is not in canonical form.",
    shape: "This has unexpected fields or values.",
  },
  event: {
    field: (name: string) =>
      `The field ${name} is missing, malformed, or not of this type of event.`,
    otherLog: "The event is of another log.",
    beginning: "A log begins with its first event and not later.",
    otherIdea: (idea: string, known: string) =>
      `The event is of the idea ${idea}, others of ${known}.`,
    late: "It is of the log that had stopped, but follows events of this one.",
    before: (path: string) => `Its time is before that of ${path}.`,
    future: (now: number) =>
      `Its time is in the future, if the clock of this computer is right: it shows ${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC.`,
    acceptedAfter: (path: string) => `The reader accepted only after ${path}.`,
    delivery: "It names a delivery of the text that is not there.",
  },
  files: {
    foreign: "This is not an evidence bundle: it has no bundle.json.",
    version:
      "The bundle has a newer format than this page knows. Check it with its own python3 verify.py.",
    missing: "bundle.json lists the file, but it is missing.",
    changed: "The file is not the one in bundle.json.",
    unlisted: "bundle.json does not list the file.",
    unknown: "A bundle has no such file.",
    noEvent: "Its event is missing.",
    noCheckpoint: "Its checkpoint is missing.",
    notStamped: "Nothing stamps this checkpoint.",
    readme: "These are not the instructions for these files.",
    report: "It does not say what the events say.",
    script: "It is not the script of this version. Read it before you run it.",
  },
  document: {
    foreign:
      "This PDF holds no proof: it is no receipt or certificate of a vault, or it was saved anew by another program, which drops what is inside. Take the file as it was downloaded.",
    unproven:
      "This document was made before the event had its place in the log, so it holds no proof yet. Download it again.",
    noKey:
      "This document does not bring the key of the log, as those of an older server do not. Download it again, or give the key first.",
    pages:
      "What the pages of the PDF show is not checked, nor receipt.json: only what this page says counts. If they differ, somebody has changed them.",
    signature: "The signature is not by the key in this document.",
    anyKey:
      "Only the document says that this is the server's key: compare it with one that you have from elsewhere.",
    otherKey: (pinned: string) =>
      `It is signed with another key than ${pinned}. If the log got a new key in between, check the evidence bundle instead: it shows how one key follows from the other.`,
    absent: (digest: string) => `What has the SHA-256 ${digest} is not part of this document.`,
    withheld: "It was withheld from the holder of this document, or erased.",
    content: (digest: string) =>
      `The content itself is not part of a certificate. It is this one if its SHA-256 is ${digest}.`,
  },
  checkpoint: {
    malformed: "This is not a checkpoint.",
    key: "This is not a key.",
    signature: "The signature is not by the key in log/vkey.",
    contradicts: "It contradicts log/checkpoint and log/vkey.",
    other: "It is of another checkpoint.",
    name: "It is of another log or size than its name says.",
    rewritten: "log/checkpoint does not extend it: the log was rewritten.",
    keyThen: "The key of the log at that time has not signed it.",
    noKey: "No event of the bundle names the key of this checkpoint.",
    otherRoot: "The log has another root at this size: it was rewritten.",
    unconnected: "Nothing connects this checkpoint with log/checkpoint.",
    hashes: "These are not hashes.",
    pair: "It connects checkpoints that are not there.",
    previous: "It continues a log whose last checkpoint is not in the bundle.",
    abandoned: "No other log of the bundle continues this one.",
    sameName: "Another log of the bundle has the same name.",
    folder: "Its folder has the name of another log.",
    anchoredName: "It is of another size than its name says.",
  },
  place: {
    malformed: "This is not a proof of a transparency log.",
    checkpoint: "The proof is for another checkpoint than log/checkpoint.",
    place: "The proof is for another place.",
    path: "The proof does not lead from this event to log/checkpoint.",
    pending: (type: string) => `An event ${type} had no place in the log yet.`,
    noType: (type: string) => `There are no events ${type}.`,
  },
  key: {
    older:
      "Only the bundle says that this is the key of the older log: the log that continues it names another state of it.",
    noStart: "The event that began the log is missing.",
    other: "The log names another key for this checkpoint.",
    notPinned: (pinned: string) => `The key is not the one you gave, ${pinned}.`,
    unknown:
      "Only the bundle says that this is the server's key. Nobody but you can say whether it is: compare it with one that you have from elsewhere.",
  },
  disclosure: {
    salt: "The salt is missing or malformed.",
    noEvent: "Its event is missing or was refused.",
    notNamed: (place: number, name: string) => `The event at place ${place} discloses no ${name}.`,
    other: (place: number, name: string) => `The event at place ${place} names another ${name}.`,
    twice: (path: string) => `The same disclosure is in ${path} already.`,
    withheld: "It was withheld from the holder of this bundle, or erased.",
    missing: (path: string) => `${path} names it, but it is missing.`,
  },
  history: {
    notOffered: "No agreement was offered to this reader before it.",
    notAccepted: "This reader accepted no agreement before it.",
    notViewed: "The view began with no event before it.",
    notRecorded: "No event before it put this version on record.",
    notAdded: "No event before it added this comment.",
    notApproved: "The owner had not yet approved the request of this reader.",
    openedBefore: "This reader had opened the idea before it.",
    refused: "The owner had declined the request of this reader.",
    sameMark: "Another view has the same copy number.",
    approved: "The owner had approved the request of this reader.",
  },
  told: {
    version: "Its version of the format is not that of what it has.",
    notMutual: "Its text does not bind the owner, who accepted it all the same.",
    otherText: "Its text is another one than the reader accepted.",
    notSigned: "No event before it says that the owner accepted the text, which binds both.",
  },
  contents: {
    notNamed: "No disclosure names this file by this name.",
    sameRevision: (path: string) => `${path} is the same version.`,
    notLacking: "It is said to be left out, but no event names it.",
    lackingThere: "It is said to be left out, but is there.",
    namedBy: (path: string) => `Named by ${path}.`,
    lost: "It was lost or damaged in the vault that made this bundle, or is beside it in an export.",
    absent: (digest: string) => `What has the SHA-256 ${digest} is not part of this bundle.`,
  },
  anchors: {
    root: "Nobody has signed this certificate here. Compare it with the one that the authority publishes.",
    noAnswer: "The bundle has fewer answers of authorities than certificates.",
    otherBlock: "It does not lead where the stamp of a checkpoint leads.",
    noBlock: "It names no Bitcoin block.",
    authority:
      "It names its checkpoint. Whether an authority has signed it can be checked with OpenSSL.",
    bitcoin: "It names its file. Whether a Bitcoin block confirms it needs a view of Bitcoin.",
    notStamp: "This is not an OpenTimestamps proof.",
    notTimestamp: "This is not the answer of a time-stamping authority.",
    otherFile: (path: string) => `It stamps another file than ${path}.`,
    witness: "A witness of the log has signed this. Its signature can be checked with its key.",
    cosigned: "It is not its checkpoint with signatures of witnesses.",
  },
} as const;

/** Commands that decide what a browser cannot (`README.txt` of a bundle has them, too). */
export const commands = {
  key: "ideavault verify BUNDLE --key VKEY",
  signature: (at: string) =>
    `openssl pkeyutl -verify -pubin -inkey ${at}log/key.pem -rawin -in ${at}log/checkpoint.body -sigfile ${at}log/checkpoint.sig`,
  witness: "ideavault verify BUNDLE --witness VKEY",
  authority: (data: string, answer: string) =>
    `openssl ts -verify -data ${data} -in ${answer} -CAfile ROOTS.pem`,
  stamp: (stamp: string, stamped?: string) =>
    stamped ? `ots verify -f ${stamped} ${stamp}` : `ots verify ${stamp}`,
} as const;
