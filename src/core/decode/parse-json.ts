/**
 * Parses JSON from bytes safely: checks size, nesting and number of containers before parsing,
 * repairs invalid UTF-8, reads `NaN` and `Infinity` as null and omits `__proto__` members. Never
 * throws. Source: RFC 8259; section 8.1 lets a parser ignore a byte order mark.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";

/** Why bytes were rejected. `expected` is a sentence for the sender. */
export type JsonFailure =
  | { readonly reason: "not-json"; readonly expected: string }
  | { readonly reason: "too-deep"; readonly expected: string }
  | { readonly reason: "too-large"; readonly expected: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The name, or an escape that could encode one of its letters. */
const MAY_CONTAIN_PROTO = /__proto__|\\u00(?:5[fF]|6[fF]|7[024])/;

const decoder = new TextDecoder("utf-8");

/** Decodes UTF-8: drops a byte order mark; invalid sequences become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Parses one JSON document of at most `maxBytes` bytes, `limits.maxParsedDepth` levels and
 * `limits.maxParsedContainers` objects and arrays. Fails with `too-large`, `too-deep` or
 * `not-json`.
 */
export function parseJson(bytes: Uint8Array, maxBytes: number): Result<unknown, JsonFailure> {
  if (bytes.length > maxBytes)
    return fail({ reason: "too-large", expected: `JSON of at most ${maxBytes} bytes` });
  const over = checkLimits(bytes);
  if (over !== undefined) return fail(over);
  const text = decodeText(bytes);
  let value = tryParse(text);
  if (value === undefined && NON_FINITE.test(text)) value = tryParse(replaceNonFinite(text));
  return value === undefined ? fail({ reason: "not-json", expected: "valid JSON" }) : ok(value);
}

/** The value of a text that Errata wrote, or whose size is limited. Undefined if it is not JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the text is not JSON. */
function tryParse(text: string): unknown {
  try {
    return MAY_CONTAIN_PROTO.test(text) ? JSON.parse(text, dropProto) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Python writes these values, and SDKs have sent them, but JSON does not allow them. */
const NON_FINITE = /\b(?:NaN|Infinity)\b/;

/** Replaces non-finite numbers with null, except in strings. */
function replaceNonFinite(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (match) =>
    match.startsWith('"') ? match : "null",
  );
}

function dropProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

/**
 * The limit that a document exceeds. One pass over the bytes outside of strings. Multi-byte UTF-8
 * sequences contain no ASCII bytes, so bytes suffice.
 */
function checkLimits(bytes: Uint8Array): JsonFailure | undefined {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = findStringEnd(bytes, at + 1);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      containers += 1;
      if (depth > limits.maxParsedDepth) return TOO_DEEP;
      if (containers > limits.maxParsedContainers) return TOO_MANY_CONTAINERS;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    }
  }
  return undefined;
}

const TOO_DEEP: JsonFailure = {
  reason: "too-deep",
  expected: `JSON nested at most ${limits.maxParsedDepth} levels deep`,
};
const TOO_MANY_CONTAINERS: JsonFailure = {
  reason: "too-large",
  expected: `JSON of at most ${limits.maxParsedContainers} objects and arrays`,
};

/** The index of the quote that ends the string from `from`, or the end of the bytes. */
function findStringEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}
