/** Numbers of pages, with their unit. */
import { formatNumber, pluralize } from "../../core/numbers.ts";

export { formatNumber, pluralize };

interface Total {
  readonly total: number;
  /** There may be more than were counted. */
  readonly isTotalCapped?: boolean;
}

/** `12`, or `1,000+`. */
export function formatTotal({ total, isTotalCapped = false }: Total): string {
  return `${formatNumber(total)}${isTotalCapped ? "+" : ""}`;
}

/** `1 issue`, `1,000+ issues`. */
export function pluralizeTotal(total: Total, one: string): string {
  return `${formatTotal(total)} ${one}${total.total === 1 && !total.isTotalCapped ? "" : "s"}`;
}

/**
 * A number in a table column. The unit is rendered for screen readers and for phones, which do not
 * show the column's header.
 */
export function NumberCell({
  count,
  one,
  many = `${one}s`,
  format = formatNumber,
}: {
  count: number;
  one: string;
  many?: string | undefined;
  format?: ((count: number) => string) | undefined;
}) {
  return (
    <span className="number-cell" data-zero={count === 0 ? "" : undefined}>
      {format(count)}
      <span className="cell-unit"> {count === 1 ? one : many}</span>
    </span>
  );
}

/** `812 bytes`, `152 kB`, `6.1 MB`: a size in decimal units, as in billing. */
export function formatByteSize(bytes: number): string {
  if (bytes < 1_000) return pluralize(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  if (bytes < 999_500_000) return `${formatOneDecimal(bytes / 1_000_000)} MB`;
  return `${formatOneDecimal(bytes / 1_000_000_000)} GB`;
}

/** `6.1`, but `61` for ten and more. */
function formatOneDecimal(value: number): string {
  return value < 9.95 ? String(Math.round(value * 10) / 10) : formatNumber(Math.round(value));
}
