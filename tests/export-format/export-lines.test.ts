import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { ActivityEntry } from "#src/core/issue/annotations.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import {
  type ExportLine,
  type ExportLineFailure,
  parseExportLine,
} from "#src/export-format/parse-line.ts";
import { listCaptures } from "#support/reports/captures.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";

const NO_EXTRA_SCRUBBING = { email: false, ip: false };
const encoder = new TextEncoder();

const readLine = (line: string, scrub = NO_EXTRA_SCRUBBING) =>
  parseExportLine(encoder.encode(line), scrub);
const read = (value: unknown) => readLine(JSON.stringify(value));
const getStoredLine = (exported: ReturnType<typeof readLine>) =>
  exported.ok && exported.value.kind === "stored" ? exported.value.line : undefined;

const summary = {
  id: toReportId(1),
  digest: "7F3K-Q2M9",
  isLinked: false,
  trust: "server",
  kind: "error",
  side: "server",
  atMs: 1_795_284_000_000,
  type: "TypeError",
  message: "the price of the cart is missing",
};
const rollup = {
  rollup: 1,
  summary,
  occurrences: 2,
  lastAtMs: summary.atMs + 5,
  ids: [toReportId(1), toReportId(2)],
};
const counters = {
  daily: 1,
  day: "2026-11-21",
  counters: [[["session", "web@2.0.0", "production", "crashed"], 3]],
  ids: [toReportId(7)],
};
const decision = { decision: 1, digest: "7F3K-Q2M9", v: 1, state: "muted", atMs: summary.atMs };
const activity = [
  { atMs: 1, by: "Ada", action: "commented", id: toReportId(1), text: "since Monday" },
  { atMs: 2, action: "assigned", to: "Ada" },
  { atMs: 3, action: "unassigned" },
  { atMs: 4, action: "opened" },
  { atMs: 5, action: "muted" },
  { atMs: 5, action: "ignored" },
  { atMs: 6, action: "resolved", release: "1.4.0" },
  { atMs: 7, action: "ignored", untilMs: 9, untilCount: 3 },
  { atMs: 8, action: "regressed" },
  { atMs: 9, action: "merged", from: "0000-0000" },
  { atMs: 9, action: "split", digest: "0000-0000" },
  { atMs: 10, action: "linked", label: "acme/shop#12", by: "Ada" },
  { atMs: 11, action: "unlinked", label: "acme/shop#12" },
] as const;
/** In the words of version 2. */
const upgraded = activity.map((entry): ActivityEntry => {
  if (entry.action === "muted") return { ...entry, action: "archived" };
  if (entry.action !== "ignored") return entry;
  return "untilMs" in entry ? { ...entry, action: "snoozed" } : { ...entry, action: "archived" };
});
const annotations = { annotations: 1, digest: "7F3K-Q2M9", v: 1, assignee: "Ada", activity };
const view = { view: 1, name: "Mine", query: "assigned:ada", sort: "count" };
const shop = { id: "a", kind: "github", url: "https://github.com/acme/shop" } as const;
const repositories = {
  ...{ repositorySettings: 1, v: 1, repositories: [shop] },
  rules: { text: "path:src/** -> Ada", savedMs: 1 },
  handles: [{ handle: "@ada", member: "Ada" }],
};
const file = { path: "CODEOWNERS", text: "* @ada", release: "1.4", atMs: 1 };
const codeOwners = { codeOwners: 1, v: 1, files: [file] };

