/**
 * Reads the names of functions and classes in the text of a source, at the places that a map gives
 * for the beginning of a function, its first parameter, or the word that names it in the script.
 */
import { limits } from "../../limits.ts";
import { truncateText } from "../../truncate.ts";

/**
 * The kind of a place in the source. `function`: where a function begins; `parameter`: its first
 * parameter; `class`: where a class begins; `word`: the id, key, variable or property of either.
 */
export type WordRole = "function" | "parameter" | "class" | "word";

/** The name; empty if the text states that there is none; null if the text is something else. */
type ReadName = (text: string, index: number) => string | null;

/** The text that is read before and after a place. */
const CHARS_BEFORE = 160;
const CHARS_AFTER = 300;

const ID = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*";
/** A name in a definition: a private name, a quoted key, or a well-known symbol. */
const NAME = `(?:(#?${ID})|"([^"\\\\\\n]{1,200})"|'([^'\\\\\\n]{1,200})'|\\[\\s*(Symbol\\.${ID})\\s*\\])`;
const TYPE_PARAMETERS = "(?:<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>\\s*)?";
const PARAMETERS = "\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)";

/** Words before a definition, each followed by another word. */
const MODIFIERS =
  "(?:(?:export|default|declare|abstract|public|private|protected|static|readonly|override|accessor|async|const|let|var|get|set)(?=\\s+[\\p{ID_Start}$_#*[\"'{])\\s+|\\*\\s*)*";

const at = (source: string) => new RegExp(source, "uy");
const before = (source: string) => new RegExp(`(?:${source})$`, "u");

const FUNCTION = at(
  `((?:export\\s+)?(?:default\\s+)?)(?:async\\s+)?function\\b\\s*\\*?\\s*(${ID})?`,
);
const METHOD = at(`${MODIFIERS}${NAME}\\s*\\??\\s*${TYPE_PARAMETERS}${PARAMETERS}\\s*[{:]`);
const ARROW = at(
  `(?:async\\b\\s*)?${TYPE_PARAMETERS}(?:${PARAMETERS}\\s*(?::[^{};=]*)?=>|${ID}\\s*=>)`,
);
const DEFAULT_EXPORT = at(
  "export\\s+default\\s+(?!function\\b|class\\b|abstract\\b|async\\s+function\\b)",
);
/** The parameters of a function with a body, not the arguments of a call. */
const WITH_BODY = at(`${TYPE_PARAMETERS}${PARAMETERS}\\s*[{:]`);
const CLASS = at(
  `(?:(?:export|default|abstract|declare)\\s+)*class\\b\\s*(?:(?!extends\\b|implements\\b)(${ID}))?`,
);
/** An assignment or a property, and the name of its value if that has one. */
const ASSIGNMENT = at(
  `${MODIFIERS}(?:${ID}\\s*\\.\\s*){0,20}${NAME}\\s*[?!]?\\s*(?:(?:\\|\\||&&|\\?\\?)?=(?![=>])|:)(?:\\s*(?:async\\s+)?(?:function\\b\\s*\\*?|class\\b)\\s*(?!extends\\b)(${ID})|\\s*(${ID})\\s*[;,)}\\n])?`,
);

