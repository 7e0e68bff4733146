/**
 * Parses the Markdown of comments: code, bold, links, lists and code blocks. Anything else stays
 * text, so every text is valid. Linear in the length of the text. Pure.
 */
import { isDigest } from "../grouping/parse-digest.ts";

/** A part of a line. Only `https` URLs become links; a digest needs the right check character. */
export type Inline =
  | { readonly kind: "text" | "code" | "digest"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string }
  | { readonly kind: "bold"; readonly parts: readonly Inline[] };

/** A paragraph with its lines, a list with its items, or a block of code. */
export type Block =
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly Inline[])[] }
  | {
      readonly kind: "list";
      readonly isOrdered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: "code"; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}```([\w.+-]{0,20})\s*$/;
const BULLET = /^ {0,3}[-*] +(\S.*)$/;
const NUMBERED = /^ {0,3}\d{1,4}[.)] +(\S.*)$/;

/** The blocks of a comment in their order. A code block without an end extends to the last line. */
export function parseMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r\n?|\n/);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const last = findFenceEnd(lines, at + 1);
      const code = lines.slice(at + 1, last).join("\n");
      blocks.push({ kind: "code", language: fence[1] ?? "", text: code });
      at = last + 1;
    } else if (line.trim() === "") at++;
    else {
      const pattern = [BULLET, NUMBERED].find((one) => one.test(line));
      const end = findBlockEnd(lines, at, pattern);
      blocks.push(toBlock(lines.slice(at, end), pattern));
      at = end;
    }
  }
  return blocks;
}

function findFenceEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && FENCE.exec(lines[end] ?? "")?.[1] !== "") end++;
  return end;
}

function findBlockEnd(lines: readonly string[], from: number, pattern: RegExp | undefined): number {
  let end = from + 1;
  while (end < lines.length && continues(lines[end] ?? "", pattern)) end++;
  return end;
}

function continues(line: string, pattern: RegExp | undefined): boolean {
  if (pattern !== undefined) return pattern.test(line);
  return line.trim() !== "" && ![FENCE, BULLET, NUMBERED].some((one) => one.test(line));
}

function toBlock(lines: readonly string[], pattern: RegExp | undefined): Block {
  if (pattern === undefined)
    return { kind: "paragraph", lines: lines.map((one) => parseInline(one)) };
  const items = lines.map((line) => parseInline(pattern.exec(line)?.[1] ?? ""));
  return { kind: "list", isOrdered: pattern === NUMBERED, items };
}

/** Each alternative stops at a character that it cannot contain, or at a limited length. */
const MARKUP =
  /`([^`]{1,4000})`|\*\*(?=\S)([^*]{1,1000})\*\*|\[([^[\]]{1,200})\]\((https:\/\/[^\s()<>]{1,1000})\)|(https:\/\/[^\s<>"'`]{1,1000})|\b([0-9A-Za-z]{4}-[0-9A-Za-z]{4})\b(?!-)/g;
/** Punctuation that belongs to the sentence rather than to the URL before it. */
const AFTER_URL = /[.,;:!?)\]*]{1,20}$/;

function parseInline(text: string, isInBold = false): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  const add = (part: Inline, from: number, to: number) => {
    if (from > end) parts.push({ kind: "text", text: text.slice(end, from) });
    parts.push(part);
    end = to;
  };
  for (const match of text.matchAll(MARKUP)) {
    const [whole, code, bold, name, namedUrl, url, digest] = match;
    const from = match.index;
    const to = from + whole.length;
    if (code !== undefined) add({ kind: "code", text: code }, from, to);
    else if (bold !== undefined) {
      if (!isInBold) add({ kind: "bold", parts: parseInline(bold, true) }, from, to);
    } else if (namedUrl !== undefined) {
      if (isSafeUrl(namedUrl)) add({ kind: "link", text: name ?? "", url: namedUrl }, from, to);
    } else if (url !== undefined) {
      const clean = url.replace(AFTER_URL, "");
      if (isSafeUrl(clean))
        add({ kind: "link", text: clean, url: clean }, from, from + clean.length);
    } else if (digest !== undefined && isDigest(digest))
      add({ kind: "digest", text: digest }, from, to);
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** Accepts https without a user name, which could imitate another host. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === "https:" && username === "" && password === "";
}
