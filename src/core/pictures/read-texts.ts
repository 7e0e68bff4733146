/** The digests in texts that a picture has: the address of a QR code, or recognized letters. */
import { parseDigest } from "../grouping/parse-digest.ts";
import type { Digest } from "../report.ts";

/** The path of a receipt or of an issue, also in capitals. */
const RECEIPT_URL = /^https?:\/\/\S+?\/[edr]\/([\da-z]{4}-?[\da-z]{4})$/i;
const SHOWN_DIGEST = /(?<![\w-])[\dA-Za-z]{4}\s?[-\u2010-\u2015]\s?[\dA-Za-z]{4}(?![\w-])/g;

/** The digest of a receipt's address; undefined for all other addresses and texts. */
export function readReceiptAddress(text: string): Digest | undefined {
  const digest = parseDigest(RECEIPT_URL.exec(text.trim())?.[1] ?? "");
  return digest.ok ? digest.value : undefined;
}

/** The digests in recognized text whose check character is right, each once. */
export function readShownDigests(text: string): readonly Digest[] {
  const found = Array.from(text.matchAll(SHOWN_DIGEST), ([shown]) => parseDigest(shown));
  return [...new Set(found.flatMap((digest) => (digest.ok ? [digest.value] : [])))];
}
