/**
 * Characters of the digest's alphabet that people take for one another, as data, so that the reading of digests and the
 * page that explains a wrong one name the same pairs. Symmetric; the likeliest first. The pairs that merely sound alike
 * stand last: a digest is also read out on the telephone. (O, I, L and U are no characters of the alphabet; `digest.ts`
 * reads them as 0, 1, 1 and V.)
 */

/** Ranked pairs, each once, both characters from Crockford's alphabet. */
export const confusablePairs: readonly (readonly [one: string, other: string])[] = [
  ["8", "B"],
  ["5", "S"],
  ["2", "Z"],
  ["6", "G"],
  ["0", "D"],
  ["0", "Q"],
  ["1", "7"],
  ["V", "Y"],
  ["M", "N"],
  ["V", "W"],
  ["C", "G"],
  ["E", "F"],
  ["P", "R"],
  ["K", "X"],
  ["4", "A"],
  ["9", "G"],
  ["H", "N"],
  ["3", "8"],
  ["9", "P"],
  ["6", "8"],
  ["0", "C"],
  ["1", "J"],
  ["1", "T"],
  ["4", "9"],
  ["D", "Q"],
  ["H", "M"],
  ["6", "B"],
  ["5", "6"],
  ["2", "7"],
  ["7", "T"],
  ["0", "8"],
  ["3", "B"],
  ["X", "Y"],
  ["B", "D"],
  ["B", "P"],
  ["D", "T"],
  ["B", "V"],
  ["P", "T"],
  ["3", "E"],
  ["8", "A"],
  ["F", "S"],
  ["C", "Z"],
  ["J", "K"],
];
