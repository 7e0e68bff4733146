/** The address of a receipt, relative to the desk's own host; the digest is as somebody was shown it. */
export function toReceiptUrl(digest: string): string {
  return `/e/${encodeURIComponent(digest)}`;
}
