/** The URL of a receipt, relative to the origin. The digest may be in any spelling. */
export function toReceiptUrl(digest: string): string {
  return `/e/${encodeURIComponent(digest)}`;
}

/** Where the form of a receipt asks to tell its visitor of the fix. */
export function toTellUrl(digest: string): string {
  return `${toReceiptUrl(digest)}/tell`;
}