/** A type in TypeScript, without commas outside of brackets. */
const TYPE = "(?:[^;{}=\\n,()<>]|\\([^()]*\\)|<[^<>]*>|=>){1,80}";
/** `name = ` and `name: Type = ` before a value; `name: ` unless it is a branch of a condition. */
const ASSIGNED_BEFORE = before(
  `(?<![:>|&]\\s*)${NAME}\\s*[?!]?\\s*(?::${TYPE})?(?:\\|\\||&&|\\?\\?)?=|(?<![?.]\\s*)${NAME}\\s*:`,
);
/** Words of a value before the place that is mapped. */
const VALUE_START = /(?:\basync\s*|\bfunction\b\s*\*?\s*|\/\*[#@]__PURE__\*\/\s*)+$/;
const NAME_BEFORE = before(`${NAME}\\s*${TYPE_PARAMETERS}`);
const CALLED_BEFORE = before(`${NAME}\\s*${TYPE_PARAMETERS}\\(\\s*`);
/** A class, a variable that is assigned later, and a function whose parameters are long. */
const DECLARED = at(NAME);
const DECLARED_BEFORE = /\b(?:let|var|class|function\s*\*?)\s+$/;

/** Words that are never names of functions. */
const RESERVED = new Set(
  "await case catch class default delete do else export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** The name that the text gives at a place, by the kind of the place. See `ReadName`. */
export const readNameAt: Readonly<Record<WordRole, ReadName>> = {
  function: readFunction,
  parameter: readAroundParameter,
  class: readClass,
  word: readWord,
};

function readFunction(text: string, index: number): string | null {
  const declared = execAt(FUNCTION, text, index);
  if (declared !== null) {
    if (declared[2] !== undefined) return cut(declared[2]);
    return /default/.test(declared[1] ?? "") ? "" : (readAssigned(text, index) ?? "");
  }
  if (execAt(DEFAULT_EXPORT, text, index) !== null) return "";
  if (execAt(ARROW, text, index) !== null) return readAssigned(text, index) ?? "";
  const method = execAt(METHOD, text, index);
  if (method !== null) return pickName(method);
  if (execAt(WITH_BODY, text, index) === null) return null;
  const isExpression = /\bfunction\b\s*\*?\s*$/.test(sliceBefore(text, index));
  return isExpression
    ? (readAssigned(text, index) ?? "")
    : pickName(execBefore(NAME_BEFORE, text, index));
}

function readClass(text: string, index: number): string | null {
  const declared = execAt(CLASS, text, index);
  if (declared === null) return null;
  return declared[1] === undefined ? (readAssigned(text, index) ?? "") : cut(declared[1]);
}

function readWord(text: string, index: number): string | null {
  // A map may point after the sign of a private name.
  const start = text[index - 1] === "#" ? index - 1 : index;
  if (execAt(DEFAULT_EXPORT, text, start) !== null) return "";
  const declared = execAt(FUNCTION, text, start) ?? execAt(CLASS, text, start);
  if (declared !== null)
    return cut(declared[2] ?? (declared.length === 2 ? declared[1] : "") ?? "");
  const named = pickName(execAt(ASSIGNMENT, text, start) ?? execAt(METHOD, text, start));
  if (named !== null || !DECLARED_BEFORE.test(sliceBefore(text, start))) return named;
  return pickName(execAt(DECLARED, text, start));
}

/** The name before the first parameter; for an arrow function the one that it is assigned to. */
function readAroundParameter(text: string, index: number): string | null {
  if (execAt(ARROW, text, index) !== null) return readAssigned(text, index) ?? "";
  const open = text.lastIndexOf("(", index);
  if (open === -1 || open < index - CHARS_BEFORE) return null;
  if (execAt(ARROW, text, open) !== null) return readAssigned(text, open) ?? "";
  if (execAt(WITH_BODY, text, open) === null) return null;
  return pickName(execBefore(CALLED_BEFORE, text, index));
}

/** The name that a value at a place is assigned to. */
function readAssigned(text: string, index: number): string | null {
  const prefix = sliceBefore(text, index).trimEnd().replace(VALUE_START, "").trimEnd();
  return /[=:]$/.test(prefix) ? pickName(ASSIGNED_BEFORE.exec(prefix)) : null;
}

/** The name in a match: the last one, which a function or class has of its own. */
function pickName(match: RegExpExecArray | null): string | null {
  if (match === null) return null;
  const name = match.slice(1).findLast((group) => group !== undefined);
  if (name === undefined || RESERVED.has(name)) return null;
  return name.startsWith("Symbol.") ? `[${name}]` : cut(name);
}

function cut(name: string): string {
  return truncateText(name, limits.maxNameChars);
}

function execAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = 0;
  return sticky.exec(text.slice(index, index + CHARS_AFTER));
}

function execBefore(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  return pattern.exec(sliceBefore(text, index));
}

function sliceBefore(text: string, index: number): string {
  return text.slice(Math.max(0, index - CHARS_BEFORE), index);
}
