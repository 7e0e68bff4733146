/** Shares as the desk writes them. */

/** `99.95 %`. */
export function percent(share: number): string {
  return `${share.toLocaleString("en", { minimumFractionDigits: share === 100 ? 0 : 1 })} %`;
}
