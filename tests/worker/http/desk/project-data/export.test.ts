import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { createApp } from "../../../../../src/app.ts";
import type { Issue } from "../../../../../src/core/issue/issue.ts";
import { limits } from "../../../../../src/core/limits.ts";
import type {
  ExportOptions,
  ImportLine,
  ProjectAdmin,
  ProjectStore,
} from "../../../../../src/core/ports/storage-ports.ts";
import type { ReportSummary } from "../../../../../src/core/report/report-summary.ts";
import { ok } from "../../../../../src/core/result.ts";
import type { DailyCounter } from "../../../../../src/core/stats/counters.ts";
import { toUtcDay } from "../../../../../src/core/utc-time.ts";
import type { Services } from "../../../../../src/http/context.ts";
import { createProjectAdmin } from "../../../../../src/store/client/project-admin.ts";
import { createProjectStore } from "../../../../../src/store/client/project-store.ts";
import { createReportWriter } from "../../../../../src/store/client/report-writer.ts";
import { putChunk } from "../../../../../src/store/kv/chunk-store.ts";
import { chunkKey } from "../../../../../src/store/kv/keys.ts";
import { ChunkCatalog } from "../../../../../src/store/log/catalog/chunk-catalog.ts";
import type { ReportLog } from "../../../../../src/store/log/report-log.ts";
import { createTestServices, visit } from "../../../../support/http/visit.ts";
import { createReport, toReportId } from "../../../../support/reports/reports.ts";
import { emptyStore } from "../../../../support/store/empty-store.ts";
import {
  admin,
  bindings,
  getIndex,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "../../../../support/store/store.ts";

/** Another, empty project with two shards. */
const otherSettings = { project: "2", shards: 2, nowMs: () => NOW_MS, drainSpool: async () => 0 };
const otherDesk = createProjectStore(bindings, otherSettings);
const otherLog = createReportWriter(bindings, otherSettings);
const otherAdmin = createProjectAdmin(bindings, otherSettings);

afterEach(async () => {
  // A pending snapshot write would be recorded in the next test.
  for (const shard of ["1/0", "2/0", "2/1"]) {
    await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
  }
  await bindings.PROJECT_INDEX.getByName("2").waitForSnapshots();
  await emptyStore();
});

const STORM = "7F3K-Q2M9";
const DIGESTS = [STORM, "0000-0000", "0000-008Q", "0000-00G1", "0000-00RP"] as const;
const FILE = { name: "screen.png", type: "image/png", bytes: 3, base64: "AQID" };

/**
 * A storm, sessions, a browser report linked to an issue, feedback, and decisions; some reports are
 * uploaded to KV.
 */
async function fillProject() {
  const storm = Array.from({ length: 60 }, (_, n) => createReport(n + 1, { userSketch: "a71" }));
  await log.append(storm, [[["session", "server", "web@2.0.0", "production", "crashed"], 3]]);
  await log.append([createReport(100, { digest: "0000-0000", aliases: ["2338823894"] })]);
  await uploadChunk();
  await log.append([
    createReport(101, { digest: "0000-00G1", aliases: ["2338823894"], side: "browser" }),
    createReport(102, { digest: "0000-008Q", release: "1.4.0", message: "naïve — \u2028 text" }),
    createReport(104, {
      digest: STORM,
      isLinked: true,
      kind: "feedback",
      attachments: [FILE],
      detail: { name: "Ada", contact_email: "ada@example.com" },
    }),
    createReport(105, { digest: "0000-00RP", message: "to be erased" }),
    createReport(106, { digest: "0000-00RP", occurredAtMs: Date.now() + 60_000 }),
  ]);
  await projectStore.decide("0000-008Q", { state: "resolved", release: "1.4.0" });
  await log.append([
    createReport(103, { digest: "0000-008Q", release: "1.5.0", occurredAtMs: Date.now() + 60_000 }),
  ]);
  await projectStore.decide(STORM, { state: "muted" });
  await projectStore.decide("0000-0000", { state: "ignored", forCount: 1 });
  // Reports received before the decision do not regress the issue, whatever the sender's clock.
  await projectStore.decide("0000-00RP", { state: "resolved" });
  await getIndex().eraseReport(toReportId(105));
  await projectStore.annotate(STORM, {
    change: "comment",
    id: toReportId(7),
    text: "since Monday",
  });
  await projectStore.annotate(STORM, { change: "assign", to: "Ada" });
  await projectStore.annotate("0000-008Q", { change: "merge", from: ["0000-00RP"] });
  await projectStore.saveView("Mine", { query: "assigned:ada", sort: "count" });
}

/** The contents of a project without log positions and times of reading. */
async function readContents(project: ProjectStore) {
  const issues = await Promise.all(DIGESTS.map((digest) => project.getFreshIssue(digest)));
  const bodies = issues
    .flatMap((issue) => issue?.latestReports ?? [])
    .map((it) => project.readReport(it));
  return {
    issues: issues.map((issue) => issue && omitPositions(issue)),
    bodies: await Promise.all(bodies),
    linkedDigests: await project.findIssuesByAlias("2338823894"),
    annotations: await Promise.all(DIGESTS.map((digest) => project.getAnnotations(digest))),
    views: await project.listViews(),
    found: [...(await project.searchIssues("price cart missing"))].sort(),
    counters: countByName(await project.listCounters(7)),
  };
}

/** Summed over all days. Erased reports count as reports without a body. */
function countByName(counters: readonly DailyCounter[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, count } of counters) {
    const outcome = name
      .join(" ")
      .replace(/^(accepted|counted)/, "taken")
      .trim();
    counts[outcome] = (counts[outcome] ?? 0) + count;
  }
  return counts;
}

