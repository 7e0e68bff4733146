import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { detectFormat, toIngestBody } from "#src/ingest/parse-body.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";

const detect = (bytes: Uint8Array) => detectFormat(toIngestBody(bytes));

const formats = [
  { format: "sentry-envelope", name: "a header and an item", body: '{}\n{"type":"session"}\n{}' },
  {
    format: "sentry-envelope",
    name: "a header that no SDK sends, and an item",
    body: '{"x":1}\n{"type":"x"}\n',
  },
  {
    format: "sentry-envelope",
    name: "a header alone",
    body: '{"event_id":"5aaeee40d56b46ecbfb342d868e140ef"}',
  },
  {
    format: "sentry-envelope",
    name: "a header alone with a newline",
    body: '{"sent_at":"2026-11-21T16:08:33Z"}\n',
  },
  { format: "sentry-envelope", name: "an empty object", body: "{}" },
  {
    format: "sentry-envelope",
    name: "a header and a broken item header",
    body: '{"dsn":"x"}\n{"type":',
  },
  {
    format: "sentry-envelope",
    name: "a header and a binary item",
    body: '{}\n{"type":"a","length":2}\n\xff\xfe',
  },
  { format: "sentry-event", name: "an exception", body: '{"exception":{"values":[]}}' },
  {
    format: "sentry-event",
    name: "an event on one line with a newline",
    body: '{"event_id":"a","message":"m"}\n',
  },
  {
    format: "sentry-event",
    name: "an indented event",
    body: '{\n "event_id": "a",\n "platform": "python"\n}',
  },
  {
    format: "sentry-event",
    name: "an event with its request",
    body: '{"message":"m","request":{"url":"/"}}',
  },
  {
    format: "reporting-api",
    name: "an array",
    body: '[{"type":"crash","body":{},"url":"https://a.example/"}]',
  },
  { format: "reporting-api", name: "an empty array", body: "[]" },
  { format: "reporting-api", name: "an indented array", body: '[\n  {"type": "coep"}\n]' },
  {
    format: "reporting-api",
    name: "one report without an array",
    body: '{"type":"crash","body":null,"url":""}',
  },
  { format: "csp-report", name: "a csp-report", body: '{"csp-report":{}}' },
  { format: "security-report", name: "an Expect-CT report", body: '{"expect-ct-report":{}}' },
  {
    format: "security-report",
    name: "an HPKP report",
    body: '{"date-time":"x","hostname":"shop.example","known-pins":[]}',
  },
  {
    format: "cloudflare-notification",
    name: "a notification of Cloudflare",
    body: '{"text":"t","alert_type":"workers_alert","data":{}}',
  },
  { format: "cloudflare-notification", name: "the test of a webhook", body: '{"text":"Hello"}' },
  { format: "reporter", name: "Errata's own reporter", body: '{"errata":1,"message":"m"}' },
  {
    format: "next",
    name: "the documentation's shape",
    body: '{"message":"m","digest":"1","request":{},"context":{}}',
  },
  {
    format: "next",
    name: "three arguments",
    body: '{"error":{"message":"m"},"request":{"path":"/"},"context":{}}',
  },
  {
    format: "next",
    name: "a thrown string",
    body: '{"error":"m","request":{"path":"/"},"context":{}}',
  },
  { format: "otlp-logs", name: "OTLP logs", body: '{"resourceLogs":[]}' },
  { format: "otlp-logs", name: "indented OTLP logs", body: '{\n  "resourceLogs": [{}]\n}\n' },
  { format: "otlp-traces", name: "OTLP traces", body: '{"resourceSpans":[{"resource":{}}]}' },
];

describe("detectFormat reads only the body", () => {
  it.each(formats)("$format: $name", ({ format, body }) => {
    expect(detect(toBytes(body))).toMatchObject({ ok: true, value: { format: { name: format } } });
  });

  it("skips a byte order mark", () => {
    const body = concatBytes("\uFEFF", '{"csp-report":{}}');
    expect(detect(body)).toMatchObject({ ok: true, value: { format: { name: "csp-report" } } });
  });

  it("accepts a large OTLP request of many items, but no other object of that size", () => {
    const padding = `"${"x".repeat(limits.maxItemBytes)}"`;
    const body = toBytes(` {"resourceSpans":[${padding}]}`);
    expect(detect(body)).toMatchObject({ ok: true, value: { format: { name: "otlp-traces" } } });
  });

  const refused = [
    { reason: "unknown-format", name: "nothing", body: "" },
    { reason: "unknown-format", name: "OTLP metrics", body: '{"resourceMetrics":[]}' },
    { reason: "unknown-format", name: "white space", body: " \n " },
    { reason: "unknown-format", name: "text", body: "sentry_data=abc" },
    { reason: "unknown-format", name: "a number", body: "12" },
    { reason: "unknown-format", name: "another object", body: '{"hello":"world"}' },
    {
      reason: "unknown-format",
      name: "an error's own members, of which an event has the message alone",
      body: '{"name":"TypeError","message":"m","stack":"TypeError: m"}',
    },
    { reason: "not-json", name: "lines of other objects", body: '{"hello":1}\n{"hello":2}' },
    { reason: "not-json", name: "half an object", body: '{"errata":1,"message":"m' },
    { reason: "not-json", name: "half an array", body: '[{"type":"crash"}' },
    { reason: "too-deep", name: "a deep array", body: "[".repeat(1000) },
    {
      reason: "too-large",
      name: "an object over limits.maxItemBytes",
      body: `{"a":"${"x".repeat(limits.maxItemBytes)}"}`,
    },
  ];
  it.each(refused)("rejects $name as $reason and says what was expected", ({ reason, body }) => {
    const detected = detect(toBytes(body));
    expect(detected).toMatchObject({ ok: false, reason });
    expect(detected).toHaveProperty(
      "expected",
      expect.stringContaining("a Sentry envelope or event"),
    );
  });

  it("returns a value for any bytes and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(toBytes)), (body) => {
        expect(detect(body)).toHaveProperty("ok");
      }),
    );
  });
});
