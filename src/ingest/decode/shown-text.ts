/** Values of senders as text. Objects and lists become short JSON instead of nothing. */
import { asText } from "../../core/decode/as-type.ts";
import { truncateJson, truncateText } from "../../core/truncate.ts";

const JSON_LIMITS = { maxDepth: 5, maxMembers: 30, maxValues: 200, maxStringChars: 500 };

/**
 * The value as text of at most `maxChars` UTF-16 units: `{"code":7}` for an object, `null` for
 * null. `isTruncated` is true if part of it is missing.
 */
export function toShownText(
  value: unknown,
  maxChars: number,
): { readonly text: string; readonly isTruncated: boolean } {
  const plain = typeof value === "string" ? value : asText(value);
  if (plain !== undefined)
    return { text: truncateText(plain, maxChars), isTruncated: plain.length > maxChars };
  const limited = truncateJson(value ?? null, JSON_LIMITS);
  const json = JSON.stringify(limited.value);
  return {
    text: truncateText(json, maxChars),
    isTruncated: limited.isTruncated || json.length > maxChars,
  };
}
