import { describe, expect, it } from "vitest";
import { createOtlpFailure, createOtlpResponse } from "#src/ingest/otlp/otlp-response.ts";
import { decodeMessage, type MessageTable } from "#src/ingest/otlp/protobuf.ts";

// As the exporters read it: collector/logs/v1/logs_service.proto, and the same numbers for traces.
const ANSWER: MessageTable = {
  Response: { 1: ["partialSuccess", "PartialSuccess"] },
  PartialSuccess: { 1: ["rejected", "int64"], 2: ["errorMessage", "string"] },
  Status: { 2: ["message", "string"] },
};

describe("OTLP responses are equal in both encodings", () => {
  const cases = [
    { name: "nothing rejected: empty", rejected: 0, json: {}, protobuf: {} },
    {
      name: "a warning: its message, and no number",
      rejected: 0,
      message: "old",
      json: { partialSuccess: { rejectedLogRecords: "0", errorMessage: "old" } },
      protobuf: { partialSuccess: { errorMessage: "old" } },
    },
    {
      name: "some rejected: how many, as text because it has 64 bits, and why",
      rejected: 300,
      message: "Expected a body.",
      json: { partialSuccess: { rejectedLogRecords: "300", errorMessage: "Expected a body." } },
      protobuf: { partialSuccess: { rejected: "300", errorMessage: "Expected a body." } },
    },
    {
      name: "some rejected, without a word",
      rejected: 1,
      json: { partialSuccess: { rejectedLogRecords: "1" } },
      protobuf: { partialSuccess: { rejected: "1" } },
    },
  ];
  it.each(cases)("$name", ({ rejected, message, json, protobuf }) => {
    expect(JSON.parse(String(createOtlpResponse("logs", "json", rejected, message)))).toEqual(json);
    const bytes = createOtlpResponse("logs", "protobuf", rejected, message);
    if (typeof bytes === "string") throw new Error("expected bytes");
    expect(decodeMessage(bytes, ANSWER, "Response")).toEqual({ ok: true, value: protobuf });
    expect(createOtlpResponse("traces", "protobuf", rejected, message)).toEqual(bytes);
  });

  it("a partial success names the rejected items of its signal", () => {
    expect(createOtlpResponse("traces", "json", 2)).toBe(
      '{"partialSuccess":{"rejectedSpans":"2"}}',
    );
  });

  it("a failure is a Status with a message", () => {
    expect(createOtlpFailure("json", "Expected é.")).toBe('{"message":"Expected é."}');
    const bytes = createOtlpFailure("protobuf", "Expected é.");
    if (typeof bytes === "string") throw new Error("expected bytes");
    const status = { ok: true, value: { message: "Expected é." } };
    expect(decodeMessage(bytes, ANSWER, "Status")).toEqual(status);
  });
});
