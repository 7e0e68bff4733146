/**
 * Finds the place of the reporter's tag in the first bytes of a page: in front of everything that
 * runs, behind the start tag of `head`. Reads bytes, not a document: the parser that the runtime
 * offers ends the response at ambiguous markup. Source: HTML § 13.2.5 (tokenization), § 13.2.6.4.1
 * to § 13.2.6.4.4 (the insertion modes before the head).
 */

/** Where a tag goes. */
export type TagPlace =
  /** In front of the byte with this number. */
  | { readonly at: number }
  /** Not decided: further bytes are needed. */
  | "more"
  /** The page gets no tag. */
  | "none";

/** The circumstances of a search. */
export interface PlaceOptions {
  /** There are no further bytes. */
  readonly isEnd: boolean;
  /** The `Content-Type` names no encoding, so browsers look for it in the page. */
  readonly isCharsetUnnamed: boolean;
  /** The length of the tag in bytes. */
  readonly tagBytes: number;
  /** The bytes are declared as compressed: they must begin like a document. */
  readonly isEncoded: boolean;
}

/** The most bytes that are held until the place is found. */
export const MAX_HELD_BYTES = 16_384;
/** Where browsers look for `<meta charset>` (HTML § 13.2.3.2). */
const CHARSET_WINDOW_BYTES = 1_024;

/** The place of the tag in a page that begins with these bytes. */
export function findTagPlace(bytes: Uint8Array, options: PlaceOptions): TagPlace {
  const isAll = options.isEnd || bytes.length >= MAX_HELD_BYTES;
  const place = scan(bytes.subarray(0, MAX_HELD_BYTES), options.isEncoded);
  if (place === "more") return isAll ? "none" : "more";
  if (place === "none" || !options.isCharsetUnnamed) return place;
  return keepCharset(bytes, place, options.tagBytes, isAll);
}

/**
 * None if the tag would move the name of the encoding out of the bytes where browsers look for it,
 * which would change every letter of the page.
 */
