/** Control flow is dropped from every sender, whatever the format; nothing of it is stored. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "#src/core/stats/outcome.ts";
import { toBytes } from "#support/bytes.ts";
import { ingestBytes, ingestTail } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

const REDIRECT = "NEXT_REDIRECT;replace;/login;307;";
const summarize = (outcomes: readonly Outcome[]) =>
  outcomes.map((one) => (one.outcome === "dropped" ? `dropped ${one.reason}` : one.outcome));

async function send(body: unknown, more: object = {}) {
  const log = createMemoryLog();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const options = { ...createProcessingOptions(), writer: log, ...more };
  const ingested = await ingestBytes(toBytes(text), options);
  const outcomes = ingested.ok ? summarize(ingested.value.outcomes) : [ingested.reason];
  return { outcomes, stored: log.reports.size };
}

async function tail(event: object) {
  const log = createMemoryLog();
  const ingested = await ingestTail([event], { ...createProcessingOptions(), writer: log });
  return {
    outcomes: ingested.ok ? summarize(ingested.value.outcomes) : [],
    stored: log.reports.size,
  };
}

const event = (value: string, more: object = {}) => ({
  platform: "javascript",
  exception: { values: [{ type: "Error", value }] },
  ...more,
});
const attributes = (message: string) => [
  { key: "exception.type", value: { stringValue: "Error" } },
  { key: "exception.message", value: { stringValue: message } },
];
const logs = (record: object) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
const spans = (message: string) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            { name: "GET /", events: [{ name: "exception", attributes: attributes(message) }] },
          ],
        },
      ],
    },
  ],
});

describe("control flow", () => {
  it.each<[name: string, body: unknown]>([
    ["the message of a Sentry event", event("NEXT_REDIRECT")],
    ["a Sentry message", { message: "NEXT_REDIRECT", level: "error" }],
    ["a Sentry log entry", { logentry: { formatted: "Error: NEXT_NOT_FOUND" } }],
    ["the digest in extra of an event", event("x", { extra: { digest: REDIRECT } })],
    ["the digest in a context", event("x", { contexts: { Error: { digest: REDIRECT } } })],
    ["the digest in a tag", event("x", { tags: { digest: "NEXT_NOT_FOUND" } })],
    [
      "the digest of a thrown object",
      event("x", { extra: { __serialized__: { digest: REDIRECT } } }),
    ],
    [
      "the thrown object of SvelteKit",
      event("'Redirect' captured as exception with keys: location, status", {
        extra: { __serialized__: { location: "/login", status: 303 } },
      }),
    ],
    ["an envelope", `{}\n{"type":"event"}\n${JSON.stringify(event("NEXT_REDIRECT"))}`],
    [
      "the digest of Errata's reporter",
      { errata: 1, how: "caught", message: "x", digest: REDIRECT },
    ],
    ["the message of Errata's reporter", { errata: 1, how: "caught", message: "NEXT_REDIRECT" }],
    ["Next.js", { message: "x", digest: REDIRECT, request: {}, context: {} }],
    ["the message of Next.js", { error: { message: "NEXT_REDIRECT" }, request: {}, context: {} }],
    ["an exception in an OTLP log", logs({ attributes: attributes("NEXT_REDIRECT") })],
    ["an OTLP log", logs({ severityNumber: 17, body: { stringValue: "Error: NEXT_REDIRECT" } })],
    ["an OTLP span", spans("NEXT_REDIRECT")],
  ])("is dropped: %s", async (_name, body) => {
    expect(await send(body)).toEqual({ outcomes: ["dropped control-flow"], stored: 0 });
  });

  it("is dropped from tail events: exceptions and logs", async () => {
    const error = { name: "Error", message: "NEXT_REDIRECT" };
    expect(await tail({ outcome: "exception", exceptions: [error], logs: [] })).toEqual({
      outcomes: ["counted", "dropped control-flow"],
      stored: 0,
    });
    const log = (message: readonly string[], errorInfo?: readonly unknown[]) =>
      tail({ outcome: "ok", exceptions: [], logs: [{ level: "error", message, errorInfo }] });
    const dropped = { outcomes: ["counted", "dropped control-flow"], stored: 0 };
    expect(await log(["Error: NEXT_REDIRECT"])).toEqual(dropped);
    expect(await log(["⨯", "Error: NEXT_REDIRECT"], [null, error])).toEqual(dropped);
    const said = await log(["Checkout failed:", "Error: NEXT_REDIRECT"], [null, error]);
    expect(said).toEqual({ outcomes: ["counted", "accepted"], stored: 1 });
  });

  it("drops the attachments of its event", async () => {
    const body = [
      "{}",
      '{"type":"event"}',
      JSON.stringify(event("NEXT_REDIRECT")),
      '{"type":"attachment","length":1,"filename":"a.txt"}',
      "a",
    ].join("\n");
    expect(await send(body)).toEqual({
      outcomes: ["dropped control-flow", "dropped not-stored"],
      stored: 0,
    });
  });

  it("does not count towards the reports of a body", async () => {
    const item = (value: string) => `{"type":"event"}\n${JSON.stringify(event(value))}`;
    const body = ["{}", item("NEXT_REDIRECT"), item("a"), item("b")].join("\n");
    expect(await send(body, { maxReports: 1 })).toEqual({
      outcomes: ["dropped control-flow", "accepted", "dropped over-count"],
      stored: 1,
    });
  });

  it.each<[name: string, body: unknown]>([
    ["mentions it", event("failed to handle NEXT_REDIRECT")],
    [
      "has it as its cause",
      {
        exception: {
          values: [
            { type: "Error", value: "NEXT_REDIRECT" },
            { type: "Error", value: "Checkout failed" },
          ],
        },
      },
    ],
    ["has another digest", event("x", { extra: { digest: "2338823894" } })],
    [
      "is a comment about it",
      {
        type: "feedback",
        contexts: { feedback: { message: "NEXT_REDIRECT" } },
      },
    ],
  ])("is not a report that %s", async (_name, body) => {
    expect(await send(body)).toEqual({ outcomes: ["accepted"], stored: 1 });
  });
});
