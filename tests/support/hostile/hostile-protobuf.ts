/** OTLP in protobuf that no exporter writes. */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { type Hostile, KEY, PLANTED_SECRET } from "./hostile-row.ts";

const PROTOBUF = {
  path: "/v1/logs",
  headers: { "content-type": "application/x-protobuf", authorization: `Bearer ${KEY}` },
} as const;

/** Invalid messages, and messages that exceed the limits. */
export const hostileProtobuf: readonly Hostile[] = [
  { name: "JSON that says protobuf", body: '{"resourceLogs":[]}', status: 400 },
  {
    name: "protobuf that says JSON",
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
    body: record(toBytes(PLANTED_SECRET)),
    status: 400,
  },
  { name: "a number that never ends", body: new Uint8Array(200).fill(0xff), status: 400 },
  { name: "field 0", body: new Uint8Array([0x02, 0x00]), status: 400 },
  { name: "an unknown wire type", body: new Uint8Array([0x0e, 0x00, 0x0f, 0x00]), status: 400 },
  {
    name: "a length of 4 GB",
    body: new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    status: 400,
  },
  {
    name: "a length below nothing",
    body: new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    status: 400,
  },
  {
    name: "a length that runs over its message",
    body: field(1, new Uint8Array([0x12, 0x7f])),
    status: 400,
  },
  { name: "a message that ends in a tag", body: field(1, new Uint8Array([0x80])), status: 400 },
  { name: "a group that never ends", body: new Uint8Array([0x7b, 0x08, 0x01]), status: 400 },
  {
    name: "a million groups in one another",
    body: () => new Uint8Array(1_000_000).fill(0x7b),
    status: 400,
  },
  { name: "a group that ends and never began", body: new Uint8Array([0x0c]), status: 400 },
  { name: "values in values", body: () => record(field(5, nestedBinary(5_000))), status: 400 },
  { name: "half a million messages of nothing", body: () => pairs(700_000), status: 413 },
  {
    name: "text that is not UTF-8",
    body: record(field(5, field(1, new Uint8Array([0xff, 0xc0, 0x80])))),
    status: 200,
  },
  { name: "every field of the wrong wire type", body: record(numbers(12)), status: 200 },
  { name: "an id of a kilobyte", body: record(field(9, new Uint8Array(1024))), status: 200 },
  {
    name: "fields that nobody knows",
    body: field(536_870_911, toBytes(PLANTED_SECRET)),
    status: 200,
  },
  {
    name: "random bytes",
    body: new Uint8Array(5_000).map((_, at) => (at * at * 31 + at * 7) % 251),
    status: 400,
  },
].map((row) => ({ ...PROTOBUF, ...row }));

function field(number: number, inner: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inner).finish();
}

/** A request with one log record. */
function record(inner: Uint8Array): Uint8Array {
  return field(1, field(2, field(2, inner)));
}

function nestedBinary(levels: number): Uint8Array {
  let value = field(1, toBytes(PLANTED_SECRET));
  for (let level = 0; level < levels; level += 1) value = field(5, field(1, value));
  return value;
}

/** Empty `ResourceLogs`, two bytes each. */
function pairs(count: number): Uint8Array {
  return new Uint8Array(count * 2).map((_, at) => (at % 2 === 0 ? 0x0a : 0x00));
}

function numbers(fields: number): Uint8Array {
  return concatBytes(
    ...Array.from({ length: fields }, (_, at) =>
      new BinaryWriter()
        .tag(at + 1, WireType.Bit32)
        .fixed32(7)
        .finish(),
    ),
  );
}
