/**
 * Grouping, version 1: parts of a message that look like values and identify the error: names of a
 * schema, codes, and the host that could not be reached. Words take their place while values are
 * replaced.
 */

/** A text in which words stand for the kept parts. */
export interface KeptText {
  readonly text: string;
  /** The services that the text says it could not reach, such as `tax.example` and `*:6379`. */
  readonly services: readonly string[];
  /** True if a part of the text is kept. */
  isIn(part: string): boolean;
  /** Puts the kept parts back. */
  restore(text: string): string;
}

/** Marks a kept part: letters only, so that no pattern for values matches it. */
const MARK = "Kept";
const MARKED = new RegExp(`${MARK}([a-p]{1,8})${MARK}`, "g");
const MAX_KEPT_PARTS = 50;

/** The text with a word in place of each part that must stay. */
export function keepParts(original: string): KeptText {
  const kept: string[] = [];
  const services: string[] = [];
  const keep = (part: string): string => {
    if (kept.length === MAX_KEPT_PARTS) return part;
    kept.push(part);
    return `${MARK}${toLetters(kept.length - 1)}${MARK}`;
  };
  let text = original;
  if (CONNECTION_FAILURE.test(text))
    text = text.replace(SERVICE, (...match: string[]) => {
      const service = toService(match);
      if (service === undefined) return match[0] ?? "";
      if (service !== "*") services.push(service);
      return service === "*" ? service : keep(service);
    });
  for (const { pattern, quickTest, toPart } of KEPT_PARTS) {
    if (quickTest?.test(text) === false) continue;
    text = text.replace(pattern, (...match: unknown[]) => toPart(match as string[], keep));
  }
  return {
    text,
    services,
    isIn: (part) => part.includes(MARK),
    restore: (replaced) =>
      kept.length === 0
        ? replaced
        : replaced.replace(MARKED, (mark, letters: string) => kept[fromLetters(letters)] ?? mark),
  };
}

function toLetters(index: number): string {
  return index
    .toString(16)
    .replace(/./g, (digit) => "abcdefghijklmnop"[Number(`0x${digit}`)] ?? "");
}

function fromLetters(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 16 + "abcdefghijklmnop".indexOf(letter);
  return index;
}

type Keep = (part: string) => string;

interface KeptPart {
  readonly pattern: RegExp;
  /** A cheap test. If it fails, `pattern` cannot match. */
  readonly quickTest?: RegExp;
  /** The text for a match, with kept parts marked. */
  readonly toPart: (match: readonly string[], keep: Keep) => string;
}

/** Words before the name of a part of a schema or of a program. */
const NAMED = [
  "column|relation|table|constraint|index|key|type|function|schema|database|field|role|sequence",
  "parameter|variable|option|header|method|class|attribute|property|argument|module|view|trigger",
  "collection|model|entity|enum|permission|scope|queue|topic|bucket|flag|setting|keyword|template",
  "route|job|task|command|service|bean|provider|plugin|controller|helper|hook|filter|element|prop",
  "partial|component|package|dependency|binding|symbol|constant|feature|env(?:ironment variable)?",
].join("|");

/** Failures of a connection: the text names the host that could not be reached. */
const CONNECTION_FAILURE =
  /refused|unreachable|time[ds]?[ -]?out|deadline|\bE(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|PIPE)|getaddrinfo|no such host|resol|hang up|reset|connect|error sending request|max retries|certificate|handshake|\b(?:TLS|SSL|EOF)\b|dial tcp|not known|fetch failed|network/i;

const IP_OR_LOCAL = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]*\]|localhost)$/i;
/** The operating system assigns higher ports to clients. */
const FIRST_EPHEMERAL_PORT = 32_768;

/** A host in a URL, a name with a port, an address with a port. */
const SERVICE =
  /(?<![\w.@:-])["'`]?([a-z][a-z\d+.-]{1,20}:\/\/)?(?:[^\s/@"'`]{1,100}@)?(\[[\da-f:.]{2,45}\]|localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z\d_-]{1,63}\.){1,8}[a-z][a-z\d-]{1,62}|[a-z][a-z\d_-]{0,62}(?=:\d{2,5}))(?::(\d{2,5}))?(?![\w@:-])((?<=:\/\/\S{1,400})[^\s"'`<>)\],]*)?["'`]?/gi;

/**
 * The name of a service: a host without numbers, and its port. An address is a value, but its port
 * names the service. Undefined for other names with dots.
 */
function toService([, scheme, host = "", port]: readonly string[]): string | undefined {
  const isAddress = IP_OR_LOCAL.test(host);
  if (scheme === undefined && !isAddress && port === undefined && !isHostName(host))
    return undefined;
  const isService = port !== undefined && Number(port) < FIRST_EPHEMERAL_PORT;
  const name = isAddress ? "*" : host.toLowerCase().replace(/[\da-f]*\d[\da-f]*/g, "*");
  return isService ? `${name}:${port}` : name;
}