describe("a line that Errata wrote", () => {
  it("of any captured report is stored unchanged", async () => {
    const log = createMemoryLog();
    const context = { ...createProcessingOptions(), writer: log };
    for (const { body, name } of listCaptures()) {
      if (name !== "reports.preflight.options") await ingestBytes(body, context);
    }
    expect(log.reports.size).toBeGreaterThan(30);
    for (const { retryId: _retry, ...report } of log.reports.values()) {
      const line = JSON.stringify(report);
      expect(getStoredLine(readLine(line))).toEqual({ line, ids: [report.id] });
    }
  });

  it.each([
    { name: "a rollup", line: rollup, stored: { ...rollup, ids: undefined }, ids: rollup.ids },
    {
      name: "a rollup with erased reports",
      line: {
        ...rollup,
        summary: { ...summary, id: toReportId(0), type: "", message: "" },
        ids: [toReportId(9)],
      },
      stored: {
        ...rollup,
        summary: { ...summary, id: toReportId(0), type: "", message: "" },
        ids: undefined,
      },
      ids: [toReportId(9)],
    },
    {
      name: "a counter line",
      line: counters,
      stored: { ...counters, ids: undefined },
      ids: counters.ids,
    },
  ])("$name is stored without its ids", ({ line, stored, ids }) => {
    expect(getStoredLine(read(line))).toEqual({ line: JSON.stringify(stored), ids });
  });

  it.each<{ name: string; line: object; exported: ExportLine }>([
    { name: "the header", line: { errata: 1, project: "1" }, exported: { kind: "header" } },
    {
      name: "the footer",
      line: { end: 1, lines: 12 },
      exported: { kind: "footer", lineCount: 12 },
    },
    {
      name: "the footer of an unfinished export",
      line: { next: "0.281999.2026112117", lines: 12 },
      exported: { kind: "footer", lineCount: 12 },
    },
    {
      name: "a decision",
      line: decision,
      exported: {
        kind: "decision",
        decision: {
          digest: "7F3K-Q2M9",
          decision: { v: 2, state: "archived", atMs: summary.atMs },
        },
      },
    },
    {
      name: "annotations",
      line: { ...annotations, splitOff: [{ into: "0000-0000", watermarks: { 0: 7 } }] },
      exported: {
        kind: "annotations",
        digest: annotations.digest,
        annotations: { v: 2, assignee: "Ada", activity: upgraded },
      },
    },
    {
      name: "a saved view",
      line: view,
      exported: { kind: "view", view: { name: "Mine", query: "assigned:ada", sort: "count" } },
    },
    {
      name: "repositories and rules, without addresses that are no repository",
      line: {
        ...repositories,
        repositories: [shop, { ...shop, url: "javascript:alert(1)" }, { ...shop, folder: "../.." }],
      },
      exported: {
        kind: "repositories",
        settings: {
          v: 1,
          repositories: [shop],
          rules: repositories.rules,
          handles: repositories.handles,
        },
      },
    },
    {
      name: "files CODEOWNERS",
      line: codeOwners,
      exported: { kind: "code-owners", codeOwners: { v: 1, files: [file] } },
    },
    {
      name: "a decision about a regressed issue",
      line: {
        ...decision,
        state: "open",
        regressedAtMs: 5,
        regressedInRelease: "b",
        resolvedInRelease: "a",
      },
      exported: {
        kind: "decision",
        decision: {
          digest: "7F3K-Q2M9",
          decision: {
            ...{ v: 2, state: "open", atMs: summary.atMs },
            ...{ regressedAtMs: 5, regressedInRelease: "b", resolvedInRelease: "a" },
          },
        },
      },
    },
  ])("$name is parsed to its contents", ({ line, exported }) => {
    expect(read(line)).toEqual({ ok: true, value: exported });
  });
});

describe("an edited line", () => {
  const storedReport = (over: object, scrub = NO_EXTRA_SCRUBBING): Report => {
    const { line = "null" } =
      getStoredLine(readLine(JSON.stringify({ ...createReport(1), ...over }), scrub)) ?? {};
    return JSON.parse(line) as Report;
  };

  it("loses unknown members at every depth", () => {
    const frame = { inApp: true, evil: 1 };
    const stored = storedReport({ evil: 1, retryId: toReportId(2), frames: [frame] });
    expect(stored).toEqual({ ...createReport(1), frames: [{ inApp: true }] });
    const proto = JSON.stringify(createReport(1)).replace("{", '{"__proto__":{"isLinked":true},');
    expect(getStoredLine(readLine(proto))?.line).toBe(JSON.stringify(createReport(1)));
  });

  it("is truncated to the limits of a report", () => {
    const long = "a".repeat(100_000);
    const frames = Array.from({ length: 150 }, () => ({
      inApp: false,
      source: long.slice(0, 9_000),
    }));
    const breadcrumbs = Array.from({ length: 200 }, () => ({ message: "m" }));
    const stored = storedReport({
      message: long,
      frames,
      breadcrumbs,
      aliases: ["a b", "x"],
    });
    expect(stored.message.length).toBe(4 * limits.maxMessageChars);
    expect(stored.frames.length).toBeLessThanOrEqual(limits.maxFrames);
    expect(stored.aliases).toEqual(["x"]);
    expect(JSON.stringify(stored).length).toBeLessThanOrEqual(limits.maxReportBytes);
  });

  it("is scrubbed again, with the project's own settings", () => {
    const message = "for ada@example.org: password=hunter2hunter2";
    const scrubbed = storedReport({ message, scrubbedCount: 1 }, { email: true, ip: false });
    expect(scrubbed.message).not.toMatch(/hunter2|ada@/);
    expect(scrubbed.scrubbedCount).toBe(3);
    const stored = getStoredLine(read({ ...rollup, summary: { ...summary, message } }))?.line;
    expect(stored).not.toContain("hunter2");
    expect(stored).toContain("ada@example.org");
  });
});

