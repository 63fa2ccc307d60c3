/** Messages about evidence, wherever its state is shown. */
export const messages = {
  title: "Evidence",
  open: "See the evidence",
  stateFailed: "The state of the evidence could not be loaded.",
  /** In few words: they have to fit around the seal. */
  level: {
    none: "Not on record",
    recorded: "Recorded by this server",
    submitted: "Confirmation under way",
    confirmed: "Confirmed by a witness",
    bitcoin: "In the Bitcoin blockchain",
    stopped: "Recording has stopped",
  },
  putOnRecord: {
    button: "Put this version on record",
    done: (revision: number) => `Version ${revision} is on record.`,
    failed: "The version could not be put on record. Please try again.",
  },
  stopped:
    "Recording has stopped: nothing new gets a place in the log. The operator of this server can say why. What was recorded before stays as it is.",
  confirmations: {
    title: "Who vouches for the time",
    recorded: "Recorded by this server",
    notRecorded: "Not on record",
    notRecordedNote: "No version of this idea is on record.",
    waitingNote: "Waiting for its place in the log.",
    place: (index: number, log: string | undefined) =>
      log === undefined ? `Place ${index} of the log` : `Place ${index} of ${log}`,
    confirmed: (name: string, time: string) => `Confirmed by ${name} at ${time}`,
    confirming: "Not confirmed by an outside witness yet",
    noWitness: "No outside witness is set up on this vault",
    noWitnessNote:
      "Nobody but this server can say when a version was recorded. Its operator can set up witnesses.",
    unconfirmed: "Not confirmed by an outside witness",
    soonNote: "The outside witnesses of this vault are asked within some minutes.",
    onceRecordedNote: "The outside witnesses of this vault are asked once a version is on record.",
    refusedNote: (names: string) => `${names} gave no answer that could be used.`,
    askedNote: (name: string) => `${name} is being asked.`,
    bitcoin: (block: number, time: string | null) =>
      time ? `In Bitcoin block ${block}, at most ${time}` : `In Bitcoin block ${block}`,
    bitcoinReported: "Reported to be in Bitcoin, not checked by this server",
    bitcoinReportedNote: (name: string, block: number) =>
      `${name} names block ${block}. Download the evidence to check that yourself.`,
    bitcoinPending: "On its way into a Bitcoin block",
    bitcoinPendingNote: (names: string) =>
      `Submitted to ${names}. It takes some hours until a block confirms it.`,
    noBitcoin: "Not in the Bitcoin blockchain yet",
  },
} as const;
