/** Numbers in texts, with thousands separators: `12,345 reports`, `1 report`. Pure. */

/**
 * `12,345`; a small number may have a decimal, `4.7`. `toLocaleString` is too slow: its first call
 * loads the data of all languages (12 ms, above the limit of the free plan), and every call creates
 * a formatter (a fifth of the CPU of a list).
 */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 report`, `12,345 reports`. Pass `many` for a plural that is not `one` with an s. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `96 %`; a share is never rounded to none or to all. */
export function formatShare(share: number): string {
  const percent = Math.round(100 * share);
  if (share > 0 && percent === 0) return "under 1 %";
  return share < 1 && percent === 100 ? "over 99 %" : `${percent} %`;
}
