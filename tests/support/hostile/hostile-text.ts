/** Invalid UTF-8, invalid numbers, and text that is slow to parse. */
import { concatBytes } from "#support/bytes.ts";
import { createEvent, HANDLED_STATUSES, type Hostile, PLANTED_SECRET } from "./hostile-row.ts";

const around = (...inner: readonly number[]) =>
  concatBytes(
    `{"platform":"node","message":"${PLANTED_SECRET} utf-8 `,
    new Uint8Array(inner),
    '"}',
  );
const refused = { status: 400, reason: "not-json" } as const;

const unicode: readonly Hostile[] = [
  ...Object.entries({
    "an overlong slash": [0xc0, 0xaf],
    "a longer overlong slash": [0xe0, 0x80, 0xaf],
    "an overlong NUL": [0xc0, 0x80],
    "a surrogate by itself": [0xed, 0xa0, 0x80],
    "a pair of surrogates": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    "a sequence that is cut": [0xf0, 0x9f, 0x98],
    "a continuation alone": [0x80, 0xbf],
    "what is above U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
    "a sequence of six bytes": [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
    "bytes that UTF-8 never has": [0xfe, 0xff],
    "Latin-1": [0xe9, 0x20, 0xfc],
  }).map(([name, inner]) => ({ name, body: around(...inner), status: 200 })),
  { name: "a cut sequence that eats the quote", body: around(0xe2, 0x82), status: 200 },
  {
    name: "no UTF-8 outside of strings",
    body: concatBytes('{"message":', new Uint8Array([0xff]), "}"),
    ...refused,
  },
  { name: "a NUL in a string", body: around(0x00), ...refused },
  { name: "a line feed and a bell in a string", body: around(0x07), ...refused },
  {
    name: "escaped surrogates and NUL",
    body: `{"platform":"node","message":"${PLANTED_SECRET} \\ud800 \\udfff \\u0000"}`,
    status: 200,
  },
  { name: "a byte order mark", body: `\ufeff${JSON.stringify(createEvent("bom"))}`, status: 200 },
  {
    name: "two byte order marks",
    body: `\ufeff\ufeff${JSON.stringify(createEvent("bom"))}`,
    status: 400,
  },
  {
    name: "UTF-16 with its mark",
    body: utf16(`\ufeff${JSON.stringify(createEvent("utf-16"))}`),
    status: 400,
  },
  {
    name: "UTF-16 without its mark",
    body: utf16(JSON.stringify(createEvent("utf-16"))),
    status: 400,
  },
  {
    name: "right to left, zero width and 8,000 accents",
    body: JSON.stringify(createEvent(`\u202e\u200b${"\u0301".repeat(8_000)}`)),
    status: 200,
  },
  {
    name: "a pair of surrogates where the cut is",
    body: JSON.stringify(createEvent("\u{1f600}".repeat(9_000))),
    status: 200,
  },
];

const numbers: readonly Hostile[] = [
  ...[
    "1e400",
    "-1e400",
    "-0",
    "1e-400",
    "9".repeat(10_000),
    `0.${"0".repeat(10_000)}1`,
    "-1",
    "1e308",
  ].map((number) => ({
    name: `${number.slice(0, 8)} as every number of an event`,
    body: `{"platform":"node","timestamp":${number},"message":"${PLANTED_SECRET} numbers","exception":[{"type":"E","stacktrace":{"frames":[{"lineno":${number},"colno":${number}}]}}],"breadcrumbs":[{"timestamp":${number}}],"extra":{"a":${number}}}`,
    status: 200,
  })),
  ...["NaN", "Infinity", "-Infinity"].map((number) => ({
    name: `the literal ${number}, as Python writes it`,
    body: `{"platform":"python","message":"${PLANTED_SECRET} literals","extra":{"a":${number}}}`,
    status: 200,
  })),
  ...["undefined", "01", "0x1F", "+1", ".5", "1.", "--1", "--NaN", "NaN1"].map((number) => ({
    name: `the literal ${number}`,
    body: `{"platform":"python","message":"${PLANTED_SECRET} literals","extra":{"a":${number}}}`,
    status: HANDLED_STATUSES,
  })),
  ...["'a'", '"a', '{"a":1,}', "[1,,2]", "/* a */1", "1 2", "tru", "\u2028"].map((value) => ({
    name: `nearly JSON: ${value}`,
    body: `{"message":"${PLANTED_SECRET}","extra":${value}}`,
    ...refused,
  })),
];

/** Texts on which a backtracking pattern takes minutes. */
const slow: readonly Hostile[] = [
  "a",
  " ",
  "(",
  "at ",
  "a@",
  "a.",
  "0-",
  "4111 ",
  "eyJ.",
  "/../",
  "http://a@",
  "    at (",
  "\\\n",
  "key=",
  "{{ ",
  "\u00e9-",
].map((piece) => ({
  name: `${JSON.stringify(piece)}, thousands of them`,
  body() {
    const text = piece.repeat(Math.floor(40_000 / piece.length));
    return JSON.stringify({
      errata: 1,
      how: "uncaught",
      type: text,
      message: `${PLANTED_SECRET}${text}`,
      stack: `Error: a\n${text}\n    at ${text}:1:1`,
      componentStack: text,
      url: `https://a.example/${text}`,
      digest: text,
    });
  },
  status: 202,
}));

function utf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf16le"));
}

/** Every hostile text, with its kind. */
export const hostileText = { unicode, numbers, slow } as const;
