import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { parseSentryEnvelope } from "#src/ingest/sentry/envelope-items.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const encoder = new TextEncoder();

interface File {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Uint8Array;
}

/** The parsed items of an envelope with one event and these files. */
function envelope(files: readonly File[], event = '{"message":"m"}') {
  const parts: Uint8Array[] = [encoder.encode(`{}\n{"type":"event"}\n${event}\n`)];
  for (const { header, payload } of files) {
    const head = JSON.stringify({ type: "attachment", length: payload.length, ...header });
    parts.push(encoder.encode(`${head}\n`), payload, encoder.encode("\n"));
  }
  const parsed = parseSentryEnvelope(new Uint8Array(Buffer.concat(parts)));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value.items;
}

const file = (payload: Uint8Array | string, header: Record<string, unknown> = {}): File => ({
  header,
  payload: typeof payload === "string" ? encoder.encode(payload) : payload,
});

const NOT_UTF8 = new Uint8Array([0x61, 0xff, 0x62]);

describe("attachments", () => {
  it("are stored with their event: text as text, anything else as base64", () => {
    const picture = new Uint8Array([0x89, 0x50, 0x0a, 0xff, 0x00]);
    const [event] = envelope([
      file("line 1\nline 2", { filename: "app.log", content_type: "text/plain" }),
      file(picture, { filename: "screen.png", content_type: "image/png" }),
    ]);
    expect(getReport(event).attachments).toEqual([
      { name: "app.log", type: "text/plain", bytes: 13, text: "line 1\nline 2" },
      { name: "screen.png", type: "image/png", bytes: 5, base64: "iVAK/wA=" },
    ]);
  });

  it.each([
    "image/svg+xml",
    "application/problem+json",
    "application/yaml",
    "application/x-www-form-urlencoded",
    "TEXT/CSV",
    "application/octet-stream",
    "application/x-sh",
    "image/png",
  ])("of type %s are text if their bytes are", (content_type) => {
    const [event] = envelope([file("a: ü", { content_type })]);
    expect(getReport(event).attachments).toMatchObject([{ text: "a: ü" }]);
  });

  it.each([
    "text/plain; charset=latin1",
    "application/json",
    "application/problem+xml",
    "application/x-yaml",
    "application/x-www-form-urlencoded",
    "image/svg+xml",
    "application/javascript",
    "text/javascript",
  ])("of type %s are text even if their bytes are not UTF-8", (content_type) => {
    const [event] = envelope([file(NOT_UTF8, { content_type })]);
    const [attachment] = getReport(event).attachments ?? [];
    expect(attachment).toEqual({
      name: "attachment",
      type: content_type,
      bytes: 3,
      text: "a\ufffdb",
    });
  });

  it("are decoded as UTF-16 if they are text with a byte order mark", () => {
    const utf16 = new Uint8Array(Buffer.from("\ufeffpassword=a", "utf16le"));
    const [event] = envelope([file(utf16, { content_type: "text/plain" })]);
    expect(getReport(event).attachments).toMatchObject([{ text: "\ufeffpassword=a" }]);
  });

  it.each([
    ["bytes that are not UTF-8", "application/octet-stream", NOT_UTF8],
    ["bytes that are not UTF-8, of no type", undefined, NOT_UTF8],
    ["a picture", "image/jpeg", new Uint8Array([0xff, 0xd8, 0xff])],
    ["bytes with NUL among them", "application/octet-stream", new Uint8Array([0x61, 0, 0x62])],
  ])("stay base64: %s", (_name, content_type, payload) => {
    const [event] = envelope([file(payload, { content_type })]);
    const base64 = Buffer.from(payload).toString("base64");
    expect(getReport(event).attachments).toMatchObject([{ bytes: 3, base64 }]);
    expect(getReport(event).attachments?.[0]).not.toHaveProperty("text");
  });

  it("share the outcome of their event", () => {
    expect(envelope([file("x")])[1]).toEqual({ partOf: 0, item: "attachment" });
  });

  it("without name, type or contents are stored too", () => {
    const [event] = envelope([file("x"), file("")]);
    expect(getReport(event).attachments).toEqual([
      { name: "attachment", bytes: 1, text: "x" },
      { name: "attachment", bytes: 0, text: "" },
    ]);
  });

  it("that exceed the limit are stored with name and size only, and the report says so", () => {
    const large = new Uint8Array((limits.maxAttachmentsBytes / 4) * 3).fill(0xff);
    const [event] = envelope([file("first"), file(large, { filename: "dump" }), file("last")]);
    const report = getReport(event);
    expect(report.attachments?.map(({ text, base64 }) => text ?? base64?.length)).toEqual([
      "first",
      undefined,
      "last",
    ]);
    expect(report.attachments?.[1]).toEqual({
      name: "dump",
      bytes: large.length,
      notKept: "too-large",
    });
    expect(report.truncated).toEqual(["attachments"]);
  });

  it(`beyond ${limits.maxAttachments} are listed without contents, and count as dropped`, () => {
    const parsed = envelope(Array.from({ length: limits.maxAttachments + 2 }, () => file("x")));
    const { attachments = [], truncated } = getReport(parsed[0]);
    const other = { name: "attachment", bytes: 1, notKept: "over-count" };
    expect(attachments.filter(({ text }) => text === "x")).toHaveLength(limits.maxAttachments);
    expect(attachments.slice(limits.maxAttachments)).toEqual([other, other]);
    expect(truncated).toEqual(["attachments"]);
    expect(listOutcomes(parsed.slice(-2))).toEqual([
      "attachment → dropped over-count",
      "attachment → dropped over-count",
    ]);
  });

  it("never take more space than their limit", () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.string({ unit: "binary", maxLength: 500 }).map((text) => encoder.encode(text)),
      fc.integer({ min: 1, max: 200_000 }).map((length) => new Uint8Array(length).fill(1)),
    );
    const type = fc.constantFrom("text/x", "image/png", undefined);
    fc.assert(
      fc.property(
        fc.array(payload, { maxLength: limits.maxAttachments }),
        type,
        (payloads, content_type) => {
          const [event] = envelope(payloads.map((bytes) => file(bytes, { content_type })));
          const stored = getReport(event).attachments ?? [];
          const bytes = stored.map(({ text, base64 }) => JSON.stringify(text ?? base64 ?? ""));
          expect(encoder.encode(bytes.join("")).length).toBeLessThanOrEqual(
            limits.maxAttachmentsBytes + 2 * payloads.length,
          );
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("a crash report", () => {
  const dump = new Uint8Array([0x4d, 0x44, 0x4d, 0x50, 0x93, 0xa7]);
  const minidump = file(dump, { attachment_type: "event.minidump", filename: "a1b2.dmp" });
  const apple = file(NOT_UTF8, { attachment_type: "event.applecrashreport" });
  const stored = { name: "a1b2.dmp", type: "application/x-dmp", base64: "TURNUJOn" };

  it("names an event that has nothing else to say", () => {
    const event = getReport(envelope([minidump], '{"event_id":"x","platform":"native"}')[0]);
    expect(event).toMatchObject({ kind: "error", type: "Crash", message: "minidump" });
    expect(event.attachments).toMatchObject([stored]);
  });

  it("leaves an exception its own name", () => {
    const event = '{"exception":[{"type":"SIGSEGV","value":"at 0x0"}]}';
    expect(getReport(envelope([minidump], event)[0])).toMatchObject({ type: "SIGSEGV" });
  });

  it("is an event without one", () => {
    const id = "9f8e7d6c5b4a32100123456789abcdef";
    const head = encoder.encode(
      `{"event_id":"${id}"}\n{"type":"attachment","attachment_type":"event.minidump","length":6}\n`,
    );
    const parsed = parseSentryEnvelope(new Uint8Array(Buffer.concat([head, dump])));
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(getReport(parsed.value.items[0])).toMatchObject({
      id,
      type: "Crash",
      level: "fatal",
      platform: "native",
      attachments: [{ name: "minidump.dmp", bytes: 6 }],
    });
  });

  it("is kept before other attachments", () => {
    const large = new Uint8Array(limits.maxAttachmentsBytes / 2).fill(0xff);
    const files = [...Array.from({ length: 12 }, () => file(large)), minidump];
    expect(getReport(envelope(files)[0]).attachments?.at(-1)).toMatchObject(stored);
  });

  it("of Apple is text", () => {
    expect(getReport(envelope([apple])[0]).attachments).toMatchObject([{ text: "a\ufffdb" }]);
  });
});
