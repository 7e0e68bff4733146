/**
 * Parses JSON from bytes safely: checks size, nesting and number of containers before parsing,
 * repairs invalid UTF-8, reads `NaN` and `Infinity` as null and large integers as text, and omits
 * `__proto__` members. Never throws. Source: RFC 8259; section 8.1 lets a parser ignore a byte
 * order mark.
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
const POINT = 0x2e;

/** The name, or an escape that could encode one of its letters. */
const MAY_CONTAIN_PROTO = /__proto__|\\u00(?:5[fF]|6[fF]|7[024])/;

const decoder = new TextDecoder("utf-8");

/** Decodes UTF-8: drops a byte order mark; invalid sequences become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Parses one JSON document of at most `maxBytes` bytes, `limits.maxParsedDepth` levels and
 * `limits.maxParsedContainers` objects and arrays. An integer that a number cannot hold exactly is
 * text in the value. Fails with `too-large`, `too-deep` or `not-json`.
 */
export function parseJson(bytes: Uint8Array, maxBytes: number): Result<unknown, JsonFailure> {
  if (bytes.length > maxBytes)
    return fail({ reason: "too-large", expected: `JSON of at most ${maxBytes} bytes` });
  const { failure, hasLongInteger } = scan(bytes);
  if (failure !== undefined) return fail(failure);
  const decoded = decodeText(bytes);
  const text = hasLongInteger ? quoteLargeIntegers(decoded) : decoded;
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

function dropProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

/** The digits of the smallest integer that a number may not hold exactly, 2^53. */
const LONG_DIGITS = 16;

/**
 * The limit that a document exceeds, and whether it may contain a large integer. One pass over the
 * bytes outside of strings. Multi-byte UTF-8 sequences contain no ASCII bytes, so bytes suffice.
 */
function scan(bytes: Uint8Array): {
  readonly failure?: JsonFailure;
  readonly hasLongInteger: boolean;
} {
  let depth = 0;
  let containers = 0;
  let digits = 0;
  let hasLongInteger = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      digits += 1;
      if (digits === LONG_DIGITS) hasLongInteger = true;
      continue;
    }
    // Many fractions have as many digits.
    digits = byte === POINT ? Number.NEGATIVE_INFINITY : 0;
    if (byte === QUOTE) {
      at = findStringEnd(bytes, at + 1);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      containers += 1;
      if (depth > limits.maxParsedDepth) return { failure: TOO_DEEP, hasLongInteger };
      if (containers > limits.maxParsedContainers)
        return { failure: TOO_MANY_CONTAINERS, hasLongInteger };
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    }
  }
  return { hasLongInteger };
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

// Rewrites numbers in the text of a JSON document that `JSON.parse` rejects or changes. Leaves
// strings as they are. Linear in the text: an expression that matches whole strings would take
// quadratic time for one without an end.

/** A number, a non-finite number of Python, or the quote that begins a string. */
const TOKEN = /"|-?\b(?:NaN|Infinity)\b|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?[1-9]\d{15,}$/;

/** The text with null for each non-finite number. */
function replaceNonFinite(text: string): string {
  return replaceTokens(text, (token) => (/[NI]/.test(token) ? "null" : token));
}

/**
 * The text with quotes around each integer that a number does not hold exactly: a user id of 64
 * bits. Fractions and exponents stay numbers.
 */
function quoteLargeIntegers(text: string): string {
  return replaceTokens(text, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

function replaceTokens(text: string, replace: (token: string) => string): string {
  const parts: string[] = [];
  const tokens = new RegExp(TOKEN);
  let end = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    if (token === '"') {
      tokens.lastIndex = findStringEndInText(text, match.index + 1) + 1;
      continue;
    }
    const replaced = replace(token);
    if (replaced === token) continue;
    parts.push(text.slice(end, match.index), replaced);
    end = tokens.lastIndex;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(end);
}

/** The index of the quote that ends the string from `from`, or the end of the text. */
function findStringEndInText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