function keepCharset(
  bytes: Uint8Array,
  place: TagPlace,
  tagBytes: number,
  isAll: boolean,
): TagPlace {
  if (bytes.length < CHARSET_WINDOW_BYTES && !isAll) return "more";
  const window = toAscii(bytes, 0, Math.min(bytes.length, CHARSET_WINDOW_BYTES));
  const last = window.lastIndexOf("charset");
  if (last === -1) return place;
  const end = window.indexOf(">", last);
  const isKept = end !== -1 && end + 1 + tagBytes <= CHARSET_WINDOW_BYTES;
  return isKept ? place : "none";
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const RETURN = 0x0d;
const SPACE = 0x20;
const LESS = 0x3c;
const GREATER = 0x3e;
const DASH = 0x2d;

/** Elements with which a page may begin if it has no doctype. Others are not HTML, such as `rss`. */
const HTML_NAMES =
  /^(?:html|head|title|base|link|meta|style|script|noscript|template|body|frameset|[abipqsu]|h[1-6]|hr|br|div|span|main|header|footer|nav|aside|section|article|form|table|center|font|img|ul|ol|dl|pre|select|button|svg|video|iframe)$/;

function scan(bytes: Uint8Array, isEncoded: boolean): TagPlace {
  const { length } = bytes;
  let at = 0;
  if (length < 3) return "more";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
  // UTF-16, whatever the header says.
  else if ((bytes[0] ?? 0) >= 0xfe && (bytes[1] ?? 0) >= 0xfe) return "none";
  let isHtml = !isEncoded;
  let hasDoctype = false;
  let hasRoot = false;
  for (;;) {
    at = skipSpace(bytes, at);
    if (at >= length) return "more";
    if (bytes[at] !== LESS) return hasRoot || hasDoctype ? { at } : "none";
    if (at + 1 >= length) return "more";
    const next = bytes[at + 1] ?? 0;
    if (next === 0x21 || next === 0x3f) {
      const end = skipMarkup(bytes, at);
      if (end === -1) return "more";
      isHtml ||= next === 0x21 && bytes[at + 2] === DASH;
      if (isDoctype(bytes, at)) {
        hasDoctype = true;
        isHtml = true;
      }
      at = end;
      continue;
    }
    if (!isLetter(next)) return hasRoot || hasDoctype ? { at } : "none";
    const nameEnd = skipName(bytes, at + 1);
    if (nameEnd >= length) return "more";
    const name = toAscii(bytes, at + 1, nameEnd);
    if (name === "html" && !hasRoot) {
      const end = skipTag(bytes, nameEnd);
      if (end === -1) return "more";
      if (isAmp(bytes, nameEnd, end)) return "none";
      hasRoot = true;
      isHtml = true;
      at = end;
      continue;
    }
    if (name === "head") {
      const end = skipTag(bytes, nameEnd);
      return end === -1 ? "more" : { at: end };
    }
    const isKnown = hasRoot || hasDoctype || (isHtml && HTML_NAMES.test(name));
    return isKnown ? { at } : "none";
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return (
    byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB || byte === FORM_FEED
  );
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The end of a name, where a space, "/" or ">" is. */
function skipName(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isSpace(bytes[at]) && bytes[at] !== GREATER && bytes[at] !== 0x2f)
    at += 1;
  return at;
}

/** The byte behind a start tag whose name ends at `from`; -1 if it is not whole. */
function skipTag(bytes: Uint8Array, from: number): number {
  let quote = 0;
  let isValue = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (quote !== 0) {
      if (byte === quote) {
        quote = 0;
        isValue = false;
      }
    } else if (byte === GREATER) return at + 1;
    else if (byte === 0x3d) isValue = true;
    else if (isValue && (byte === 0x22 || byte === 0x27)) quote = byte;
    else if (!isSpace(byte)) isValue = false;
  }
  return -1;
}

/** The byte behind a comment, a doctype or other markup of "<!" and "<?"; -1 if it is not whole. */
function skipMarkup(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  if (bytes[from + 1] === 0x21) {
    if (from + 3 >= length) return -1;
    if (bytes[from + 2] === DASH && bytes[from + 3] === DASH) return skipComment(bytes, from + 4);
  }
  const end = bytes.indexOf(GREATER, from);
  return end === -1 ? -1 : end + 1;
}

/** The byte behind a comment whose text begins at `from`; -1 if it is not whole. */
function skipComment(bytes: Uint8Array, from: number): number {
  // `<!-->` and `<!--->` are whole.
  if (bytes[from] === GREATER) return from + 1;
  if (bytes[from] === DASH && bytes[from + 1] === GREATER) return from + 2;
  for (let at = bytes.indexOf(GREATER, from); at !== -1; at = bytes.indexOf(GREATER, at + 1)) {
    const isBang = bytes[at - 1] === 0x21 && at - 3 >= from;
    const end = isBang ? at - 1 : at;
    if (end - 2 >= from && bytes[end - 1] === DASH && bytes[end - 2] === DASH) return at + 1;
  }
  return -1;
}

function isDoctype(bytes: Uint8Array, at: number): boolean {
  return toAscii(bytes, at, at + 9) === "<!doctype";
}

/** True if the attributes of the root name AMP, whose validator accepts no other scripts. */
function isAmp(bytes: Uint8Array, from: number, to: number): boolean {
  const attributes = new TextDecoder().decode(bytes.subarray(from, to));
  return /(?:^|\s)(?:amp|amp4ads|amp4email|⚡\ufe0f?|⚡4ads|⚡4email)(?=[\s=>/])/i.test(attributes);
}

/** The bytes as text in lower case, one character each. */
function toAscii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to)).toLowerCase();
}

/** What a tag says to the reporter, and what the page's policy asks of it. */
export interface TagFacts {
  /** The address of the script. */
  readonly src: string;
  readonly token?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** The share of page views that report. */
  readonly sample?: number | undefined;
  /** Failed requests of the page are reported too. */
  readonly fetches?: boolean | undefined;
  readonly nonce?: string | undefined;
  readonly integrity?: string | undefined;
}

/**
 * The tag: a script that runs before everything behind it, because a deferred one would miss the
 * errors of inline scripts. Only ASCII. Cloudflare's Rocket Loader would defer it without the first
 * attribute.
 */
export function createTag(facts: TagFacts): string {
  const { src, token, release, environment, sample, fetches, nonce, integrity } = facts;
  const attributes = Object.entries({
    "data-cfasync": "false",
    src,
    "data-token": token,
    "data-release": release,
    "data-environment": environment,
    "data-sample": sample?.toString(),
    "data-fetches": fetches && "true",
    nonce,
    integrity,
    // An integrity policy of the page asks for this mode too.
    crossorigin: integrity && "anonymous",
  }).flatMap(([name, value]) => (value ? `${name}="${escapeAttribute(value)}"` : []));
  return `<script ${attributes.join(" ")} data-errata></script>`;
}

/** Characters beyond ASCII as references, because the page may have any encoding. */
function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}
