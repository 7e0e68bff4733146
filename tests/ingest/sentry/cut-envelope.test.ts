// Envelopes of which only the beginning was read, because the body exceeds a limit.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CutBodyFailure, parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const CUT_BY: CutBodyFailure = { reason: "too-large", limit: "maxBodyBytes", max: 2_097_152 };
const EVENT = '{"type":"event"}\n{"message":"m"}\n';
const FILE = '{"type":"attachment","length":2300000,"filename":"screen.png"}\n';

function parse(body: string | Uint8Array) {
  const bytes = typeof body === "string" ? toBytes(body) : body;
  return parseBody(toIngestBody(bytes, CUT_BY), { nowMs: NOW_MS });
}

function parseItems(body: string | Uint8Array) {
  const parsed = parse(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value.items;
}

describe("the beginning of an envelope", () => {
  it("with a complete event is accepted, and lists the attachment that was cut", () => {
    const items = parseItems(`{}\n${EVENT}${FILE}xxxx`);
    expect(listOutcomes(items)[0]).toBe("event → message");
    expect(items[1]).toEqual({ partOf: 0, item: "attachment" });
    expect(getReport(items[0])).toMatchObject({
      truncated: ["attachments"],
      attachments: [{ name: "screen.png", bytes: 2_300_000, notKept: "too-large" }],
    });
  });

  it("with an attachment without a length lists what was read of it", () => {
    const [event] = parseItems(`{}\n${EVENT}{"type":"attachment"}\nxxxx`);
    const file = { name: "attachment", bytes: 4, notKept: "too-large" };
    expect(getReport(event).attachments).toEqual([file]);
  });

  it("may end in the header of an item, and at the end of one", () => {
    expect(parseItems(`{}\n${EVENT}{"type":"attach`)).toHaveLength(1);
    expect(parseItems(`{}\n${EVENT}`)).toHaveLength(1);
  });

  it("may end in an item of another type", () => {
    expect(listOutcomes(parseItems(`{}\n${EVENT}{"type":"replay_recording"}\nxx`))).toEqual([
      "event → message",
      "replay_recording → counted",
    ]);
    expect(listOutcomes(parseItems(`{}\n${EVENT}{"type":"event"}\n{"message":`))).toEqual([
      "event → message",
      "event → invalid too-large",
    ]);
  });

  it("keeps complete attachments", () => {
    const small = '{"type":"attachment","length":4,"filename":"a.log"}\ntext\n';
    expect(getReport(parseItems(`{}\n${EVENT}${small}${FILE}x`)[0]).attachments).toMatchObject([
      { name: "a.log", text: "text" },
      { name: "screen.png", notKept: "too-large" },
    ]);
  });

  const refused = [
    { name: "without a complete event", body: '{}\n{"type":"event"}\n{"message":"m' },
    { name: "whose attachment comes first", body: `{}\n${FILE}xxxx` },
    { name: "of which only the header was read", body: "{}\n" },
    { name: "of another format", body: '[{"type":"csp-violation","body":{}},' },
    { name: "of an event without an envelope", body: '{"message":"m' },
    { name: "of nothing", body: "" },
  ];
  it.each(refused)("$name is refused for its size", ({ body }) => {
    expect(parse(body)).toEqual({ ok: false, ...CUT_BY });
  });

  it("of any length gives the event or the failure", () => {
    const whole = concatBytes(`{}\n${EVENT}${FILE}`, new Uint8Array(200));
    const end = toBytes(`{}\n${EVENT}`).length;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (length) => {
        const parsed = parse(whole.subarray(0, length));
        // Before its line end, the event may be longer than what was read.
        expect(parsed.ok).toBe(length >= end);
      }),
    );
  });
});
