import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { parseMinidumpUpload, parseMultipart } from "#src/ingest/minidump/minidump-upload.ts";
import { type CutBodyFailure, parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { getReport } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const ID = "9f8e7d6c5b4a32100123456789abcdef";
const DUMP = new Uint8Array([0x4d, 0x44, 0x4d, 0x50, 0x93, 0xa7, 0x0d, 0x0a]);

type Field = readonly [name: string, content: string | Uint8Array, filename?: string];

/** A form as Crashpad writes it. */
function createForm(fields: readonly Field[], boundary = "---MultipartBoundary-a1B2---") {
  const parts = fields.flatMap(([name, content, filename]) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const type = filename === undefined ? "" : "\r\nContent-Type: application/octet-stream";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}`;
    return [`${head}\r\n\r\n`, content, "\r\n"];
  });
  return concatBytes(...parts, `--${boundary}--\r\n`);
}

const DUMP_FIELD: Field = ["upload_file_minidump", DUMP, "a1b2.dmp"];

function parse(fields: readonly Field[]) {
  return getReport(parseMinidumpUpload(createForm(fields))?.[0]);
}

describe("the upload of a minidump", () => {
  it("is an event with the dump as an attachment", () => {
    expect(parse([["prod", "Shop"], DUMP_FIELD])).toMatchObject({
      kind: "error",
      type: "Crash",
      message: "minidump",
      level: "fatal",
      platform: "native",
      detail: { extra: { prod: "Shop" } },
      attachments: [
        { name: "a1b2.dmp", bytes: DUMP.length, base64: Buffer.from(DUMP).toString("base64") },
      ],
    });
  });

  const event = JSON.stringify({ event_id: ID, release: "1.2", tags: { plan: "gold" } });
  const cut = 20;
  const events: readonly { name: string; fields: readonly Field[] }[] = [
    { name: "sentry", fields: [["sentry", event]] },
    {
      name: "sentry__1, sentry__2, in any order",
      fields: [
        ["sentry__2", event.slice(cut)],
        ["sentry__1", event.slice(0, cut)],
      ],
    },
    {
      name: "sentry[…]",
      fields: [
        ["sentry[release]", "1.2"],
        ["sentry[tags][plan]", "gold"],
        ["sentry[event_id]", ID],
      ],
    },
    {
      name: "MessagePack of the native SDK",
      fields: [
        [
          "__sentry-event",
          Buffer.from(
            `83a86576656e745f6964d920${Buffer.from(ID).toString("hex")}a772656c65617365a3312e32a474616773` +
              "81a4706c616ea4676f6c64",
            "hex",
          ),
          "__sentry-event",
        ],
      ],
    },
  ];
  it.each(events)("takes the event from $name", ({ fields }) => {
    const report = parse([...fields, DUMP_FIELD]);
    expect(report).toMatchObject({ id: ID, release: "1.2", tags: [["plan", "gold"]] });
    expect(report.attachments).toHaveLength(1);
  });

  it("takes breadcrumbs from the files of the native SDK", () => {
    const crumb = Buffer.from("81a76d657373616765a161", "hex");
    const list = Buffer.from("9181a76d657373616765a162", "hex");
    const report = parse([
      ["__sentry-breadcrumb1", crumb, "__sentry-breadcrumb1"],
      ["__sentry-breadcrumb2", list, "__sentry-breadcrumb2"],
      DUMP_FIELD,
    ]);
    expect(report.breadcrumbs).toEqual([{ message: "a" }, { message: "b" }]);
  });

  it("keeps the newest of 200,000 breadcrumbs", () => {
    const list = concatBytes(
      new Uint8Array([0xdd, 0x00, 0x03, 0x0d, 0x40]),
      new Uint8Array(200_000),
    );
    const crumb = Buffer.from("81a76d657373616765a161", "hex");
    const report = parse([
      ["__sentry-breadcrumb1", list, "__sentry-breadcrumb1"],
      ["__sentry-breadcrumb2", crumb, "__sentry-breadcrumb2"],
      DUMP_FIELD,
    ]);
    expect(report.breadcrumbs?.at(-1)).toEqual({ message: "a" });
  });

  it("keeps other files", () => {
    const { attachments } = parse([DUMP_FIELD, ["log", "line 1", "app.log"]]);
    expect(attachments).toMatchObject([{ name: "a1b2.dmp" }, { name: "app.log", text: "line 1" }]);
  });

  it("may be the bare dump", () => {
    const parsed = parseBody(toIngestBody(DUMP), { nowMs: NOW_MS });
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.value.format.name).toBe("minidump");
    expect(getReport(parsed.value.items[0]).attachments).toMatchObject([{ name: "minidump.dmp" }]);
  });

  it("that is too large is listed with its size", () => {
    const large = new Uint8Array(limits.maxAttachmentsBytes).fill(0xff);
    expect(parse([["upload_file_minidump", large, "a.dmp"]]).attachments).toEqual([
      {
        name: "a.dmp",
        type: "application/octet-stream",
        bytes: large.length,
        notKept: "too-large",
      },
    ]);
  });

  it("whose end was not read is an event too", () => {
    const cutBy: CutBodyFailure = { reason: "too-large", limit: "maxBodyBytes", max: 1 };
    const form = createForm([["sentry", event], DUMP_FIELD]);
    const parsed = parseBody(toIngestBody(form.subarray(0, form.length - 40), cutBy), {
      nowMs: NOW_MS,
    });
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(getReport(parsed.value.items[0])).toMatchObject({
      id: ID,
      truncated: ["attachments"],
      attachments: [{ name: "a1b2.dmp", notKept: "too-large" }],
    });
  });

  it("without a dump and an event is invalid", () => {
    expect(parseMinidumpUpload(createForm([]))?.[0]).toMatchObject({ outcome: "invalid" });
    expect(parseBody(toIngestBody(toBytes("--\nno form")), { nowMs: NOW_MS })).toMatchObject({
      ok: false,
      reason: "framing",
    });
  });

  it("cannot change prototypes", () => {
    parse([["sentry[__proto__][polluted]", "yes"], ["__proto__", "yes"], DUMP_FIELD]);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("a form", () => {
  it("of any parts has these parts", () => {
    const content = fc.uint8Array({ maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), content), { maxLength: 6 }), (fields) => {
        const form = createForm(fields.map(([name, bytes]) => [`f${name}`, bytes, "a"]));
        expect(parseMultipart(form)?.map((part) => [part.name, [...part.content]])).toEqual(
          fields.map(([name, bytes]) => [`f${name}`, [...bytes]]),
        );
      }),
    );
  });

  it("of any bytes never throws, and takes linear time", () => {
    const start = toBytes("--b\r\n");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => parseMinidumpUpload(concatBytes(start, bytes))).not.toThrow();
      }),
    );
    const repeated = toBytes(`--b\r\n${"\r\n--".repeat(1_000_000)}`);
    expect(parseMultipart(repeated)).toEqual([]);
  });
});
