import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { decodeChunk } from "../../../src/store/kv/chunk.ts";
import { chunkKey, parsePosition } from "../../../src/store/kv/keys.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { faultyKv } from "../../support/faulty-kv.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, chunkKeys, desk, log, replaceKv, sealNow, shard } from "../../support/store.ts";

afterEach(() => fresh());

const many = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => aReport(from + i));

/** Everything with these ids can be read back, from the log or the record. */
async function expectFound(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const at = await desk.locateReport(id);
    expect(at, `report ${id} is lost`).not.toBeNull();
    const report = await desk.readReport({ position: at?.position ?? "" });
    expect(report?.id).toBe(id);
  }
}

describe("a report that was acknowledged is in KV or in the log", () => {
  it("no crash loses it", async () => {
    const acked = await log.append(many(5));
    await abortAllDurableObjects();
    await expectFound(acked.map(({ id }) => id));
    await sealNow();
    await expectFound(acked.map(({ id }) => id));
    expect(await chunkKeys()).toHaveLength(1);
  });

  it("no refused put loses it, and the put is made again with the same bytes", async () => {
    const { kv, puts } = faultyKv(bindings.KV, ["refuse", "refuse"]);
    const acked = await log.append(many(5));
    await replaceKv(kv);
    await sealNow();
    expect(await chunkKeys()).toHaveLength(0);
    await expectFound(acked.map(({ id }) => id));
    await sealNow();
    await sealNow();
    expect(await chunkKeys()).toHaveLength(1);
    expect(new Set(puts.map(({ key, bytes }) => `${key} ${bytes}`)).size).toBe(1);
    expect(puts).toHaveLength(3);
    await expectFound(acked.map(({ id }) => id));
  });

  it("no lost reply loses it or stores it elsewhere", async () => {
    const { kv, puts } = faultyKv(bindings.KV, ["lose-reply"]);
    const acked = await log.append(many(3));
    await replaceKv(kv);
    await sealNow();
    await sealNow();
    expect(puts).toHaveLength(2);
    expect(await chunkKeys()).toHaveLength(1);
    await expectFound(acked.map(({ id }) => id));
  });

  it("a crash between a refused put and the next one loses nothing", async () => {
    const { kv } = faultyKv(bindings.KV, ["refuse"], { forever: true });
    const first = await log.append(many(3));
    await replaceKv(kv);
    await sealNow();
    await abortAllDurableObjects();
    const second = await log.append(many(3, 100));
    await sealNow();
    await sealNow();
    await expectFound([...first, ...second].map(({ id }) => id));
    // The restarted object opened a new chunk instead of adding to the one that was refused.
    expect(await chunkKeys()).toHaveLength(2);
  });

  it("KV that refuses everything delays the copy, and nothing else", async () => {
    const { kv } = faultyKv(bindings.KV, ["refuse"], { forever: true });
    await log.append(many(1));
    await replaceKv(kv);
    for (let round = 1; round <= 4; round++) {
      await log.append(many(2, round * 10));
      await sealNow();
    }
    expect((await desk.getFreshIssue("7F3K-Q2M9"))?.count).toBe(9);
    expect(await chunkKeys()).toHaveLength(0);
  });
});

describe("a report that was sent twice counts once", () => {
  const count = async () => (await desk.getFreshIssue("7F3K-Q2M9"))?.count;

  it("when both copies come together", async () => {
    const [[first], [second]] = await Promise.all([log.append(many(1)), log.append(many(1))]);
    expect([first?.isDuplicate, second?.isDuplicate].sort()).toEqual([false, true]);
    expect(first?.position).toBe(second?.position);
    expect(await count()).toBe(1);
  });

  it("when the second comes after the copy into KV", async () => {
    const [first] = await log.append(many(1));
    await sealNow();
    const [second] = await log.append(many(1));
    expect(second).toEqual({ ...first, isDuplicate: true });
    expect(await count()).toBe(1);
  });

  it("when the log has crashed in between", async () => {
    await log.append(many(2));
    await abortAllDurableObjects();
    await log.append(many(2));
    expect(await count()).toBe(2);
  });

  it("when the log was evicted after the copy", async () => {
    await log.append(many(2));
    await sealNow();
    await evictDurableObject(shard());
    await log.append(many(3));
    expect(await count()).toBe(3);
  });

  it("when the index has counted it and the log did not hear so", async () => {
    await log.append(many(2));
    await desk.getFreshIssue("7F3K-Q2M9");
    // The number up to which all is counted is written with the next deletion only: after a crash it is sent again.
    await abortAllDurableObjects();
    await log.append(many(1, 50));
    expect(await count()).toBe(3);
  });
});

describe("the record", () => {
  it("is a chunk of gzipped lines under chunk/<project>/<hour>/<shard>.<number>, with counts beside it", async () => {
    const reports = [...many(2), aReport(3, { digest: "0000-0000" })];
    const answers = await log.append(reports);
    await sealNow();
    const [key] = await chunkKeys();
    expect(key).toMatch(/^chunk\/1\/\d{10}\/0\.\d{9}$/);
    const { value, metadata } = await bindings.KV.getWithMetadata(key ?? "", "arrayBuffer");
    const lines = await decodeChunk(value ?? new ArrayBuffer());
    expect(lines.map((line) => JSON.parse(line))).toEqual(reports);
    expect(metadata).toMatchObject({
      v: 1,
      lineCount: 3,
      digests: [
        ["7F3K-Q2M9", 2],
        ["0000-0000", 1],
      ],
    });
    answers.forEach(({ position }, line) => {
      const place = parsePosition(position ?? "");
      expect(place && chunkKey("1", place)).toBe(key);
      expect(place?.line).toBe(line);
    });
  });

  it("gets a report within a second of its acknowledgement in a quiet hour", async () => {
    const before = Date.now();
    await log.append(many(1));
    const alarmMs = await runInDurableObject(shard(), (_: ReportLog, state) =>
      state.storage.getAlarm(),
    );
    expect(alarmMs).not.toBeNull();
    expect((alarmMs ?? 0) - before).toBeLessThanOrEqual(1_500);
  });

  it("leaves nothing in the log that is both copied and counted", async () => {
    await log.append(many(10));
    await sealNow();
    const rows = await runInDurableObject(shard(), (_: ReportLog, state) =>
      state.storage.sql.exec("SELECT count(*) AS n FROM log_row").one(),
    );
    expect(rows).toEqual({ n: 0 });
  });

  it("finds a copied report by its id alone, also after a restart", async () => {
    await log.append(many(3));
    await sealNow();
    await abortAllDurableObjects();
    expect((await desk.locateReport(reportId(2)))?.digest).toBe("7F3K-Q2M9");
    expect(await desk.locateReport(reportId(999))).toBeNull();
  });
});
