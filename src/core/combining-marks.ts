/**
 * Limits the combining marks of a character, because hundreds of them cover other lines. Source:
 * Unicode Standard § 3.6 Combination, § 5.13 Rendering Nonspacing Marks.
 */

/** Pointed Hebrew with an accent has four; the scripts of living languages need no more. */
const EXCESS_MARKS = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu;
/** A faster test: characters before this range combine with no other. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/;

/** The text with at most four nonspacing marks in a row. */
export function limitCombiningMarks(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(EXCESS_MARKS, "$1") : text;
}

/** True if `limitCombiningMarks` would shorten the text. */
export function hasExcessCombiningMarks(text: string): boolean {
  return limitCombiningMarks(text) !== text;
}