function omitPositions({ asOfMs: _asOf, watermarks: _upTo, latestReports, ...issue }: Issue) {
  return {
    ...issue,
    latest: latestReports.map(({ position: _position, ...mark }: ReportSummary) => mark),
  };
}

const encoder = new TextEncoder();
const readExport = async (path = "/export") => (await visit(path)).body;

/** The text of an export, or of one part of it. */
async function readAll(project: ProjectAdmin, options: ExportOptions = {}): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of project.readExport(options)) {
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

/** All parts of an export. By default, each has two calls to shards that read one chunk. */
async function readParts(
  options: ExportOptions = {},
  limits: { readonly calls?: number; readonly bytes?: number } = {},
): Promise<readonly string[]> {
  const parts: string[] = [];
  const exportLimits = { calls: 2, chunksPerCall: 1, bytes: 1_000_000, ...limits };
  const project = createProjectAdmin(bindings, { ...otherSettings, exportLimits });
  for (let cursor: string | undefined; parts.length < 100; ) {
    const part = await readAll(project, { ...options, ...(cursor !== undefined && { cursor }) });
    parts.push(part);
    cursor = JSON.parse(splitLines(part).at(-1) ?? "").next;
    if (cursor === undefined) return parts;
  }
  return expect.fail("the export does not end");
}
const send = async (
  body: BodyInit,
  headers: Record<string, string> = {},
  services: Partial<Services> = { projectAdmin: otherAdmin },
) => {
  // The registry knows one project: to it, the other's export is its own.
  const visited = await visit("/import?own=1", { method: "POST", body, headers, services });
  return { status: visited.response.status, ...(JSON.parse(visited.body) as object) };
};
const splitLines = (text: string) => text.split("\n").filter((line) => line !== "");

describe("an export", () => {
  it("is NDJSON with a header and a footer line, and a file name with the date", async () => {
    await fillProject();
    const { response, body } = await visit("/export");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="errata-1-2026-11-21.ndjson"',
    );
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const lines = splitLines(body).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ errata: 1, project: "1" });
    expect(lines.at(-1)).toEqual({ end: 1, lines: lines.length - 2 });
    expect(body.endsWith("\n")).toBe(true);
    const ids = lines.flatMap((line) =>
      line.v === 1 && "id" in line ? line.id : (line.ids ?? []),
    );
    for (const n of [1, 60, 100, 101, 106]) expect(ids).toContain(toReportId(n));
    expect(body).not.toContain("to be erased");
  });

  it("of one day contains the reports received on that day only", async () => {
    await log.append([createReport(1), createReport(2)]);
    await uploadChunk();
    await log.append([createReport(3)]);
    const days = [toUtcDay(Date.now() - 86_400_000), toUtcDay(Date.now())];
    const perDay = await Promise.all(days.map((day) => readExport(`/export?day=${day}`)));
    // The day may have changed since.
    expect(perDay.map((text) => splitLines(text).length - 2).reduce((a, b) => a + b)).toBe(3);
    expect(splitLines(await readExport("/export?day=2026-01-01"))).toHaveLength(2);
    expect(
      (await visit("/export?day=2026-01-01")).response.headers.get("content-disposition"),
    ).toBe('attachment; filename="errata-1-day-2026-01-01.ndjson"');
  });

  it.each(["yesterday", "2026-02-30", "", "2026-11-21T00"])(
    "of the day %j is refused",
    async (day) => {
      const { response, body } = await visit(`/export?day=${day}`);
      expect(response.status).toBe(400);
      expect(JSON.parse(body)).toEqual({
        reason: "bad-day",
        detail: "Expected day to be a UTC day, such as 2026-11-21.",
      });
    },
  );

  it("contains the reports that were waiting in the spool", async () => {
    const adminWithSpool = createProjectAdmin(bindings, {
      ...otherSettings,
      drainSpool: async () => {
        await otherLog.append([createReport(1)]);
        return 0;
      },
    });
    expect(splitLines(await readAll(adminWithSpool))).toContain(JSON.stringify(createReport(1)));
  });

  it("and an import are closed to the internet without sign-in, and to other sites", async () => {
    const fromInternet = { origin: "https://errata.example" };
    expect((await visit("/export", fromInternet)).response.status).toBe(503);
    expect(
      (await visit("/import", { ...fromInternet, method: "POST", body: "" })).response.status,
    ).toBe(503);
    expect(await send('{"errata":1}', { "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
      reason: "cross-site",
    });
  });

  it("is refused if the store is unavailable, and ends without a footer if the store fails later", async () => {
    const createFailingAdmin = (after: number): ProjectAdmin => ({
      ...admin,
      async *readExport() {
        for (let n = 0; n < after; n++) yield encoder.encode(`{"n":${n}}\n`);
        throw new Error("unavailable");
      },
    });
    const { response } = await visit("/export", {
      services: { projectAdmin: createFailingAdmin(1) },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    const truncated = await requestExport(createFailingAdmin(50_000));
    expect(truncated.status).toBe(200);
    await expect(truncated.text()).rejects.toThrow();
  });
});

function toStream(chunks: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** The response with an unread body. */
async function requestExport(project: ProjectAdmin): Promise<Response> {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const app = createApp(() => ok({ ...createTestServices(ctx), projectAdmin: project }));
  return app.fetch(new Request("http://localhost:8787/export"), bindings, ctx as never);
}

it("an export of 20,000 reports is generated as fast as the client reads, and ends with the client", async () => {
  const stack = "at priceOf (cart.tsx:12:7)\n".repeat(100);
  const line = encoder.encode(`${JSON.stringify(createReport(1, { stack }))}\n`);
  const progress = { pulled: 0, ended: false };
  const response = await requestExport({
    ...admin,
    async *readExport() {
      try {
        for (; progress.pulled < 20_000; progress.pulled++) yield line;
      } finally {
        progress.ended = true;
      }
    },
  });
  // The status is sent after the first read of the store.
  expect(progress.pulled).toBeLessThanOrEqual(2);
  const reader = response.body?.getReader();
  let readBytes = 0;
  for (let piece = 1; piece <= 100; piece++) {
    readBytes += (await reader?.read())?.value?.length ?? 0;
    expect(progress.pulled - Math.floor(readBytes / line.length)).toBeLessThanOrEqual(2);
  }
  expect(progress.pulled).toBeLessThan(5_000);
  await reader?.cancel();
  expect(progress.ended).toBe(true);
});

describe("an export in parts", () => {
  /** Uploads a chunk of each shard of the other project, twice, and leaves reports in the log. */
  async function fillOther(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const reports = Array.from({ length: 8 }, (_, n) =>
        createReport(round * 100 + n + 1, {
          // The first digits select the shard.
          id: toReportId(round * 100 + n + 1).replace(/^0{8}/, `0000000${n}`),
        }),
      );
      await otherLog.append(reports, [[["session", "server", "web@2.0.0", "", "started"], 1]]);
      if (round === 2) break;
      for (const shard of ["2/0", "2/1"]) {
        await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
      }
    }
  }

  it("has each line once; its parts can be imported in any order and repeatedly", async () => {
    await fillOther();
    const parts = await readParts();
    expect(parts.length).toBeGreaterThan(2);
    const isData = (line: string) => !/^\{"(errata|end|next)":/.test(line);
    const lines = parts.flatMap((part) => splitLines(part).filter(isData));
    const whole = splitLines(await readAll(otherAdmin)).filter(isData);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.toSorted()).toEqual(whole.toSorted());
    expect(lines.filter((line) => line.startsWith('{"v":1'))).toHaveLength(24);
    const third = createProjectAdmin(bindings, { ...otherSettings, project: "3" });
    const results = [];
    for (const part of [...parts.toReversed(), parts[1] ?? ""]) {
      results.push(await send(part, {}, { projectAdmin: third }));
    }
    for (const result of results) expect(result).toMatchObject({ status: 200, isComplete: true });
    expect(results.at(-1)).toMatchObject({ restoredCount: 0 });
    const thirdDesk = createProjectStore(bindings, { ...otherSettings, project: "3" });
    expect((await thirdDesk.getFreshIssue(STORM))?.count).toBe(24);
    const started = (await thirdDesk.listCounters(7)).filter(({ name }) => name[0] === "session");
    expect(started.map(({ count }) => count)).toEqual([3]);
    await bindings.PROJECT_INDEX.getByName("3").waitForSnapshots();
  });

  it("ends a part after a number of bytes, and loses no line", async () => {
    await fillOther();
    const listReports = (parts: readonly string[]) =>
      parts
        .flatMap(splitLines)
        .filter((line) => line.startsWith('{"v":1'))
        .toSorted();
    const one = await readParts({}, { calls: 100 });
    const parts = await readParts({}, { calls: 100, bytes: 1 });
    expect(one).toHaveLength(1);
    expect(parts.length).toBeGreaterThan(2);
    expect(listReports(parts)).toEqual(listReports(one));
  });

  it("continues with the day and the cursor of the first part, and refuses other cursors", async () => {
    await fillOther();
    const day = toUtcDay(Date.now());
    const parts = await readParts({ day });
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every((part) => part.startsWith(`{"errata":1,"project":"2","exportedAt":`))).toBe(
      true,
    );
    expect(await readParts({ day: "2026-01-01" })).toHaveLength(1);
    for (const cursor of ["x", "0", "0.1", "0.1.x", "0.1.2;", `${"0.1.2,".repeat(400)}0.1.2`]) {
      const { response } = await visit(`/export?cursor=${encodeURIComponent(cursor)}`);
      expect(response.status, cursor).toBe(400);
    }
    expect((await visit("/export?cursor=")).response.status).toBe(200);
    expect((await visit("/export?cursor=0.999999999999.2026112117")).response.status).toBe(200);
  });

  it("reads 1,100 chunks with few calls to the shard, of at most 200 chunks each", async () => {
    const chunks = 1_100;
    const object = bindings.REPORT_LOG.getByName("2/0");
    const oneShard = { ...otherSettings, shards: 1 };
    await createReportWriter(bindings, oneShard).append([createReport(0)]);
    const hour = "2026112117";
    await runInDurableObject(object, async (_: ReportLog, { storage }) => {
      const catalog = new ChunkCatalog(storage, "0");
      const expiresAtMs = Date.now() + 86_400_000;
      const times = { uploadedMs: Date.now() - 7_200_000, expiresAtMs };
      for (let chunk = 1; chunk <= chunks; chunk++) {
        const lines = [JSON.stringify(createReport(chunk))];
        await putChunk(
          bindings.KV,
          chunkKey("2", { hour, shard: "0", chunk }),
          { lines, extraIds: [] },
          { expirationTtl: 86_400 },
        );
        catalog.add({ chunk, hour, ids: [toReportId(chunk)], ...times });
        if (catalog.hasManyRecent) catalog.mergeRecent();
      }
    });
    await abortAllDurableObjects();
    const calls: number[] = [];
    for (let after = 0; ; ) {
      const part = await bindings.REPORT_LOG.getByName("2/0").exportChunks({
        after,
        maxChunks: 200,
      });
      calls.push(splitLines(await new Response(part.bytes).text()).length);
      after = part.lastChunk;
      if (part.nextHour === null) break;
    }
    expect(calls).toEqual([200, 200, 200, 200, 200, 101]);
    const lines = splitLines(await readAll(createProjectAdmin(bindings, oneShard)));
    expect(lines.at(-1)).toBe(JSON.stringify({ end: 1, lines: chunks + 1 }));
    const ids = new Set(lines.slice(1, -1).map((line) => JSON.parse(line).id));
    expect(ids.size).toBe(chunks + 1);
  }, 60_000);
});

