/** The table of all hostile requests. Each is sent as a POST; `Hostile` describes the columns. */
import { limits } from "#src/core/limits.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { hostileBombs } from "./hostile-bombs.ts";
import { hostileEncodings } from "./hostile-encodings.ts";
import { hostileFraming } from "./hostile-framing.ts";
import { hostileKeys } from "./hostile-keys.ts";
import { hostileMany } from "./hostile-many.ts";
import { hostileMarkup } from "./hostile-markup.ts";
import { hostileMembers } from "./hostile-members.ts";
import { hostileNesting } from "./hostile-nesting.ts";
import { hostileOtlp } from "./hostile-otlp.ts";
import { hostileProtobuf } from "./hostile-protobuf.ts";
import { hostilePrototypes } from "./hostile-prototypes.ts";
import { hostileRequests } from "./hostile-requests.ts";
import {
  createEnvelope,
  createEvent,
  HANDLED_STATUSES,
  type Hostile,
  KEY,
  PLANTED_SECRET,
  prefixNames,
  SUCCESS_STATUSES,
} from "./hostile-row.ts";
import { hostileSentryMembers } from "./hostile-sentry-members.ts";
import { hostileText } from "./hostile-text.ts";

/** Bodies that are not reports of any kind. */
const foreign: readonly Hostile[] = [
  { name: "nothing", body: "", status: 400, reason: "empty" },
  ...[
    "null",
    "true",
    "17",
    `"${PLANTED_SECRET}"`,
    " \n\t ",
    "\u0000",
    "undefined",
    PLANTED_SECRET,
  ].map((body) => ({
    name: `the body ${JSON.stringify(body)}`,
    body,
    status: 400,
  })),
  { name: "an empty array", body: "[]", status: 204 },
  { name: "an empty object", body: "{}", status: 200 },
  {
    name: "an array of arrays",
    body: `[[],["${PLANTED_SECRET}"]]`,
    status: 400,
    reason: "not-an-object",
  },
  {
    name: "JSON of no kind",
    body: `{"${PLANTED_SECRET}":1}`,
    status: 400,
    reason: "unknown-format",
  },
  {
    name: "two documents",
    body: `{"${PLANTED_SECRET}":1}{"a":2}`,
    status: 400,
    reason: "not-json",
  },
  { name: "a page of HTML", body: `<!doctype html><title>${PLANTED_SECRET}</title>`, status: 400 },
  {
    name: "XML that grows",
    body: `<!DOCTYPE a [<!ENTITY b "${PLANTED_SECRET}"><!ENTITY c "&b;&b;">]><a>&c;</a>`,
    status: 400,
  },
  { name: "YAML", body: `message: &a ["${PLANTED_SECRET}"]\nb: *a\n`, status: 400 },
  {
    name: "a form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `sentry_data=${PLANTED_SECRET}&a=%00`,
    status: 400,
  },
  {
    name: "a multipart form",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: `--b\r\nContent-Disposition: form-data; name="sentry"; filename="../${PLANTED_SECRET}"\r\n\r\n{}\r\n--b--\r\n`,
    status: 400,
  },
  {
    name: "a multipart form that never ends",
    headers: { "content-type": "multipart/form-data; boundary=" },
    body: `--\r\nContent-Disposition: form-data\r\n\r\n${PLANTED_SECRET}`,
    status: 400,
  },
  {
    name: "base 64 of zlib, as old SDKs sent it",
    body: "eJyrVspNLS5OTE9VslJQSlSqBQAtqgUK",
    status: 400,
  },
  ...Object.entries({
    PNG: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    JPEG: [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10],
    ZIP: [0x50, 0x4b, 0x03, 0x04],
    WebAssembly: [0x00, 0x61, 0x73, 0x6d],
    "a bundle of sources": [0x53, 0x59, 0x53, 0x42, 0x02, 0x00, 0x00, 0x00],
  }).map(([name, start]) => ({
    name,
    body: concatBytes(new Uint8Array(start), PLANTED_SECRET),
    status: 400,
  })),
  { name: "a minidump of four bytes", body: "MDMP", status: 200 },
  {
    name: "a form with a boundary of 10 kB",
    body: `--${"b".repeat(10_000)}\r\n${PLANTED_SECRET}`,
    status: 400,
    reason: "framing",
  },
  {
    name: "a form of a hundred thousand parts",
    body: () =>
      `--b\r\n${'Content-Disposition: form-data; name="a"\r\n\r\n\r\n--b\r\n'.repeat(15_000)}`,
    status: HANDLED_STATUSES,
  },
  {
    name: "a form with a member of all prototypes",
    path: `/api/1/minidump/?sentry_key=${KEY}`,
    body: '--b\r\nContent-Disposition: form-data; name="sentry[__proto__][x]"\r\n\r\n1\r\n--b--',
    status: 400,
    reason: "missing-field",
  },
  {
    name: "the form of the crash dialog with half a code",
    path: `/api/embed/error-page/?eventId=%00&dsn=https://${KEY}@errata.example/1`,
    body: "comments=%E0%A4%A&name=%00&email=%",
    status: 200,
  },
  {
    name: "the form of the crash dialog with a DSN of nothing",
    path: "/api/embed/error-page/?dsn=https://@/",
    body: "comments=x",
    status: 401,
  },
  {
    name: "more bytes than are taken",
    body: () => PLANTED_SECRET.padEnd(limits.maxBodyBytes + 1),
    status: 413,
    reason: "too-large",
  },
  {
    name: "as many bytes as are taken",
    body: () => JSON.stringify(createEvent("x")).padEnd(limits.maxBodyBytes),
    status: 413,
    reason: "too-large",
  },
  { name: "2 MB of zeros", body: () => new Uint8Array(limits.maxBodyBytes), status: 400 },
  { name: "2 MB of braces", body: () => "{".repeat(limits.maxBodyBytes), status: [400, 413] },
  {
    name: "2 MB of quotes",
    body: () => `{"${'\\"'.repeat(limits.maxBodyBytes / 2 - 1)}`,
    status: [400, 413],
  },
];

