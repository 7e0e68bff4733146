/** The URL of a receipt, relative to the origin. The digest may be in any spelling. */
export function toReceiptUrl(digest: string): string {
  return `/e/${encodeURIComponent(digest)}`;
}
