/** Secrets in a file of JSON: as in data, names decide. What stays keeps its form, its spaces and its large numbers. */
import { REMOVED } from "./secrets.ts";

/** How the parts of JSON are scrubbed. */
export interface JsonScrub {
  readonly isSecretName: (name: string) => boolean;
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly isSecretNumber: (number: string) => boolean;
}

/** A string and, where it is a name, its colon; a bracket; a number or a word. Of valid JSON nothing else is left. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g;
const SAID_NOTHING: ReadonlySet<string> = new Set(["null", "true", "false", '""', `"${REMOVED}"`]);

/** The text without its secrets; undefined where it is not JSON, or neither an object nor an array. Linear. */
export function scrubJson(text: string, scrub: JsonScrub): string | undefined {
  if (!isContainer(text)) return undefined;
  const parts: string[] = [];
  let kept = 0;
  const put = (from: number, to: number, instead: string): void => {
    parts.push(text.slice(kept, from), instead);
    kept = to;
  };
  let isSecret = false;
  /** Where the secret object or array that the walk is in begins, and how deep it is within. */
  let secretFrom = 0;
  let secretDepth = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    const end = match.index + token.length;
    if (secretDepth > 0 || (isSecret && /^[{[]/.test(token))) {
      if (secretDepth === 0) secretFrom = match.index;
      if (/^[{[]/.test(token)) secretDepth++;
      if (/^[}\]]/.test(token) && --secretDepth === 0) put(secretFrom, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined && colon !== undefined) {
      const name = scrubString(string, scrub.name);
      isSecret = scrub.isSecretName(JSON.parse(name));
      if (name !== string) put(match.index, match.index + string.length, name);
    } else if (isSecret) {
      if (!SAID_NOTHING.has(token)) put(match.index, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined) {
      const value = scrubString(string, scrub.text);
      if (value !== string) put(match.index, end, value);
    } else if (/^[-\d]/.test(token) && scrub.isSecretNumber(token)) {
      put(match.index, end, `"${REMOVED}"`);
    }
  }
  return parts.join("") + text.slice(kept);
}

function isContainer(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The same literal where nothing was found in it. */
function scrubString(literal: string, scrub: (text: string) => string): string {
  const said: string = JSON.parse(literal);
  const scrubbed = scrub(said);
  return scrubbed === said ? literal : JSON.stringify(scrubbed);
}
