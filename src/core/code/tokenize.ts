/**
 * Splits source code into tokens to color. It is not a parser: code that begins in the middle of a
 * file, or is cut, still yields tokens. Linear in the length of the text. Pure.
 */
import type { Language } from "./language.ts";

/** A part of a line. Adjacent tokens of the same kind are one. */
export interface Token {
  readonly kind: "plain" | "keyword" | "string" | "comment" | "number";
  readonly text: string;
}

/**
 * The tokens of each line. Joined, the texts of a line are the line. Without a language, a line is
 * one token.
 */
export function tokenize(
  lines: readonly string[],
  language: Language | undefined,
): readonly (readonly Token[])[] {
  if (language === undefined) return lines.map((text) => [{ kind: "plain", text }]);
  let open: OpenBlock;
  return lines.map((line) => {
    const result = tokenizeLine(line, language, open);
    open = result.open;
    return result.tokens;
  });
}

/** The comment or string that a line begins in. */
type OpenBlock = Language["blocks"][number] | undefined;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;
/** An escape, a class or another character, and the closing slash if the line has one. */
const REG_EXP = /\/(?:\\.?|\[(?:\\.?|[^\]\\])*\]?|[^/\\[])*\/?[a-z]*/y;
/** After these characters a slash begins a regular expression; after values it divides. */
const BEFORE_REG_EXP = "=(,:;[!&|?{}~+";

function tokenizeLine(
  line: string,
  language: Language,
  openAtStart: OpenBlock,
): { readonly tokens: readonly Token[]; readonly open: OpenBlock } {
  const tokens: Token[] = [];
  let open = openAtStart;
  let at = 0;
  let last = "=";
  const push = (kind: Token["kind"], end: number) => {
    const text = line.slice(at, end);
    const previous = tokens.at(-1);
    if (previous?.kind === kind) tokens[tokens.length - 1] = { kind, text: previous.text + text };
    else if (text !== "") tokens.push({ kind, text });
    last = text.trimEnd().at(-1) ?? last;
    at = end;
  };
  while (at < line.length) {
    if (open !== undefined) {
      const { kind }: { kind: Token["kind"] } = open;
      const end = findClose(line, at, open);
      if (end !== undefined) open = undefined;
      push(kind, end ?? line.length);
      continue;
    }
    // No mark begins with a letter.
    const word = findEnd(WORD, line, at);
    if (word !== undefined) {
      push(language.keywords.has(line.slice(at, word)) ? "keyword" : "plain", word);
      continue;
    }
    const block = language.blocks.find((one) => line.startsWith(one.open, at));
    const quote = language.quotes.find((one) => line[at] === one);
    if (block !== undefined) {
      push(block.kind, at + block.open.length);
      open = block;
    } else if (language.lineComments.some((mark) => line.startsWith(mark, at))) {
      push("comment", line.length);
    } else if (quote !== undefined) {
      push("string", findQuote(line, at + 1, quote));
    } else if (language.hasRegExp && line[at] === "/" && BEFORE_REG_EXP.includes(last)) {
      push("string", findEnd(REG_EXP, line, at) ?? at + 1);
    } else {
      const number = findEnd(NUMBER, line, at);
      if (number !== undefined) push("number", number);
      else push("plain", findEnd(SPACE, line, at) ?? at + 1);
    }
  }
  return { tokens, open };
}

/** The end of the match of a sticky `pattern` at `at`. */
function findEnd(pattern: RegExp, line: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}

/** The position after the closing mark; undefined if the line does not close the block. */
function findClose(
  line: string,
  from: number,
  { close, hasEscapes }: NonNullable<OpenBlock>,
): number | undefined {
  for (let at = from; at < line.length; at++) {
    if (hasEscapes && line[at] === "\\") at++;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return undefined;
}

function findQuote(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === quote) return at + 1;
  }
  return line.length;
}
