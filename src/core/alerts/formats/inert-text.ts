/**
 * Makes reported text inert in a message: removes characters that no format may show, and breaks
 * text that readers turn into links. Each format also escapes its own markup.
 */
import { truncateText } from "../../truncate.ts";

/** Control, format and line-separating characters: among them bidirectional overrides. */
const INVISIBLE_CHARS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;
const MAX_URL_CHARS = 2_000;
const LONE_SURROGATES = /\p{Cs}/gu;
/** Replaces a match by itself and a zero-width space. */
const AFTER = "$&\u200b";

/**
 * `text` on one line without invisible characters, at most `maxChars` UTF-16 code units; `fallback`
 * if nothing is left.
 */
export function toInertLine(text: string, maxChars: number, fallback = ""): string {
  const line = text
    .slice(0, maxChars * 8)
    .replace(/\s+/g, " ")
    .replace(INVISIBLE_CHARS, "")
    .replace(LONE_SURROGATES, "\ufffd")
    .trim();
  return line === "" ? fallback : truncateText(line, maxChars);
}

/**
 * `text` with zero-width spaces in everything that mail programs and phones turn into links: URLs,
 * domain names, addresses, IP addresses, phone numbers and mentions.
 */
export function breakLinks(text: string): string {
  return text
    .replace(/[:/](?=\/)|[@#](?=\S)|\d{6}(?=\d)/g, AFTER)
    .replace(/(?<=\S)[.。．｡](?=\p{L})|(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/gu, AFTER)
    .replace(/(?<=\d{3})[ -](?=\d{3})|\b(?:mailto|tel|sms)(?=:)/gi, AFTER);
}

/** `text` for the contents and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * An absolute `http(s)` URL that cannot break out of any format; undefined for other texts and for
 * URLs of more than 2,000 characters.
 */
export function toInertUrl(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const written = parsed.href.replace(
    /[()[\]<>*_~|\\`'"{}\s]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return written.length <= MAX_URL_CHARS ? written : undefined;
}

/** Replaces the backticks of a code span, which no escape can contain. */
export function replaceTicks(text: string): string {
  return text.replaceAll("`", "ˋ");
}