describe("an import", () => {
  it("of a complete export makes the other project equal", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const text = await readExport();
    const lines = splitLines(text).length - 2;
    expect(await send(text)).toEqual({
      ...{
        status: 200,
        lineCount: lines,
        restoredCount: lines - 8,
        duplicateCount: 0,
        decisionCount: 3,
        annotationCount: 5,
        isComplete: true,
      },
    });
    expect(await readContents(otherDesk)).toEqual(before);
    expect(before.issues.map((issue) => [issue?.state, issue?.count, issue?.linkedCount])).toEqual([
      ["muted", 60, 1],
      ["ignored", 1, 1],
      ["open", 4, 0],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(before.bodies).toContainEqual(expect.objectContaining({ attachments: [FILE] }));
    const { latestReports = [] } = (await otherDesk.getFreshIssue(STORM)) ?? {};
    expect(latestReports.flatMap(({ author }) => author ?? [])).toEqual(["Ada"]);
    for (const n of [1, 20, 21, 60, 100, 101, 102, 103, 104, 106]) {
      const [here, now] = await Promise.all(
        [projectStore, otherDesk].map((it) => it.locateReport(toReportId(n))),
      );
      expect(now?.digest, `${n}`).toBe(here?.digest);
      expect(now, `${n}`).not.toBeNull();
    }
    const again = await otherLog.append([createReport(1), createReport(55), createReport(106)]);
    expect(again.map(({ isDuplicate }) => isDuplicate)).toEqual([true, true, true]);
  });

  it("can be exported from its uploaded chunks and imported again with the same result", async () => {
    await fillProject();
    await send(await readExport());
    for (const shard of ["2/0", "2/1"]) {
      await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
    }
    const text = await readAll(otherAdmin);
    const third = { ...otherSettings, project: "3" };
    const result = await send(text, {}, { projectAdmin: createProjectAdmin(bindings, third) });
    expect(result).toMatchObject({
      status: 200,
      duplicateCount: 0,
      decisionCount: 3,
      annotationCount: 5,
      isComplete: true,
    });
    expect(await readContents(createProjectStore(bindings, third))).toEqual(
      await readContents(otherDesk),
    );
    await bindings.PROJECT_INDEX.getByName("3").waitForSnapshots();
  });

  it("repeated, or of two concatenated exports, counts nothing twice", async () => {
    await fillProject();
    const text = await readExport();
    await send(text);
    const before = await readContents(otherDesk);
    const lines = splitLines(text).length - 2;
    await abortAllDurableObjects();
    expect(await send(text + text)).toEqual({
      ...{
        status: 200,
        lineCount: 2 * lines,
        restoredCount: 0,
        duplicateCount: 2 * (lines - 8),
        decisionCount: 6,
      },
      ...{ annotationCount: 10, isComplete: true },
    });
    expect(await readContents(otherDesk)).toEqual(before);
  });

  it("of a file that repeats a line counts the line once", async () => {
    const line = JSON.stringify(createReport(1));
    expect(await send(`${line}\n${line}\n`)).toMatchObject({
      lineCount: 2,
      restoredCount: 1,
      duplicateCount: 1,
    });
    expect(await otherDesk.getFreshIssue(STORM)).toMatchObject({ count: 1 });
  });

  it("of part of an export is reported as incomplete; all parts together are equal to the original", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const lines = splitLines(await readExport());
    const half = Math.floor(lines.length / 2);
    const pieces = [lines.slice(0, half), lines.slice(half)].map((piece) => piece.join("\n"));
    const [first = "", second = ""] = pieces;
    expect(await send(first)).toMatchObject({
      lineCount: half - 1,
      duplicateCount: 0,
      isComplete: false,
    });
    const cutLine = `${first}\n${second.slice(0, 40)}`;
    expect(await send(cutLine)).toMatchObject({ status: 400, reason: "bad-line" });
    expect(await send(second)).toMatchObject({ duplicateCount: 0, isComplete: false });
    expect(await readContents(otherDesk)).toEqual(before);
    expect(await send(lines.join("\n"))).toMatchObject({ restoredCount: 0, isComplete: true });
    expect(await readContents(otherDesk)).toEqual(before);
  });

  it("restores erased data", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const text = await readExport();
    await admin.eraseProject();
    for (let round = 0; (await getIndex().getHealth()).work !== undefined && round < 5; round++) {
      await runDurableObjectAlarm(getIndex());
    }
    expect(await projectStore.getFreshIssue(STORM)).toBeNull();
    expect(await send(text, {}, {})).toMatchObject({ duplicateCount: 0, isComplete: true });
    expect(await readContents(projectStore)).toEqual(before);
  });

  it("counts sessions on their day, and reports on the day of the import", async () => {
    const day = toUtcDay(Date.now() - 2 * 86_400_000);
    const counters = [[["session", "page", "1", "production", "started"], 3]];
    const sessions = JSON.stringify({ daily: 1, day, counters, ids: [toReportId(9)] });
    const days = [toUtcDay(Date.now())];
    await send(`${JSON.stringify(createReport(1))}\n${sessions}`);
    const counted = await otherDesk.listCounters(7);
    days.push(toUtcDay(Date.now()));
    expect(counted).toContainEqual({ day, name: counters[0]?.[0], count: 3 });
    const accepted = counted.find(({ name }) => name[0] === "accepted");
    expect(days).toContain(accepted?.day);
    expect((await otherDesk.getFreshIssue(STORM))?.days).toEqual([["2026-11-21", 1]]);
  });

  it("keeps an existing decision", async () => {
    await otherLog.append([createReport(1)]);
    await otherDesk.decide(STORM, { state: "muted" });
    const decision = { decision: 1, digest: STORM, v: 1, state: "resolved", atMs: 1 };
    expect(await send(JSON.stringify(decision))).toMatchObject({ lineCount: 1, decisionCount: 1 });
    expect(await otherDesk.getFreshIssue(STORM)).toMatchObject({ state: "muted" });
  });

  it("accepts blank lines and a last line without newline, and refuses a Content-Encoding", async () => {
    const text = `{"errata":1}\r\n\n  \n${JSON.stringify(createReport(1))}\r\n{"end":1,"lines":1}`;
    const expected = { status: 200, lineCount: 1, isComplete: true };
    expect(await send(text)).toMatchObject({ ...expected, restoredCount: 1 });
    for (const coding of ["gzip", "br"]) {
      expect(await send(text, { "content-encoding": coding })).toMatchObject({
        status: 415,
        detail: "Expected a body without Content-Encoding.",
      });
    }
    expect(await send("\n".repeat(limits.maxBlankLines + 1))).toMatchObject({ status: 400 });
  });

  it("accepts a body of single bytes, and lines that cross the chunks of the body", async () => {
    const lines = [createReport(1, { message: "ä€😀" }), createReport(2)].map((it) =>
      JSON.stringify(it),
    );
    const bytes = new TextEncoder().encode(lines.join("\n"));
    for (const size of [1, 7, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      );
      const result = await send(toStream(pieces.values()));
      expect(result, `${size}`).toMatchObject({ status: 200, lineCount: 2 });
    }
    const { latestReports = [] } = (await otherDesk.getFreshIssue(STORM)) ?? {};
    expect(latestReports.map(({ message }) => message)).toContain("ä€😀");
  });
});