const KEPT_PARTS: readonly KeptPart[] = [
  {
    // `relation "orders"`, `on the fields: (roomId, seat)`, `key 'users.email'`
    pattern: new RegExp(
      `\\b(${NAMED})((?:e?s)?:? (?:named? |called )?\\(?)((?:["'\`][A-Za-z_][\\w.$-]{0,80}["'\`](?:, ?)?){1,10})`,
      "gi",
    ),
    toPart: ([, word = "", between = "", names = ""], keep) =>
      `${word}${between}${keep(names.replace(/["'`]/g, ""))}`,
  },
  {
    // Names of code in several words. A single word may be a value.
    pattern:
      /["'`]([A-Z]{0,4}[a-z]{2,30}(?:[A-Z][a-z]{1,30}){1,6}|[A-Z]{2,4}[A-Z][a-z]{2,30}|[a-z]{2,30}(?:_[a-z]{2,30}){1,6})["'`]/g,
    toPart: ([, name = ""], keep) => keep(name),
  },
  {
    // Keys in a path to a member: `Order["lines"]`.
    pattern: /\[["']([A-Za-z_]\w{0,60})["']\]/g,
    toPart: ([, name = ""], keep) => `.${keep(name)}`,
  },
  {
    // Values of a key that a database quotes: `Key (customer_no)=(K-12)`, `value is (a, 1)`.
    pattern: /(=|\bvalue is )\([^()]{0,400}\)/g,
    toPart: ([, before = ""]) => `${before}*`,
  },
  {
    pattern:
      /\b(ORA-\d{5}|SQLSTATE\s?\[?\w{5}\]?|HRESULT:? 0x[\dA-F]{8}|0x80[01][\dA-F]{5}|D1_ERROR)\b/gi,
    quickTest: /ORA-|SQLSTATE|HRESULT|0x8|D1_/i,
    toPart: ([code = ""], keep) => keep(code),
  },
  {
    // A status of HTTP after a word that announces it.
    pattern:
      /\b(status(?:[ -]?code)?|HTTP(?:\/\d(?:\.\d)?)?(?: error| status)?|(?:error|response|exit|return)[ -]?code|errno|exit status|signal|code(?==)|code(?=\W{1,3}\d{1,3}\b))([\s:=(#"'[]{1,3})(-?\d{1,6})(?![\w.-])/gi,
    quickTest: /status|http|code|errno|exit|signal/i,
    toPart: ([, word = "", between = "", code = ""], keep) => `${word}${between}${keep(code)}`,
  },
  {
    // `answered 503`, `failed: 429 Too Many Requests`: at the end, or before a reason.
    pattern:
      /\b(answered|returned|responded(?: with)?|response|got|received|failed(?: with)?|error)(:? \(?)([1-5]\d\d)(?=\s*(?:$|[.,;:)\]"'!]|[A-Z]|-(?!\d)))/g,
    toPart: ([, word = "", between = "", code = ""], keep) => `${word}${between}${keep(code)}`,
  },
  {
    // `404 Not Found`, also in quotation marks; `404 (Not Found)`. Libraries word the reason.
    pattern:
      /(?<![\w.-])["'`]?([45]\d\d) \(?(?:Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|Payload Too Large|Content Too Large|Unprocessable(?: Entity| Content)?|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Client Error|Server Error)\b\)?["'`]?/gi,
    quickTest: /[45]\d\d/,
    toPart: ([, code = ""], keep) => keep(code),
  },
  {
    // The page that documents an error names it: `https://svelte.dev/e/state_unsafe_mutation`.
    pattern:
      /https?:\/\/[\w.-]{1,80}\/(?:e|errors?|error-reference|docs\/(?:messages|errors))\/?#?([\w-]{1,80})[^\s"'`<>)]*/g,
    quickTest: /\/(?:e|error|docs)/,
    toPart: ([, name = ""], keep) => keep(name),
  },
  {
    // A code of a framework at the start: `NG0100: …`, `P2002: …`.
    pattern: /^((?:ERROR )?\[?)([A-Z]{1,8}\d{3,6})(?=[:\])])/,
    toPart: ([, before = "", code = ""], keep) => before + keep(code),
  },
];

/** A name with dots that is a host rather than a file, a class or a member. */
function isHostName(name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return (
    name === name.toLowerCase() &&
    /^(?:com|org|net|dev|app|cloud|local|internal|lan|svc|example|test|invalid|[a-z]{2}|info|biz|tech|online|site|xyz|store|shop)$/.test(
      last,
    ) &&
    !/^(?:js|ts|py|rb|go|rs|cs|kt|ex|vb|md|sh|so)$/.test(last)
  );
}
