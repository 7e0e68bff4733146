/** The table of all hostile requests. Each is sent as a POST; `Hostile` describes the columns. */
import { limits } from "../../src/core/limits.ts";
import { bytes, joined } from "./bytes.ts";
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
import { anEvent, envelopeOf, type Hostile, kind, MARK, TAKEN } from "./hostile-row.ts";
import { hostileSentryMembers } from "./hostile-sentry-members.ts";
import { hostileText } from "./hostile-text.ts";

/** Bodies that are no report of any kind. */
const foreign: readonly Hostile[] = [
  { name: "nothing", body: "", status: 400, reason: "empty" },
  ...["null", "true", "17", `"${MARK}"`, " \n\t ", "\u0000", "undefined", MARK].map((body) => ({
    name: `the body ${JSON.stringify(body)}`,
    body,
    status: 400,
  })),
  { name: "an empty array", body: "[]", status: 204 },
  { name: "an empty object", body: "{}", status: 200 },
  { name: "an array of arrays", body: `[[],["${MARK}"]]`, status: 400, reason: "not-an-object" },
  { name: "JSON of no kind", body: `{"${MARK}":1}`, status: 400, reason: "unknown-format" },
  { name: "two documents", body: `{"${MARK}":1}{"a":2}`, status: 400, reason: "not-json" },
  { name: "a page of HTML", body: `<!doctype html><title>${MARK}</title>`, status: 400 },
  {
    name: "XML that grows",
    body: `<!DOCTYPE a [<!ENTITY b "${MARK}"><!ENTITY c "&b;&b;">]><a>&c;</a>`,
    status: 400,
  },
  { name: "YAML", body: `message: &a ["${MARK}"]\nb: *a\n`, status: 400 },
  {
    name: "a form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `sentry_data=${MARK}&a=%00`,
    status: 400,
  },
  {
    name: "a multipart form",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: `--b\r\nContent-Disposition: form-data; name="sentry"; filename="../${MARK}"\r\n\r\n{}\r\n--b--\r\n`,
    status: 400,
  },
  {
    name: "a multipart form that never ends",
    headers: { "content-type": "multipart/form-data; boundary=" },
    body: `--\r\nContent-Disposition: form-data\r\n\r\n${MARK}`,
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
    "a minidump": [0x4d, 0x44, 0x4d, 0x50],
  }).map(([name, start]) => ({ name, body: joined(new Uint8Array(start), MARK), status: 400 })),
  {
    name: "more bytes than are taken",
    body: () => MARK.padEnd(limits.maxBodyBytes + 1),
    status: 413,
    reason: "too-large",
  },
  {
    name: "as many bytes as are taken",
    body: () => JSON.stringify(anEvent("x")).padEnd(limits.maxBodyBytes),
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
    { name: `${length} bytes in an object`, body: () => joined("{", noise(length)), status: 400 },
    {
      name: `${length} bytes as an event`,
      body: () => joined(envelopeOf({ type: "event", length }), "\n", noise(length)),
      status: [400, 413],
    },
    {
      name: `${length} bytes as an attachment`,
      body: () => joined(envelopeOf({ type: "attachment", length }), "\n", noise(length)),
      status: TAKEN,
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
const whole = bytes(envelopeOf({ type: "event" }, anEvent("cut short")));
const cut: readonly Hostile[] = Array.from({ length: 20 }, (_, at) => ({
  name: `after ${Math.floor((whole.length * at) / 20) + 1} bytes`,
  body: whole.subarray(0, Math.floor((whole.length * at) / 20) + 1),
  status: [200, 400],
}));

/** Every row; names are unique. */
export const hostileRows: readonly Hostile[] = [
  ...kind("bombs", hostileBombs),
  ...kind("encodings", hostileEncodings),
  ...kind("framing", hostileFraming),
  ...kind("many", hostileMany),
  ...kind("UTF-8", hostileText.unicode),
  ...kind("numbers", hostileText.numbers),
  ...kind("slow to read", hostileText.slow),
  ...kind("nesting", hostileNesting),
  ...kind("prototypes", hostilePrototypes),
  ...kind("wrong types in an event", hostileSentryMembers.events),
  ...kind("wrong types in an item", hostileSentryMembers.items),
  ...kind("wrong types", hostileMembers),
  ...kind("OTLP/JSON", hostileOtlp),
  ...kind("OTLP/protobuf", hostileProtobuf),
  ...kind("markup", hostileMarkup),
  ...kind("keys", hostileKeys.keys),
  ...kind("a DSN", hostileKeys.dsns),
  ...kind("headers", hostileRequests.headers),
  ...kind("paths", hostileRequests.paths),
  ...kind("no report", foreign),
  ...kind("bytes by chance", random),
  ...kind("cut short", cut),
];
