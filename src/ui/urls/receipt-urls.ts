/** The URL of a receipt, relative to the origin. The digest can be as the visitor typed it. */
export function toReceiptUrl(digest: string): string {
  return `/e/${encodeURIComponent(digest)}`;
}
