/** Messages about evidence, wherever its state is shown. */
export const messages = {
  title: "Evidence",
  open: "See the evidence",
  stateFailed: "The state of the evidence could not be loaded.",
  /** In one line, for the seal and the panel. */
  level: {
    none: "Not on record yet",
    recorded: "Recorded by this server",
    submitted: "Recorded by this server, confirmation under way",
    confirmed: "Confirmed by an outside authority",
    bitcoin: "In the Bitcoin blockchain",
    stopped: "Recording has stopped",
  },
  /** Around the seal. */
  sealText: {
    none: "Not on record",
    recorded: "Recorded by this server",
    submitted: "Submitted to third parties",
    confirmed: "Confirmed by third parties",
    bitcoin: "In the Bitcoin blockchain",
    stopped: "Recording has stopped",
  },
  stopped:
    "Recording has stopped: nothing new gets a place in the log. The operator of this server can say why. What was recorded before stays as it is.",
  confirmations: {
    title: "Who vouches for the time",
    recorded: "Recorded by this server",
    notRecorded: "Not on record yet",
    notRecordedNote: "No version of this idea is on record.",
    waitingNote: "Waiting for its place in the log.",
    place: (index: number, log: string | undefined) =>
      log === undefined ? `Place ${index} of the log` : `Place ${index} of ${log}`,
    confirmed: (name: string, time: string) => `Confirmed by ${name} at ${time}`,
    confirming: "Confirmation by third parties is under way",
    unconfirmed: "Not confirmed by anybody else",
    unconfirmedNote: "Only this server vouches for the time.",
    refusedNote: (names: string) => `${names} gave no answer that could be used.`,
    askedNote: (names: string) => `${names} has been asked.`,
    bitcoin: (block: number, time: string | null) =>
      time ? `In Bitcoin block ${block}, at most ${time}` : `In Bitcoin block ${block}`,
    bitcoinReported: "Reported to be in Bitcoin, not checked by this server",
    bitcoinReportedNote: (name: string, block: number) =>
      `${name} names block ${block}. Download the evidence to check that yourself.`,
    bitcoinPending: "On its way into a Bitcoin block",
    bitcoinPendingNote: (names: string) =>
      `Submitted to ${names}. It takes some hours until a block confirms it.`,
    noBitcoin: "Not in the Bitcoin blockchain",
  },
} as const;
