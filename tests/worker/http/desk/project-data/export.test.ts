import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { handleRequest } from "#src/app.ts";
import type { ExportOptions } from "#src/core/ports/storage-ports.ts";
import { ok } from "#src/core/result.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectAdmin } from "#src/store/client/project-admin.ts";
import { createProjectAdmin } from "#src/store/client/project-admin.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { putChunk } from "#src/store/kv/chunk-store.ts";
import { toChunkKey } from "#src/store/kv/keys.ts";
import { ChunkCatalog } from "#src/store/log/catalog/chunk-catalog.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { admin, bindings, log, uploadChunk } from "#support/store/store.ts";
import {
  emptyBothProjects,
  fillProject,
  otherAdmin,
  otherLog,
  otherSettings,
  readAll,
  readExport,
  STORM,
  sendImport,
  splitLines,
} from "#support/store/two-projects.ts";

afterEach(emptyBothProjects);

const encoder = new TextEncoder();

/** All parts of an export. By default, each has two calls to shards that read one chunk. */
async function readParts(
  options: ExportOptions = {},
  limits: { readonly calls?: number; readonly bytes?: number } = {},
): Promise<readonly string[]> {
  const parts: string[] = [];
  const allLimits = { calls: 2, chunksPerCall: 1, bytes: 1_000_000, ...limits };
  for (let cursor: string | undefined; parts.length < 100; ) {
    const part = await readAll(otherAdmin, { ...options, cursor, limits: allLimits });
    parts.push(part);
    cursor = JSON.parse(splitLines(part).at(-1) ?? "").next;
    if (cursor === undefined) return parts;
  }
  return expect.fail("the export does not end");
}

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
    const days = [toUtcDay(readNowMs() - 86_400_000), toUtcDay(readNowMs())];
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
    expect(await sendImport('{"errata":1}', { "sec-fetch-site": "cross-site" })).toMatchObject({
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

/** The response with an unread body. */
async function requestExport(project: ProjectAdmin): Promise<Response> {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const opened = ok({ ...createTestServices(ctx), projectAdmin: project });
  return handleRequest(new Request("http://localhost:8787/export"), opened, ctx as never);
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
      results.push(await sendImport(part, {}, { projectAdmin: third }));
    }
    for (const result of results) expect(result).toMatchObject({ status: 200, isComplete: true });
    expect(results.at(-1)).toMatchObject({ restoredCount: 0 });
    const thirdDesk = createProjectStore(bindings, { ...otherSettings, project: "3" });
    expect((await thirdDesk.getFreshIssue(STORM))?.count).toBe(24);
    const started = (await thirdDesk.listCounters(7)).filter(({ name }) => name[0] === "session");
    expect(started.map(({ count }) => count)).toEqual([3]);
    await bindings.PROJECT_INDEX.getByName("3").waitUntilIdle();
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
    const day = toUtcDay(readNowMs());
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
      const expiresAtMs = readNowMs() + 86_400_000;
      const times = { uploadedMs: readNowMs() - 7_200_000, expiresAtMs };
      for (let chunk = 1; chunk <= chunks; chunk++) {
        const lines = [JSON.stringify(createReport(chunk))];
        await putChunk(
          bindings.KV,
          toChunkKey("2", { hour, shard: "0", chunk }),
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
