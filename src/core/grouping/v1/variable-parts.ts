/**
 * Grouping, version 1 (frozen): replaces the parts of a message that vary between occurrences by
 * "*": quoted values, URLs, paths, e-mail and IP addresses, dates, ids (also UUIDs), numbers. All
 * use the same placeholder, because the same id may be decimal once and hexadecimal another time.
 * Linear in the length of the text.
 */

/**
 * Kinds of variable parts, in the order of replacement. Every repetition is bounded or cannot
 * overlap.
 */
const VARIABLE_PARTS: readonly { name: string; pattern: RegExp }[] = [
  { name: "scrubbed", pattern: /\[(?:removed|Filtered|REDACTED)\]/g },
  { name: "URL", pattern: /(?<![A-Za-z\d+.-])[A-Za-z][A-Za-z\d+.-]{1,30}:\/\/[^\s"'<>)\]}…]+/g },
  { name: "data URL", pattern: /\bdata:[\w/+.-]{1,60}[;,][^\s"'<>)]+/g },
  { name: "JWT", pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g },
  {
    name: "e-mail",
    pattern: /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,6}/g,
  },
  { name: "Windows path", pattern: /(?<![A-Za-z\d])(?:[A-Za-z]:)?\\{1,2}[^\s"'<>|:;,)]+/g },
  {
    name: "path",
    pattern:
      /(?<![\w.)\]>*/~<-])(?:(?:[~@]|\.{1,2})?\/[\w@.~%+=()[\]$-]{1,120}|[\w@.-]{1,80}(?:\/[\w@.~%+=()[\]$-]{1,120}){2})(?:\/[\w@.~%+=()[\]$-]{1,120}){0,40}\/?(?:[?#][^\s"'<>)]*)?/g,
  },
  {
    name: "file",
    pattern:
      /(?<![\w./-])(?:[\w@.-]{1,80}\/){0,20}[\w.-]{1,80}\.(?:[cm]?[jt]sx?|css|json|html?|vue|svelte|wasm|map)(?!\w)(?::\d{1,9}){0,2}/g,
  },
  {
    name: "date",
    pattern:
      /(?<!\w)(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2}),? \d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})?)?(?: [AP]M)?(?: (?:GMT|UTC)(?:[+-]\d{4})?)?(?: \([A-Za-z ]{1,60}\))?/g,
  },
  { name: "IPv6", pattern: /(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi },
  { name: "base64", pattern: /(?<![\w+/=-])(?=[A-Za-z+/]{0,80}\d)[\w+/-]{24,}={0,2}/g },
];

/** The text with "*" for every variable part, adjacent ones merged, and whitespace collapsed. */
export function replaceVariableParts(text: string): string {
  let replaced = replaceQuoted(text);
  for (const { pattern } of VARIABLE_PARTS) replaced = replaced.replace(pattern, "*");
  return replaceWordsWithDigits(replaced).replace(/\s+/g, " ").trim();
}

/**
 * Words with digits, part by part: `order-7781` becomes `order-*`, `S3` becomes `S*`; `9f3k2`,
 * `a81bc09d` and any word of 20 or more characters become `*`.
 */
export function replaceWordsWithDigits(text: string): string {
  return text
    .replace(/(?<![A-Za-z\d_$-])[A-Za-z\d_$-]*\d[A-Za-z\d_$-]*/g, replaceWord)
    .replace(/(?<![\w*])[-+](?=\*)/g, "")
    .replace(/\*(?:[^\w*]{0,3}\*)+/g, "*");
}

function replaceWord(word: string): string {
  const isMixedCase = /[a-z]/.test(word) && /[A-Z]/.test(word);
  if (word.length >= (isMixedCase ? 16 : 20)) return "*";
  return word.replace(/(?<![A-Za-z\d])[A-Za-z\d]*\d[A-Za-z\d]*/g, (part) => {
    const letters = /^([A-Za-z]{1,4})\d+$/.exec(part)?.[1];
    return letters === undefined || part.length > 5 ? "*" : `${letters}*`;
  });
}

const CLOSING_QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "„": "“",
  "‘": "’",
  "«": "»",
  "‹": "›",
  "「": "」",
};

/**
 * Quoted values in one pass. An apostrophe opens only after a non-word character and closes only
 * before one, so that "can't" contains no quotation. A closing quote that was not found once is not
 * searched again, which keeps the pass linear.
 */
function replaceQuoted(text: string): string {
  const unclosed = new Set<string>();
  let replaced = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const close = CLOSING_QUOTES[text.charAt(at)];
    if (close === undefined || unclosed.has(close) || !isOpeningQuote(text, at)) continue;
    const end = findClosingQuoteV1(text, at + 1, close);
    if (end === -1) {
      unclosed.add(close);
      continue;
    }
    replaced += `${text.slice(from, at)}*`;
    from = end + 1;
    at = end;
  }
  return replaced + text.slice(from);
}

function isOpeningQuote(text: string, at: number): boolean {
  return !/['‘"]/.test(text.charAt(at)) || at === 0 || !/\w/.test(text.charAt(at - 1));
}

function findClosingQuoteV1(text: string, from: number, close: string): number {
  let end = text.indexOf(close, from);
  while (end !== -1 && /['’]/.test(close) && /\w/.test(text.charAt(end + 1))) {
    end = text.indexOf(close, end + 1);
  }
  return end;
}
