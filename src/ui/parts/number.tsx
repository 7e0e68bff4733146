/** A number with its word, so that "1 times" is never written. Figures are grouped the same way everywhere: 12,345. */

/**
 * `12,345`, of a whole number. Not by `toLocaleString`: its first call loads the data of all languages, 12 ms, more than a request may
 * take on the free plan; and every call makes a formatter, together a fifth of a list's CPU.
 */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 report`, `12,345 reports`; give `many` where the plural is not the word with an s. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** A figure for a column: the word is there for those who do not see the column's head, and on a phone. */
export function NumberCell({
  count,
  one,
  many = `${one}s`,
}: {
  readonly count: number;
  readonly one: string;
  readonly many?: string;
}) {
  return (
    <span className="number-cell" data-zero={count === 0 ? "" : undefined}>
      {formatNumber(count)}
      <span className="cell-unit"> {count === 1 ? one : many}</span>
    </span>
  );
}