it("a refused import is read to its end, so that a client that is still sending gets the response", async () => {
  const pieces = Array.from({ length: 50 }, () => new TextEncoder().encode("<not an export>\n"));
  const chunks = pieces.values();
  const result = await send(toStream(chunks));
  expect(result).toMatchObject({ status: 400, reason: "bad-line" });
  expect(chunks.next().done).toBe(true);
});

const validLine = JSON.stringify(createReport(1));

it.each([
  ["an empty body", "", 400, "bad-line", "Expected line 1 to be a line of an export."],
  ["blank lines", "\n\n", 400, "bad-line", "Expected line 1 to be a line of an export."],
  [
    "an HTML page",
    "<!doctype html>",
    400,
    "bad-line",
    "Expected line 1 to be a line of an export.",
  ],
  [
    "another value after a report",
    `${validLine}\n\n{"secret":"hunter2"}`,
    ...([400, "bad-line", "Expected line 3 to be a line of an export."] as const),
  ],
  [
    "a report of an unknown kind",
    `{"errata":1}\n${validLine.replace('"error"', '"hunter2"')}`,
    ...([400, "bad-line", "Expected line 2, kind, to be one of error, message,"] as const),
  ],
  [
    "a line that is too long",
    `${validLine}\n"${"a".repeat(limits.maxExportedLineBytes)}"`,
    ...([413, "line-too-long", "Expected line 2 to have at most 1800000 bytes."] as const),
  ],
])(
  "an import of %s is refused with the line number, and the lines before it are stored",
  async (_, body, status, reason, detail) => {
    const imported: ImportLine[] = [];
    const recordingAdmin: ProjectAdmin = {
      ...admin,
      async importLines(lines) {
        imported.push(...lines);
        return lines.length;
      },
    };
    const result = await send(body, {}, { projectAdmin: recordingAdmin });
    expect(result).toMatchObject({ status, reason });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect("detail" in result && result.detail).toContain(detail);
    expect(imported.map(({ line }) => line)).toEqual(body.startsWith(validLine) ? [validLine] : []);
  },
);

it("an import is stored in batches of 250 lines and 1 MB, and refused if the store is unavailable", async () => {
  const batches: number[][] = [];
  const recordingAdmin: ProjectAdmin = {
    ...admin,
    async importLines(lines) {
      batches.push(lines.map(({ line }) => line.length));
      if (batches.length > 4) throw new Error("unavailable");
      return lines.length;
    },
  };
  const file = { name: "log.txt", bytes: 1, text: "a".repeat(400_000) };
  const small = Array.from({ length: 600 }, (_, n) => JSON.stringify(createReport(n + 1)));
  const large = [1, 2, 3, 4, 5].map((n) =>
    JSON.stringify(createReport(n, { attachments: [file] })),
  );
  const result = await send([...small, ...large].join("\n"), {}, { projectAdmin: recordingAdmin });
  expect(batches.map((batch) => batch.length)).toEqual([250, 250, 102, 2, 1]);
  for (const batch of batches) {
    expect(batch.reduce((a, b) => a + b)).toBeLessThanOrEqual(limits.importBytesPerBatch);
  }
  expect(result).toMatchObject({ status: 503, reason: "index-unavailable" });
});
