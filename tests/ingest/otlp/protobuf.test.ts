import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "#src/ingest/otlp/otlp-messages.ts";
import { decodeMessage, type MessageTable } from "#src/ingest/otlp/protobuf.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { readCapture } from "#support/reports/captures.ts";

const TABLE: MessageTable = {
  Node: {
    1: ["text", "string"],
    2: ["flag", "bool"],
    3: ["kind", "enum"],
    4: ["share", "double"],
    5: ["count", "int64"],
    6: ["time", "fixed64"],
    7: ["id", "id"],
    8: ["child", "Node"],
    9: ["children", "Node[]"],
  },
};
const node = (body: Uint8Array) => decodeMessage(body, TABLE, "Node");
const writer = () => new BinaryWriter();
const field = (number: number, inner: Uint8Array) =>
  writer().tag(number, WireType.LengthDelimited).bytes(inner).finish();
const nested = (levels: number): Uint8Array => {
  let body = new Uint8Array(0);
  for (let level = 1; level < levels; level += 1) body = field(8, body) as Uint8Array<ArrayBuffer>;
  return body;
};

describe("decodeMessage decodes to the JSON form", () => {
  const cases = [
    { name: "no bytes: an empty message", body: new Uint8Array(0), value: {} },
    { name: "text", body: field(1, toBytes("é")), value: { text: "é" } },
    {
      name: "text that is not UTF-8, repaired",
      body: field(1, new Uint8Array([0x61, 0xff])),
      value: { text: "a\uFFFD" },
    },
    { name: "a flag", body: writer().tag(2, 0).bool(true).finish(), value: { flag: true } },
    { name: "an enum", body: writer().tag(3, 0).int32(17).finish(), value: { kind: 17 } },
    { name: "a double", body: writer().tag(4, 1).double(12.5).finish(), value: { share: 12.5 } },
    {
      name: "64 bits, signed, as text",
      body: writer().tag(5, 0).int64("-9223372036854775808").finish(),
      value: { count: "-9223372036854775808" },
    },
    {
      name: "64 bits, fixed, as text",
      body: writer().tag(6, 1).fixed64("1795287189966000000").finish(),
      value: { time: "1795287189966000000" },
    },
    { name: "an id as hex", body: field(7, new Uint8Array([0, 10, 255])), value: { id: "000aff" } },
    {
      name: "a message in a message",
      body: field(8, field(1, toBytes("a"))),
      value: { child: { text: "a" } },
    },
    {
      name: "a repeated message",
      body: concatBytes(field(9, field(1, toBytes("a"))), field(9, toBytes(""))),
      value: { children: [{ text: "a" }, {}] },
    },
    {
      name: "the last of a field that should come once",
      body: concatBytes(field(1, toBytes("a")), field(1, toBytes("b"))),
      value: { text: "b" },
    },
    {
      name: "what the table does not name, skipped: a field, and a group with one in it",
      body: concatBytes(
        field(99, toBytes("a")),
        writer().tag(98, 3).tag(1, 0).int32(1).tag(98, 4).finish(),
        field(1, toBytes("b")),
      ),
      value: { text: "b" },
    },
    {
      name: "a field of another wire type than its own, skipped",
      body: concatBytes(
        writer().tag(1, 0).int32(1).finish(),
        writer().tag(8, 5).fixed32(1).finish(),
      ),
      value: {},
    },
    {
      name: "as many levels as limits.maxParsedDepth",
      body: concatBytes(nested(limits.maxParsedDepth), field(1, toBytes("a"))),
      value: expect.objectContaining({ text: "a" }),
    },
  ];
  it.each(cases)("$name", ({ body, value }) => {
    expect(node(body)).toEqual({ ok: true, value });
  });

  it("an id of more than 16 bytes is dropped", () => {
    expect(node(field(7, new Uint8Array(17)))).toStrictEqual({ ok: true, value: {} });
  });
});

describe("decodeMessage rejects invalid bytes and says what was expected", () => {
  const cases = [
    { name: "an end in the middle of a field", body: [0x0a, 5, 0x61], reason: "framing" },
    { name: "an end in the middle of a number", body: [0x28, 0x80], reason: "framing" },
    { name: "an end in the middle of 64 bits", body: [0x31, 1, 2, 3], reason: "framing" },
    { name: "field number 0", body: [0x02, 0], reason: "framing" },
    { name: "a wire type that does not exist", body: [0x0f], reason: "framing" },
    { name: "a group that never outcomes", body: [0x93, 0x06, 0x08, 1], reason: "framing" },
    { name: "the end of a group that never began", body: [0x0c], reason: "framing" },
    {
      name: "a message that is longer than the one around it",
      body: [0x42, 2, 0x42, 9, 0x0a, 0],
      reason: "framing",
    },
    {
      name: "a field that runs over its message's end",
      body: [0x42, 2, 0x0a, 3, 0x61, 0x62, 0x63],
      reason: "framing",
    },
    { name: "text", body: toBytes("hello, this is not protobuf"), reason: "framing" },
    {
      name: "one level more than limits.maxParsedDepth",
      body: nested(limits.maxParsedDepth + 1),
      reason: "too-deep",
    },
    { name: "10,000 levels", body: nested(10_000), reason: "too-deep" },
    { name: "groups in groups", body: new Uint8Array(100_000).fill(0x13), reason: "framing" },
    {
      name: "more messages than limits.maxParsedContainers",
      body: new Uint8Array(2 * limits.maxParsedContainers + 2)
        .fill(0x4a)
        .map((byte, index) => (index % 2 ? 0 : byte)),
      reason: "too-large",
    },
  ];
  it.each(cases)("$name: $reason", ({ body, reason }) => {
    const read = node(new Uint8Array(body));
    expect(read).toMatchObject({ ok: false, reason, expected: expect.any(String) });
    expect(JSON.stringify(read)).not.toContain("hello");
  });
});

describe("arbitrary bytes", () => {
  const real = ["otlp/node.logs-proto", "otlp/node.traces-proto"].map(
    (name) => readCapture(name).body,
  );
  const damaged = fc
    .tuple(fc.constantFrom(...real), fc.nat(), fc.uint8Array({ maxLength: 4 }))
    .map(([body, at, noise]) => {
      const cut = at % (body.length + 1);
      return concatBytes(body.subarray(0, cut), noise, body.subarray(cut + noise.length));
    });

  it("give a value or a failure, and never throw", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array()), (body) => {
        for (const decoded of [decodeOtlpLogs(body), decodeOtlpTraces(body), node(body)]) {
          if (decoded.ok) read += 1;
          else expect(["framing", "too-deep", "too-large"]).toContain(decoded.reason);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
