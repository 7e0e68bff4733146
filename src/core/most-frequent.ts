/** The distinct words with their counts, most frequent first, then alphabetically. */
export function countMostFrequent(
  words: readonly string[],
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
