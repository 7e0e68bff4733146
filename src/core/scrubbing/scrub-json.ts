/**
 * Removes secrets from a JSON attachment by member names, as in parsed data. The rest keeps its
 * formatting and its large numbers.
 */
import { parseJsonText } from "../decode/parse-json.ts";
import { isSecretOptionText } from "./command-options.ts";
import { REMOVED } from "./secret-patterns.ts";

/** Functions that scrub the parts of JSON. */
interface JsonScrubbers {
  readonly isSecretName: (name: string) => boolean;
  readonly scrubName: (name: string) => string;
  readonly scrubText: (text: string) => string;
  readonly isSecretNumber: (number: string) => boolean;
}

/**
 * A string with its colon if it is a name; a bracket; a number or a word. Valid JSON has no other
 * tokens.
 */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g;
const EMPTY_TOKENS: ReadonlySet<string> = new Set(["null", "true", "false", '""', `"${REMOVED}"`]);

/**
 * The text without its secrets; undefined if it is not JSON, or neither an object nor an array.
 * Linear.
 */
export function scrubJson(text: string, scrub: JsonScrubbers): string | undefined {
  if (!/^\s*[{[]/.test(text) || parseJsonText(text) === undefined) return undefined;
  const parts: string[] = [];
  let copiedTo = 0;
  const replaceRange = (from: number, to: number, replacement: string): void => {
    parts.push(text.slice(copiedTo, from), replacement);
    copiedTo = to;
  };
  let isSecret = false;
  /** The value is secret because it follows an option in a list. */
  let isArgument = false;
  /** Start and nesting depth of the secret object or array that is being skipped. */
  let secretFrom = 0;
  let secretDepth = 0;
  for (const match of text.matchAll(JSON_TOKEN)) {
    const [token, string, colon] = match;
    const end = match.index + token.length;
    if (secretDepth > 0 || (isSecret && /^[{[]/.test(token))) {
      if (secretDepth === 0) secretFrom = match.index;
      if (/^[{[]/.test(token)) secretDepth++;
      if (/^[}\]]/.test(token) && --secretDepth === 0)
        replaceRange(secretFrom, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined && colon !== undefined) {
      const name = scrubLiteral(string, scrub.scrubName);
      isSecret = scrub.isSecretName(JSON.parse(name));
      isArgument = false;
      if (name !== string) replaceRange(match.index, match.index + string.length, name);
    } else if (/^[\]}]/.test(token)) {
      // An option was the last item of its list.
      isSecret = false;
    } else if (isSecret && !(isArgument && token.startsWith('"-'))) {
      if (!EMPTY_TOKENS.has(token)) replaceRange(match.index, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined) {
      const value = scrubLiteral(string, scrub.scrubText);
      if (value !== string) replaceRange(match.index, end, value);
      isSecret = isArgument = isSecretOptionText(JSON.parse(value));
    } else if (/^[-\d]/.test(token) && scrub.isSecretNumber(token)) {
      replaceRange(match.index, end, `"${REMOVED}"`);
    }
  }
  return parts.join("") + text.slice(copiedTo);
}

/** Returns the literal unchanged if nothing was removed. */
function scrubLiteral(literal: string, scrub: (text: string) => string): string {
  const decoded: string = JSON.parse(literal);
  const scrubbed = scrub(decoded);
  return scrubbed === decoded ? literal : JSON.stringify(scrubbed);
}
