/** Messages of scripts that are not the page's, from public lists. */

/** A message, or a name in it that no page has. */
export interface KnownText {
  /** Tested on the message without "Uncaught TypeError: ". Linear time. */
  readonly text: RegExp;
  /** The extension, app or product that causes it. Noise is grouped by it. */
  readonly source: string;
  /** The list that names it. */
  readonly from: string;
}

/** The source of the first text that a message matches. */
export function findKnownText(texts: readonly KnownText[], message: string): string | undefined {
  return texts.find(({ text }) => text.test(message))?.source;
}
