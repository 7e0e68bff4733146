/** A line of words of Errata and reported names, which formats mark differently. Pure. */

/** Hostile text within a line, on one line and without invisible characters. */
export interface Reported {
  readonly reported: string;
}

/** A line. Texts are words of Errata. */
export type Phrase = readonly (string | Reported)[];

export function toReported(reported: string): Reported {
  return { reported };
}

/** The line as text. `mark` escapes a reported name: by default, it stays as it is. */
export function formatPhrase(
  phrase: Phrase,
  mark: (reported: string) => string = (text) => text,
): string {
  return phrase.map((part) => (typeof part === "string" ? part : mark(part.reported))).join("");
}

/** The phrases with ` · ` between them; none for no phrase. */
export function joinPhrases(phrases: readonly Phrase[]): readonly Phrase[] {
  const joined = phrases.flatMap((phrase, n) => (n === 0 ? phrase : [" · ", ...phrase]));
  return joined.length === 0 ? [] : [joined];
}
