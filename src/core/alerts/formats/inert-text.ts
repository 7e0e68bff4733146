/**
 * Makes reported text inert in a message: removes characters that no format may show, and breaks
 * text that readers turn into links. Each format also escapes its own markup.
 */
import { truncateText } from "../../truncate.ts";

/** Control, format and line-separating characters: among them bidirectional overrides. */
const INVISIBLE_CHARS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;
/** Joiners, except those between letters of a script that has them, and inside of an emoji. */
const IDLE_JOINERS =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;
const MAX_URL_CHARS = 2_000;
const LONE_SURROGATES = /\p{Cs}/gu;
/** Replaces a match by itself and a zero-width space. */
const AFTER = "$&\u200b";
/** Endings of source files that are not also top-level domains, and those that are. */
const SOURCE_ENDINGS =
  /^(?:[cm]?[jt]sx?|vue|svelte|java|kts?|scala|cs|fs|vb|go|rb|erb|php|exs?|swift|dart|cpp|hpp|lua|html?)$/;
const DOMAIN_ENDINGS = /^(?:py|rs|pl|sh|mm?|cc?|ml)$/;
/** Empty for an absolute path, or a drive. */
const FIRST_FOLDER = /^(?:[A-Za-z]:|[\w@()[\]+$~-]{0,80})$/;
const FOLDER = /^[\w@()[\]+$~-]{0,80}$/;
const FILE = /^([\w()[\]+$~.-]{1,80})\.(\w{1,6})(:\d{1,6})?(?::\d{1,6})?$/;
/** `2.4.1`, `shop@2.4.1-rc.1`: no host name ends in digits. */
const VERSION =
  /^(?:[\w/-]{1,80}@)?v?\d{1,6}(?:\.\d{1,6}){1,2}(?:[-+][\dA-Za-z-]{1,40}(?:\.\d{1,6})?)?$/;
/** Marks of a sentence before and after a word. */
const AROUND = /^["'`(]|[,;:)"'`]{1,3}$/g;

/**
 * `text` on one line without invisible characters, at most `maxChars` UTF-16 code units; `fallback`
 * if nothing is left.
 */
export function toInertLine(text: string, maxChars: number, fallback = ""): string {
  const line = text
    .slice(0, maxChars * 8)
    .replace(/\s+/g, " ")
    .replace(INVISIBLE_CHARS, "")
    .replace(IDLE_JOINERS, "")
    .replace(LONE_SURROGATES, "\ufffd")
    .trim();
  return line === "" ? fallback : truncateText(line, maxChars);
}

/**
 * `text` with zero-width spaces in everything that mail programs and phones turn into links: URLs,
 * domain names, addresses, IP addresses, phone numbers and mentions. Names of source files and
 * releases stay as they are, because people copy them.
 */
export function breakLinks(text: string): string {
  return text
    .replace(/\S+/g, (word) => (isCopiedName(word) ? word : breakWord(word)))
    .replace(/(?<=\d{3}) (?=\d{3})/g, AFTER);
}

/** `text` for the contents of HTML. Breaks are elements, which copies do not contain. */
export function toInertHtml(text: string): string {
  return escapeMarkup(breakLinks(text)).replaceAll("\u200b", "<wbr>");
}

function breakWord(word: string): string {
  return word
    .replace(/[:/](?=\/)|[@#](?=\S)|\d{6}(?=\d)/g, AFTER)
    .replace(/(?<=\S)[.．。｡](?=\p{L})|(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/gu, AFTER)
    .replace(/(?<=\d{3})-(?=\d{3})|\b(?:mailto|tel|sms)(?=:)/gi, AFTER);
}

/**
 * True for the name of a source file (`src/total.ts:41`) and of a release (`shop@2.4.1`). A name
 * that could also be a host, such as `views.py`, needs a line.
 */
function isCopiedName(word: string): boolean {
  const bare = word.replace(AROUND, "");
  if (bare.length > 200 || /\d{7}/.test(bare)) return false;
  if (VERSION.test(bare)) return true;
  const folders = bare.split(/[/\\]/);
  const [, name = "", ending = "", line] = FILE.exec(folders.pop() ?? "") ?? [];
  // `//` and a dot in a folder begin a URL.
  const isPath = folders.every((folder, n) =>
    n === 0 ? FIRST_FOLDER.test(folder) : folder !== "" && FOLDER.test(folder),
  );
  if (!isPath || name.startsWith(".")) return false;
  return SOURCE_ENDINGS.test(ending) || (line !== undefined && DOMAIN_ENDINGS.test(ending));
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