/** Random bytes, the same in every run; every second body begins like a JSON object. */
const random: readonly Hostile[] = [1, 2, 16, 255, 1_000, 4_096, 65_537, 1_000_000].flatMap(
  (length) => [
    { name: `${length} bytes`, body: () => noise(length), status: 400 },
    {
      name: `${length} bytes in an object`,
      body: () => concatBytes("{", noise(length)),
      status: 400,
    },
    {
      name: `${length} bytes as an event`,
      body: () => concatBytes(createEnvelope({ type: "event", length }), "\n", noise(length)),
      status: [400, 413],
    },
    {
      name: `${length} bytes as an attachment`,
      body: () => concatBytes(createEnvelope({ type: "attachment", length }), "\n", noise(length)),
      status: SUCCESS_STATUSES,
    },
  ],
);

/** Marsaglia's xorshift, seeded with the length. */
function noise(length: number): Uint8Array {
  let state = length + 2_463_534_242;
  return new Uint8Array(length).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

/**
 * An envelope that is cut off at every kind of place: it is broken, or still a shorter envelope.
 */
const whole = toBytes(createEnvelope({ type: "event" }, createEvent("cut short")));
const cut: readonly Hostile[] = Array.from({ length: 20 }, (_, at) => ({
  name: `after ${Math.floor((whole.length * at) / 20) + 1} bytes`,
  body: whole.subarray(0, Math.floor((whole.length * at) / 20) + 1),
  status: [200, 400],
}));

/** Every row; names are unique. */
export const hostileRows: readonly Hostile[] = [
  ...prefixNames("bombs", hostileBombs),
  ...prefixNames("encodings", hostileEncodings),
  ...prefixNames("framing", hostileFraming),
  ...prefixNames("many", hostileMany),
  ...prefixNames("UTF-8", hostileText.unicode),
  ...prefixNames("numbers", hostileText.numbers),
  ...prefixNames("slow to read", hostileText.slow),
  ...prefixNames("nesting", hostileNesting),
  ...prefixNames("prototypes", hostilePrototypes),
  ...prefixNames("wrong types in an event", hostileSentryMembers.events),
  ...prefixNames("wrong types in an item", hostileSentryMembers.items),
  ...prefixNames("wrong types", hostileMembers),
  ...prefixNames("OTLP/JSON", hostileOtlp),
  ...prefixNames("OTLP/protobuf", hostileProtobuf),
  ...prefixNames("markup", hostileMarkup),
  ...prefixNames("keys", hostileKeys.keys),
  ...prefixNames("a DSN", hostileKeys.dsns),
  ...prefixNames("headers", hostileRequests.headers),
  ...prefixNames("paths", hostileRequests.paths),
  ...prefixNames("no report", foreign),
  ...prefixNames("bytes by chance", random),
  ...prefixNames("cut short", cut),
];
