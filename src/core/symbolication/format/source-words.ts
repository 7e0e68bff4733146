/** Reads the word that names a function or a class in the text of a source. */
import { limits } from "../../limits.ts";
import { truncateText } from "../../truncate.ts";

/** Words before the name. Each may be a name itself, unless another word follows. */
const MODIFIERS =
  /(?:(?:export|default|declare|abstract|public|private|protected|static|readonly|override|accessor|async|const|let|var|class|get|set)(?=\s+[\p{ID_Start}$_#*["'])\s+|(?:function|class)\b\s*|\*\s*)*/uy;
const NAME =
  /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]{0,1000}(?:\s?\??\.\s?#?[\p{ID_Start}$_][\p{ID_Continue}$]{0,1000}){0,20}/uy;
const QUOTED = /(["'])((?:(?!\1)[^\\\n\r]){1,200})\1(?=\s*[(:=\]?])/y;
const COMPUTED = /\[\s*(Symbol\.\w{1,40})\s*\]/y;
/** A name is defined by an assignment, a key, parameters, a class body, or in a list. */
const AFTER_NAME = /\s*(?:$|[(:;,{}<)?!\n\r]|=(?![=>])|extends\b|implements\b)/y;
const ASSIGNED = /\s*=(?![=>])/y;

/** Words that are never names here. `async` begins an arrow function. */
const RESERVED = new Set(
  "async await case class delete do else export extends false finally for function if import in instanceof new null of return super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** Which word has to stand before the name. */
export type RequiredKeyword = "function" | "class";

/**
 * The name in a definition at `index`, without the words before it: `offset` in `static get
 * offset() {`. Null if no name is defined there, or if `keyword` is required and missing.
 */
export function readDefinedName(
  text: string,
  index: number,
  keyword?: RequiredKeyword,
): string | null {
  MODIFIERS.lastIndex = index;
  const modifiers = MODIFIERS.exec(text)?.[0] ?? "";
  if (keyword !== undefined && !modifiers.split(/[\s*]+/).includes(keyword)) return null;
  const at = index + modifiers.length;
  const quoted = execAt(QUOTED, text, at)?.[2];
  if (quoted !== undefined) return quoted;
  const symbol = execAt(COMPUTED, text, at)?.[1];
  if (symbol !== undefined) return `[${symbol}]`;
  const path = execAt(NAME, text, at)?.[0];
  if (path === undefined) return null;
  const names = path.split(/\s?\??\.\s?/);
  const after = names.length > 1 ? ASSIGNED : AFTER_NAME;
  const name = names.at(-1) ?? "";
  if (execAt(after, text, at + path.length) === null || RESERVED.has(name)) return null;
  return truncateText(name, limits.maxNameChars);
}

function execAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = index;
  return sticky.exec(text);
}