const REFUSED: readonly (readonly [string, string, unknown, Partial<ExportLineFailure>])[] = [
  ["no JSON", "{", undefined, { expected: "a line of an export" }],
  ["null as a line", "null", undefined, { expected: "a line of an export" }],
  ["a list", "[]", undefined, { expected: "a line of an export" }],
  ["an unknown object", '{"gone":1}', undefined, { expected: "a line of an export" }],
  ["a report of version 2", "", { ...createReport(1), v: 2 }, { expected: "a line of an export" }],
  ["an export of version 2", "", { errata: 2 }, { expected: "a line of an export" }],
  ["an id with dashes", "", { ...createReport(1), id: `${toReportId(1)}-` }, { path: "id" }],
  ["the id of zeros", "", { ...createReport(1), id: toReportId(0) }, { path: "id" }],
  ["a misread digest", "", { ...createReport(1), digest: "7F3K-Q2N9" }, { path: "digest" }],
  ["an unknown kind", "", { ...createReport(1), kind: "crash" }, { path: "kind" }],
  ["an inherited kind", "", { ...createReport(1), kind: "toString" }, { path: "kind" }],
  ["an unknown side", "", { ...createReport(1), side: "edge" }, { path: "side" }],
  ["an unknown format", "", { ...createReport(1), format: "xml" }, { path: "format" }],
  [
    "no message",
    "",
    { ...createReport(1), message: undefined },
    { path: "message", expected: "a value" },
  ],
  ["null", "", { ...createReport(1), release: null }, { path: "release", expected: "text" }],
  ["a time as text", "", { ...createReport(1), occurredAtMs: "1" }, { path: "occurredAtMs" }],
  ["a time before 1970", "", { ...createReport(1), receivedAtMs: -1 }, { path: "receivedAtMs" }],
  ["a time after 9999", "", { ...createReport(1), occurredAtMs: 1e15 }, { path: "occurredAtMs" }],
  ["frames that are not a list", "", { ...createReport(1), frames: {} }, { path: "frames" }],
  [
    "a frame's line",
    "",
    { ...createReport(1), frames: [{ inApp: true, line: "1" }] },
    { path: "frames[0].line" },
  ],
  [
    "headers",
    "",
    { ...createReport(1), request: { headers: [["a"]] } },
    { path: "request.headers[0]" },
  ],
  [
    "files",
    "",
    { ...createReport(1), attachments: [{ name: "a", bytes: 1, base64: "!" }] },
    { path: "attachments[0].base64" },
  ],
  ["a user sketch", "", { ...createReport(1), userSketch: "ada!" }, { path: "userSketch" }],
  ["a rule of noise", "", { ...createReport(1), noise: "mine" }, { path: "noise" }],
  ["a rollup of nothing", "", { ...rollup, occurrences: 0 }, { path: "occurrences" }],
  ["a rollup of a fraction", "", { ...rollup, occurrences: 1.5 }, { path: "occurrences" }],
  ["a rollup with fewer ids", "", { ...rollup, occurrences: 3 }, { path: "ids" }],
  ["a rollup without ids", "", { ...rollup, ids: [] }, { path: "ids" }],
  ["a rollup with no ids at all", "", { ...rollup, ids: undefined }, { path: "ids" }],
  ["a rollup with a bad id", "", { ...rollup, ids: [toReportId(1), "x"] }, { path: "ids[1]" }],
  ["a rollup that ends before it starts", "", { ...rollup, lastAtMs: 1 }, { path: "lastAtMs" }],
  [
    "a rollup with a bad summary",
    "",
    { ...rollup, summary: { ...summary, isLinked: 1 } },
    { path: "summary.isLinked" },
  ],
  ["counters of an invalid day", "", { ...counters, day: "2026-02-30" }, { path: "day" }],
  [
    "counters with an unknown name",
    "",
    { ...counters, counters: [[["paid", "x"], 1]] },
    { path: "counters[0]" },
  ],
  [
    "counters with a short name",
    "",
    { ...counters, counters: [[["session"], 1]] },
    { path: "counters[0]" },
  ],
  [
    "counters without a count",
    "",
    { ...counters, counters: [[["counted", "x"]]] },
    { path: "counters[0]" },
  ],
  [
    "negative counters",
    "",
    { ...counters, counters: [[["counted", "x"], -1]] },
    { path: "counters[0][1]" },
  ],
  ["counters without an id", "", { ...counters, ids: [] }, { path: "ids" }],
  ["annotations without an issue", "", { ...annotations, digest: "x" }, { path: "digest" }],
  [
    "an unknown action",
    "",
    { ...annotations, activity: [{ atMs: 1, action: "toString" }] },
    { path: "activity[0].action" },
  ],
  [
    "a comment without its text",
    "",
    { ...annotations, activity: [{ ...activity[0], text: 1 }] },
    { path: "activity[0].text" },
  ],
  ["an unknown sort", "", { ...view, sort: "size" }, { path: "sort" }],
  [
    "a repository of an unknown service",
    "",
    { ...repositories, repositories: [{ ...shop, kind: "cvs" }] },
    { path: "repositories[0].kind" },
  ],
  ["CODEOWNERS of version 2", "", { ...codeOwners, v: 2 }, { path: "v" }],
  ["a decision without an issue", "", { ...decision, digest: "x" }, { path: "digest" }],
  ["a decision of version 3", "", { ...decision, v: 3 }, { path: "v" }],
  ["a former state in version 2", "", { ...decision, v: 2 }, { path: "state" }],
  ["an unknown state", "", { ...decision, state: "closed" }, { path: "state" }],
  ["a negative number of lines", "", { end: 1, lines: -1 }, { path: "lines" }],
];

