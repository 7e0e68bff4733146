/** Envelopes with false framing: lengths, lines and headers. */
import { limits } from "#src/core/limits.ts";
import { concatBytes } from "#support/bytes.ts";
import { createEnvelope, createEvent, type Hostile, PLANTED_SECRET } from "./hostile-row.ts";

const payload = JSON.stringify(createEvent("framing"));
const event = { type: "event" };
const broken = { status: 400, reason: "framing" } as const;

/** Values of the item header's `length` that do not match the payload. */
const lengths: readonly Hostile[] = [
  ...[
    String(payload.length + 1),
    String(payload.length - 1),
    ...["0", "-0", "-1", "1.5", "1e308", "1e400", "-1e400", "9007199254740991", "9007199254740992"],
    ...["18446744073709551616", '"10"', '""', "true", "[]", "{}", "0x10", "1e1"],
  ].map((length) => ({
    name: `length ${length}`,
    body: createEnvelope(`{"type":"event","length":${length}}`, payload),
    ...broken,
  })),
  ...["null", "NaN", "-Infinity"].map((length) => ({
    name: `length ${length}, which is none`,
    body: createEnvelope(`{"type":"event","length":${length}}`, payload),
    status: 200,
  })),
  {
    name: "a length in characters where the bytes are more",
    body: createEnvelope(`{"type":"event","length":13}`, '{"message":"é"}'),
    ...broken,
  },
  {
    name: "a length that ends inside another item",
    body: createEnvelope(`{"type":"attachment","length":20}`, event, payload),
    ...broken,
  },
  {
    name: "a length over everything that follows",
    body: createEnvelope(
      `{"type":"attachment","length":${limits.maxInflatedBytes}}`,
      event,
      payload,
    ),
    ...broken,
  },
];

const lines: readonly Hostile[] = [
  { name: "a header alone", body: '{"event_id":1,"dsn":[],"sdk":null}', status: 200 },
  {
    name: "an item without a type",
    body: createEnvelope("{}"),
    status: 400,
    reason: "missing-field",
  },
  ...[17, null, [], {}, true].map((type) => ({
    name: `an item's type ${JSON.stringify(type)}`,
    body: createEnvelope({ type }, payload),
    status: 400,
    reason: "missing-field",
  })),
  ...["", "EVENT", "\u0000", "../event", "x".repeat(5_000), "event\nevent"].map((type) => ({
    name: `an item of the unknown type ${JSON.stringify(type.slice(0, 12))}`,
    body: createEnvelope({ type }, payload),
    status: 200,
  })),
  { name: "a header that is an array", body: `[]\n{"type":"event"}\n${payload}`, status: 400 },
  {
    name: "a header that is text",
    body: `"${PLANTED_SECRET}"\n{"type":"event"}\n${payload}`,
    status: 400,
  },
  {
    name: "a header of 20 kB",
    body: `{"a":"${"x".repeat(20_000)}"}\n{"type":"event"}\n{}`,
    status: [400, 413],
  },
  {
    name: "an item's header of 20 kB",
    body: createEnvelope({ ...event, a: "x".repeat(20_000) }, payload),
    ...broken,
  },
  {
    name: "an item's header that is not JSON",
    body: createEnvelope(`{"type":"event"`, payload),
    ...broken,
  },
  {
    name: "an item's header that is an array",
    body: createEnvelope('["event"]', payload),
    ...broken,
  },
  {
    name: "garbage behind the last item",
    body: createEnvelope(event, payload, PLANTED_SECRET),
    ...broken,
  },
  {
    name: "lines that end with CR LF",
    body: createEnvelope(event, payload).replaceAll("\n", "\r\n"),
    status: 200,
  },
  {
    name: "lines that end with CR alone",
    body: createEnvelope(event, payload).replaceAll("\n", "\r"),
    status: 400,
  },
  {
    name: "a newline before the header",
    body: `\n${createEnvelope(event, payload)}`,
    status: [200, 400],
  },
  {
    name: "a type that is there twice",
    body: createEnvelope('{"type":"session","type":"event"}', payload),
    status: 200,
  },
  {
    name: "an event that is an envelope",
    body: createEnvelope({ ...event, length: 19 }, '{}\n{"type":"event"}\n'),
    status: 400,
    reason: "not-json",
  },
  { name: "every byte there is, as an attachment", body: binary(), status: 200 },
];

function binary(): Uint8Array {
  const all = new Uint8Array(1024).map((_, at) => at % 256);
  return concatBytes(
    createEnvelope({
      type: "attachment",
      length: all.length,
      filename: `../${PLANTED_SECRET}\u0000`,
    }),
    "\n",
    all,
  );
}

/** Every hostile framing. */
export const hostileFraming: readonly Hostile[] = [...lengths, ...lines];
