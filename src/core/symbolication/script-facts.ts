/**
 * Reads the debug id and the source map URL of a script. Sources: ECMA-426 § "Linking generated
 * code to source maps", its proposal "Debug ID", and the snippets of sentry-cli and Turbopack.
 */
import { decodeText } from "../decode/parse-json.ts";

/** The facts that lead from a script to its map. */
export interface ScriptFacts {
  /** 32 lower-case hex characters. */
  readonly debugId?: string;
  /** A second debug id: the script was injected twice, and pages may send either. */
  readonly otherDebugId?: string;
  /** The URL as written: possibly relative, percent-encoded or a `data:` URL. */
  readonly sourceMappingUrl?: string;
}

/** Comments are searched in this number of non-empty lines at the end. */
const COMMENT_LINES = 5;
const LINE_FEED = 0x0a;

const DEBUG_ID_COMMENT = /^\s*\/\/[#@] debugId=([\w-]+)\s*$/;
const URL_COMMENT = /^\s*(?:\/\/|\/\*)[#@] sourceMappingURL=(\S+?)(?:\s*\*\/)?\s*$/;
/** `e._sentryDebugIds[n]="…"` of sentry-cli, `(e._debugIds||(e._debugIds={}))[n]="…"` of Next. */
const SNIPPET =
  /_(?:sentryD|d)ebugIds(?:\s?\|\|\s?\(\w{1,40}\._debugIds\s?=\s?\{\}\)\))?\[\w{1,40}\]\s?=\s?["']([\da-f-]{32,36})["']/gi;

/**
 * The facts of a script, from the comments at its end. Otherwise a deployed file may have the
 * snippet that registers the id at run time.
 */
export function readScriptFacts(script: Uint8Array): ScriptFacts {
  let debugId: string | undefined;
  let sourceMappingUrl: string | undefined;
  for (const line of readLastLines(script)) {
    debugId ??= parseDebugId(DEBUG_ID_COMMENT.exec(line)?.[1]) ?? undefined;
    sourceMappingUrl ??= URL_COMMENT.exec(line)?.[1];
  }
  const ids = [...decodeText(script).matchAll(SNIPPET)]
    .map(([, id]) => parseDebugId(id))
    .filter((id) => id !== null);
  debugId ??= ids[0];
  return { debugId, otherDebugId: ids.find((id) => id !== debugId), sourceMappingUrl };
}

/** The last lines that are not empty, last first. */
function readLastLines(script: Uint8Array): readonly string[] {
  const lines: string[] = [];
  let end = script.length;
  while (end > 0 && lines.length < COMMENT_LINES) {
    const start = script.lastIndexOf(LINE_FEED, end - 1) + 1;
    // Only comments are of interest: the code before them may be one line of megabytes.
    const isComment = hasCommentStart(script, start, end);
    if (start < end && skipSpaces(script, start, end) < end)
      lines.push(isComment ? decodeText(script.subarray(start, end)) : "");
    end = start - 1;
  }
  return lines;
}

function hasCommentStart(bytes: Uint8Array, start: number, end: number): boolean {
  const at = skipSpaces(bytes, start, end);
  return bytes[at] === 0x2f && (bytes[at + 1] === 0x2f || bytes[at + 1] === 0x2a);
}

function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at++;
  return at;
}

const DEBUG_ID =
  /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})(?:-[\da-f]{1,8})?$/i;

/**
 * A debug id as 32 lower-case hex characters, from a UUID with or without dashes and with the age
 * that native tools append. Null for everything else, including the nil UUID.
 */
export function parseDebugId(text: unknown): string | null {
  const match = typeof text === "string" && text.length <= 50 ? DEBUG_ID.exec(text.trim()) : null;
  const id = match?.slice(1).join("").toLowerCase() ?? "";
  return /[1-9a-f]/.test(id) ? id : null;
}

const INLINE_MAP = /^data:application\/json(?:;charset=[\w-]{1,20})?(;base64)?,/i;

/** The source map in a `data:` URL; null for any other URL and for text that is not base64. */
export function readInlineMap(sourceMappingUrl: string): Uint8Array | null {
  const match = INLINE_MAP.exec(sourceMappingUrl);
  if (match === null) return null;
  const data = sourceMappingUrl.slice(match[0].length);
  try {
    if (match[1] === undefined) return new TextEncoder().encode(decodeURIComponent(data));
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
