import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "#src/core/decode/parse-json.ts";
import { limits } from "#src/core/limits.ts";
import { type EnvelopeItem, parseEnvelope } from "#src/ingest/sentry/envelope.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";

const HEADER = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}';

/** Items as `[type, payload]`, then "broken" if the framing breaks. */
function readItems(body: string | Uint8Array) {
  const envelope = parseEnvelope(typeof body === "string" ? toBytes(body) : body);
  if (!envelope.ok) return envelope.reason;
  const items = envelope.value.items.map(({ header, payload }) => [
    header.type,
    decodeText(payload),
  ]);
  return envelope.value.framingError === undefined ? items : [...items, "broken"];
}

describe("parseEnvelope follows the specification", () => {
  const framed = [
    {
      name: "items with explicit length, and a last newline",
      body: `${HEADER}\n{"type":"attachment","length":10}\nHello\r\nyou\n{"type":"event","length":2}\n{}\n`,
      items: [
        ["attachment", "Hello\r\nyou"],
        ["event", "{}"],
      ],
    },
    {
      name: "the last newline omitted",
      body: `${HEADER}\n{"type":"event","length":2}\n{}`,
      items: [["event", "{}"]],
    },
    {
      name: "items with implicit length, terminated by newline",
      body: `${HEADER}\n{"type":"attachment"}\nhelloworld\n{"type":"event"}\n{}\n`,
      items: [
        ["attachment", "helloworld"],
        ["event", "{}"],
      ],
    },
    {
      name: "an item with implicit length, terminated by the end of file",
      body: `${HEADER}\n{"type":"attachment"}\nhelloworld`,
      items: [["attachment", "helloworld"]],
    },
    {
      name: "length counted in bytes, not characters",
      body: `{}\n{"type":"log","length":6}\n€€\n{"type":"event"}\n{}`,
      items: [
        ["log", "€€"],
        ["event", "{}"],
      ],
    },
    {
      name: "length 0 with an empty payload, terminated by newline",
      body: `{}\n{"type":"a","length":0}\n\n{"type":"b","length":0}\n\n`,
      items: [
        ["a", ""],
        ["b", ""],
      ],
    },
    {
      name: "length 0 with an empty payload, terminated by the end of file",
      body: `{}\n{"type":"a","length":0}\n`,
      items: [["a", ""]],
    },
    {
      name: "length 0 without even the header's newline",
      body: `{}\n{"type":"a","length":0}`,
      items: [["a", ""]],
    },
    {
      name: "an empty payload of implicit length",
      body: `{}\n{"type":"a"}\n\n{"type":"b"}\nx`,
      items: [
        ["a", ""],
        ["b", "x"],
      ],
    },
    { name: "an empty envelope", body: HEADER, items: [] },
    { name: "an empty envelope with a newline", body: "{}\n", items: [] },
    {
      name: "blank lines between items",
      body: '{}\n\n{"type":"a"}\nx\n\n\n{"type":"b"}\ny\n\n',
      items: [
        ["a", "x"],
        ["b", "y"],
      ],
    },
    {
      name: "an unknown item type",
      body: '{}\n{"type":"invalid_unknown"}\nhelloworld\n',
      items: [["invalid_unknown", "helloworld"]],
    },
    {
      name: "a length of null as no length",
      body: '{}\n{"type":"a","length":null}\nx\n',
      items: [["a", "x"]],
    },
    { name: "a byte order mark", body: '\uFEFF{}\n{"type":"a"}\nx', items: [["a", "x"]] },
    {
      name: "a binary payload",
      body: concatBytes(
        '{}\n{"type":"a","length":4}\n',
        new Uint8Array([10, 0, 10, 65]),
        '\n{"type":"b"}\ny',
      ),
      items: [
        ["a", "\n\0\nA"],
        ["b", "y"],
      ],
    },
  ];
  it.each(framed)("reads $name", ({ body, items }) => {
    expect(readItems(body)).toEqual(items);
  });

  const broken = [
    {
      name: "a length beyond the end",
      body: '{}\n{"type":"a"}\nx\n{"type":"b","length":1000000}\ny',
      items: [["a", "x"], "broken"],
    },
    {
      name: "a length of 0 before a payload",
      body: '{}\n{"type":"a","length":0}\nxyz',
      items: ["broken"],
    },
    {
      name: "a length that outcomes inside the payload",
      body: '{}\n{"type":"a","length":1}\nxyz',
      items: ["broken"],
    },
    { name: "a negative length", body: '{}\n{"type":"a","length":-1}\nx', items: ["broken"] },
    { name: "a fraction as length", body: '{}\n{"type":"a","length":1.5}\nx', items: ["broken"] },
    { name: "text as length", body: '{}\n{"type":"a","length":"1"}\nx', items: ["broken"] },
    { name: "an unsafe length", body: '{}\n{"type":"a","length":1e300}\nx', items: ["broken"] },
    {
      name: "an item header that is not JSON",
      body: '{}\n{"type":"a"}\nx\nhello\n{}',
      items: [["a", "x"], "broken"],
    },
    { name: "an item header that is an array", body: "{}\n[]\nx", items: ["broken"] },
    {
      name: "an item header over limits.maxHeaderBytes",
      body: `{}\n{"type":"${"a".repeat(limits.maxHeaderBytes)}"}\nx`,
      items: ["broken"],
    },
  ];
  it.each(broken)("keeps the items before $name", ({ body, items }) => {
    expect(readItems(body)).toEqual(items);
  });

  const refused = [
    { name: "no bytes", body: "", reason: "framing" },
    { name: "a first line that is not JSON", body: 'hello\n{"type":"a"}\nx', reason: "framing" },
    { name: "a first line that is not an object", body: '[]\n{"type":"a"}\nx', reason: "framing" },
    {
      name: "more items than limits.maxItems",
      body: `{}\n${'{"type":"a"}\nx\n'.repeat(limits.maxItems + 1)}`,
      reason: "too-many-items",
    },
    {
      name: "10,000 items",
      body: `{}\n${'{"type":"a"}\nx\n'.repeat(10_000)}`,
      reason: "too-many-items",
    },
  ];
  it.each(refused)("rejects $name as $reason", ({ body, reason }) => {
    expect(readItems(body)).toBe(reason);
  });

  it("accepts as many items as limits.maxItems", () => {
    expect(readItems(`{}\n${'{"type":"a"}\nx\n'.repeat(limits.maxItems)}`)).toHaveLength(
      limits.maxItems,
    );
  });
});

