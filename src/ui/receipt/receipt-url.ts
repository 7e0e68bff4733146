/** The address of a receipt, relative to the desk's own host; the digest is as somebody was shown it. */
export function receiptUrl(digest: string): string {
  return `/e/${encodeURIComponent(digest)}`;
}
