import { describe, expect, it } from "vitest";
import type { Outcome } from "#src/core/stats/outcome.ts";
import type { IngestFormat } from "#src/ingest/format/ingest-format.ts";
import { otlpLogs, otlpTraces } from "#src/ingest/otlp/otlp-formats.ts";
import { decodeMessage, type MessageTable } from "#src/ingest/otlp/protobuf.ts";

// As the exporters read it: collector/logs/v1/logs_service.proto, and the same numbers for traces.
const ANSWER: MessageTable = {
  Response: { 1: ["partialSuccess", "PartialSuccess"] },
  PartialSuccess: { 1: ["rejected", "int64"], 2: ["errorMessage", "string"] },
  Status: { 2: ["message", "string"] },
};

const SIGNALS = [
  { format: otlpLogs, member: "rejectedLogRecords" },
  { format: otlpTraces, member: "rejectedSpans" },
];

/** The response to a request in JSON and in protobuf. */
function respondInBoth({ selectProtocol }: IngestFormat, outcomes: readonly Outcome[]) {
  const json = selectProtocol?.("application/json; charset=utf-8").respond({ outcomes });
  const protobuf = selectProtocol?.("application/x-protobuf").respond({ outcomes });
  if (json === undefined || !(protobuf?.body instanceof Uint8Array)) throw new Error("no bytes");
  return {
    json: JSON.parse(String(json.body)),
    protobuf: decodeMessage(protobuf.body, ANSWER, "Response"),
    types: [json, protobuf].map(({ headers }) => headers?.["Content-Type"]),
  };
}

describe.each(SIGNALS)("the response at the path of $format.name", ({ format, member }) => {
  it("is empty in both encodings if everything was accepted or counted", () => {
    expect(respondInBoth(format, [{ outcome: "counted", item: "log" }])).toEqual({
      json: {},
      protobuf: { ok: true, value: {} },
      types: ["application/json", "application/x-protobuf"],
    });
  });

  it("tells how many items were rejected, as text because the number has 64 bits, and why", () => {
    const dropped = { outcome: "dropped", item: "log", reason: "over-count" } as const;
    const errorMessage = "Some items were not stored. See the Errata-Outcome header.";
    expect(respondInBoth(format, Array<Outcome>(300).fill(dropped))).toMatchObject({
      json: { partialSuccess: { [member]: "300", errorMessage } },
      protobuf: { ok: true, value: { partialSuccess: { rejected: "300", errorMessage } } },
    });
  });

  it("is a Status with a message after a failure", () => {
    const [json, protobuf] = ["application/json", "application/x-protobuf"].map((type) =>
      format.selectProtocol?.(type).fail(400, "Expected é."),
    );
    expect(json).toMatchObject({ status: 400, body: '{"message":"Expected é."}' });
    expect(protobuf?.status).toBe(400);
    const bytes = protobuf?.body;
    if (!(bytes instanceof Uint8Array)) throw new Error("expected bytes");
    expect(decodeMessage(bytes, ANSWER, "Status")).toEqual({
      ok: true,
      value: { message: "Expected é." },
    });
  });
});