it.each(REFUSED)("rejects %s with its path", (_, line, value, failure) => {
  const refused = value === undefined ? readLine(line) : read(value);
  expect(refused).toMatchObject({ ok: false, reason: "not-an-export", ...failure });
});

it("rejects a line that is too long, as sent or as stored", () => {
  const report = createReport(1, { attachments: [{ name: "log.txt", bytes: 1, text: "@" }] });
  const [before, after] = JSON.stringify(report)
    .split("@")
    .map((part) => encoder.encode(part));
  const withFile = (byte: number, bytes: number) =>
    new Uint8Array([...(before ?? []), ...new Uint8Array(bytes).fill(byte), ...(after ?? [])]);
  const max = limits.maxExportedLineBytes;
  const tooLong = { ok: false, reason: "too-large", expected: "at most 1800000 bytes long" };
  expect(parseExportLine(withFile(0x61, max - 1_000), NO_EXTRA_SCRUBBING).ok).toBe(true);
  expect(parseExportLine(withFile(0x61, max), NO_EXTRA_SCRUBBING)).toMatchObject(tooLong);
  // Invalid UTF-8 is stored as U+FFFD, which takes three bytes.
  expect(parseExportLine(withFile(0xff, max / 2), NO_EXTRA_SCRUBBING)).toMatchObject(tooLong);
});