const LF = 0x0a;

/**
 * The canonical form: explicit lengths where the payload contains a newline, sometimes elsewhere.
 */
function serialize(header: object, items: readonly EnvelopeItem[]): Uint8Array {
  const lines = items.flatMap((item) => [JSON.stringify(item.header), "\n", item.payload, "\n"]);
  return concatBytes(JSON.stringify(header), "\n", ...lines);
}

const anyItem = fc
  .record({ type: fc.string(), payload: fc.uint8Array({ maxLength: 40 }), told: fc.boolean() })
  .map(({ type, payload, told }): EnvelopeItem => {
    const explicit = told || payload.includes(LF);
    return { header: { type, ...(explicit && { length: payload.length }) }, payload };
  });

describe("parseEnvelope as a function", () => {
  it("returns what was serialized", () => {
    const header = fc.record({ sent_at: fc.string(), extra: fc.jsonValue({ maxDepth: 2 }) });
    fc.assert(
      fc.property(header, fc.array(anyItem, { maxLength: 8 }), (written, items) => {
        fc.pre(!JSON.stringify(written).includes("__proto__"));
        const envelope = parseEnvelope(serialize(written, items));
        expect(envelope).toEqual({
          ok: true,
          value: { header: JSON.parse(JSON.stringify(written)), items },
        });
      }),
    );
  });

  it("returns a value for any bytes and never throws", () => {
    const almost = fc
      .tuple(fc.array(anyItem, { maxLength: 3 }), fc.nat(), fc.uint8Array({ maxLength: 4 }))
      .map(([items, at, noise]) => {
        const whole = serialize({}, items);
        const cut = at % (whole.length + 1);
        return concatBytes(whole.subarray(0, cut), noise, whole.subarray(cut));
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), almost), (body) => {
        const envelope = parseEnvelope(body);
        if (!envelope.ok) return;
        const held = envelope.value.items.reduce((sum, item) => sum + item.payload.length, 0);
        expect(held).toBeLessThanOrEqual(body.length);
        expect(envelope.value.items.length).toBeLessThanOrEqual(limits.maxItems);
      }),
      { numRuns: 500 },
    );
  });
});
