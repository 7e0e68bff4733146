/**
 * Rewrites numbers in the text of a JSON document that `JSON.parse` rejects or changes. Leaves
 * strings as they are. Linear in the text: an expression that matches whole strings would take
 * quadratic time for one without an end.
 */

/** A number, a non-finite number of Python, or the quote that begins a string. */
const TOKEN = /"|-?\b(?:NaN|Infinity)\b|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?[1-9]\d{15,}$/;

/** The text with null for each non-finite number. */
export function replaceNonFinite(text: string): string {
  return replaceTokens(text, (token) => (/[NI]/.test(token) ? "null" : token));
}

/**
 * The text with quotes around each integer that a number does not hold exactly: a user id of 64
 * bits. Fractions and exponents stay numbers.
 */
export function quoteLargeIntegers(text: string): string {
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
      tokens.lastIndex = findStringEnd(text, match.index + 1) + 1;
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
function findStringEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
