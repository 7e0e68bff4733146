/** The form of a pattern of secrets. */

/** A word that is long enough for a token. Most texts contain none. */
export const LONG_WORD = /[\w-]{15}/;

/**
 * A pattern of secrets in a text. The secret is the match, or its group `secret` if there is one.
 */
export interface SecretPattern {
  /** Applies only if this setting is on. */
  readonly setting?: "email" | "ip";
  /** Matches every text with a match. Consecutive patterns with the same gate share its result. */
  readonly gate?: RegExp;
  /**
   * Occurs in every match, so that a text without it need not be searched. Contains no quotes,
   * backslashes or line ends.
   */
  readonly hint?: string | RegExp;
  /** The regions of a text in which the pattern applies, instead of the whole text. */
  readonly within?: RegExp;
  readonly pattern: RegExp;
  /** A check beyond the pattern: the part of the match that is secret, undefined if none is. */
  readonly findSecret?: (text: string) => string | undefined;
}