const word = fc.stringMatching(/^[a-z .]{0,24}$/);
const atMs = fc.integer({ min: 0, max: 4_000_000_000_000 });
const id = fc
  .bigInt({ min: 1n, max: 2n ** 128n - 1n })
  .map((n) => n.toString(16).padStart(32, "0"));
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(digestFromHash);
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 });
const pairs = some(fc.tuple(word, word));
const partly = <T extends object>(
  needed: (keyof T)[],
  members: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => fc.record(members, { requiredKeys: needed as never[], noNullPrototype: true });
const frames = some(
  partly(["inApp"], {
    ...{ inApp: fc.boolean(), function: word, file: word, line: fc.nat(), column: fc.nat() },
    ...{ source: word, sourceBefore: some(word), sourceAfter: some(word) },
  }),
);
const kind = fc.constantFrom("error", "message", "csp", "browser", "network", "notice", "feedback");
const side = fc.constantFrom("server", "browser");
const userSketch = fc.stringMatching(/^[0-9a-f]{2}[0-9a-z]$/);
const noise = fc.constantFrom("extension", "injected", "translated");
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.integer({ max: 1_000_000, min: -1_000_000 }),
    word,
    some(tie("value")),
    fc.dictionary(fc.stringMatching(/^f[a-z]{1,8}$/), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;

const reports = partly(
  [
    "v",
    "id",
    "digest",
    "isLinked",
    "kind",
    "side",
    "format",
    "type",
    "message",
    "frames",
    "occurredAtMs",
    "receivedAtMs",
    "scrubbedCount",
    "trust",
  ],
  {
    trust: fc.constantFrom("server", "page", "public"),
    ...{ v: fc.constant(1), id, digest, isLinked: fc.boolean(), kind, side, noise, userSketch },
    format: fc.constantFrom(
      "render",
      "reporter",
      "sentry",
      "next",
      "reporting-api",
      "csp-report",
      "otlp",
      "tail",
    ),
    ...{
      type: word,
      message: word,
      frames,
      occurredAtMs: atMs,
      receivedAtMs: atMs,
      scrubbedCount: fc.nat(),
    },
    ...{ level: word, stack: word, componentStack: word, release: word, environment: word },
    ...{
      traceId: word,
      pageTraceId: word,
      rayId: word,
      blockedUri: word,
      truncated: some(word),
      tags: pairs,
    },
    ...{ detail: json, fingerprint: some(word) },
    causes: some(partly(["type", "message", "frames"], { type: word, message: word, frames })),
    request: partly([], { method: word, url: word, route: word, headers: pairs, userAgent: word }),
    response: partly(["status", "isSilent200"], { status: fc.nat(), isSilent200: fc.boolean() }),
    breadcrumbs: some(partly(["message"], { atMs, category: word, level: word, message: word })),
    aliases: some(fc.stringMatching(/^[a-z]{3,9}[0-9]{3}$/)),
    attachments: some(
      partly(["name", "bytes"], {
        name: word,
        type: word,
        bytes: fc.nat(),
        text: word,
        base64: fc.base64String({ maxLength: 40 }),
      }),
    ),
  },
);

it("any valid report results in the same line", () => {
  fc.assert(
    fc.property(reports, (report) => {
      const line = JSON.stringify(report);
      expect(getStoredLine(readLine(line))).toEqual({ line, ids: [report.id] });
    }),
  );
});

it("never throws, whatever the bytes or the JSON", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.jsonValue().map((value) => encoder.encode(JSON.stringify(value))),
      ),
      (bytes) => {
        parseExportLine(bytes, NO_EXTRA_SCRUBBING);
      },
    ),
  );
});

it("stores a line that parses to itself, and nothing unchecked", () => {
  const lines: fc.Arbitrary<object> = fc.oneof(
    reports,
    fc.constantFrom<object>(rollup, counters, decision, annotations, view, repositories),
  );
  const edited = fc
    .tuple(lines, fc.nat(), fc.jsonValue())
    .map(([line, at, value]) => replaceMember(line, at, value));
  fc.assert(
    fc.property(edited, (line) => {
      const stored = getStoredLine(read(line));
      if (stored === undefined) return;
      const again = {
        ...(JSON.parse(stored.line) as object),
        ...("ids" in line && { ids: stored.ids }),
      };
      expect(getStoredLine(read(again))).toEqual(stored);
    }),
    { numRuns: 1_000 },
  );
});

/** The value with one nested member replaceMember. */
function replaceMember(value: unknown, at: number, by: unknown): object {
  const left = { at };
  const walk = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return left.at-- === 0 ? by : inner;
    if (Array.isArray(inner)) return inner.map(walk);
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, walk(member)]));
  };
  const members = JSON.stringify(value).split(/[,:[{]/).length;
  left.at = at % members;
  return walk(value) as object;
}
