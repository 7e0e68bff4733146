/** What visitors read: the sentences of notices and receipts, in one language each. */

/**
 * The sentences. `{max}` is replaced by a number, `{digest}` by a digest. A receipt never says what
 * failed, so no sentence has a text of a report.
 */
export interface VisitorTexts {
  /** The sentence of every notice. */
  readonly failed: string;
  readonly digest: string;
  readonly copy: string;
  readonly copied: string;
  readonly checkStatus: string;
  readonly tryAgain: string;
  readonly homePage: string;
  readonly includeDigest: string;

  /** Before the digest, as the heading of a receipt. */
  readonly receipt: string;
  readonly knownTitle: string;
  readonly knownText: string;
  readonly pendingTitle: string;
  readonly pendingText: string;
  readonly fixedTitle: string;
  readonly fixedText: string;
  readonly stepRecorded: string;
  readonly stepInProgress: string;
  readonly stepFixed: string;
  readonly firstSeen: string;
  /** Before the number of times. */
  readonly seenThisWeek: string;
  readonly unknownTitle: string;
  readonly unknownText: string;
  readonly waitTitle: string;
  readonly waitText: string;

  readonly question: string;
  readonly questionHint: string;
  readonly send: string;
  readonly thanks: string;
  readonly tooManyComments: string;
  readonly badComment: string;
  readonly commentFailed: string;

  /** The label of the form, and the subject of its first mail. */
  readonly tell: string;
  readonly tellHint: string;
  /** The same for every address, known or not. */
  readonly tellAsked: string;
  readonly tellConfirmed: string;
  /** Ends the request, on the page of the link. */
  readonly tellWithdraw: string;
  readonly tellExpired: string;
  readonly tellFailed: string;
  /** Before the link. */
  readonly mailAsk: string;
  readonly mailIgnore: string;
  readonly mailFixed: string;
  /** Also after the visitor has ended the request. */
  readonly mailDeleted: string;
}

/** A language, and what a document in it needs. */
export interface Visitor {
  /** The value of `lang` (ISO 639-1). */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  readonly texts: VisitorTexts;
}
