import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { ID_AT_LINE_BYTES } from "#src/store/kv/packed-ids.ts";
import { parseRollupLine, parseStoredReport } from "#src/store/kv/stored-json.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createEventBody, sendAs } from "#support/http/send-as.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createRefusingKv } from "#support/store/faulty-kv.ts";
import { bindings, getShard, log, projectStore, replaceKv } from "#support/store/store.ts";

afterEach(() => emptyStore());

const readLines = () =>
  runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
    storage.sql
      .exec<{ body: string }>("SELECT body FROM log_row ORDER BY seq")
      .toArray()
      .flatMap(({ body }) => body.split("\n")),
  );

describe("an untrusted sender who sends an error first and often", () => {
  it("does not use up the stored bodies of a server's reports of the same error", async () => {
    for (let n = 0; n < 25; n++)
      await sendAs("public", createEventBody(toReportId(100 + n), "declined"));
    const { outcomes } = await sendAs(
      "server",
      createEventBody(toReportId(1), "declined", { release: "shop@1", tags: { cart: "42" } }),
    );
    expect(outcomes).toMatchObject([{ outcome: "accepted" }]);
    const position = (await projectStore.locateReport(toReportId(1)))?.position ?? "";
    expect(await projectStore.readReport({ position })).toMatchObject({
      trust: "server",
      release: "shop@1",
      tags: [["cart", "42"]],
    });
  });

  const publicReport = (n: number, over: Partial<Report> = {}) =>
    createReport(n + 1, {
      trust: "public",
      digest: n.toString(32).toUpperCase().padStart(8, "0"),
      ...over,
    });
  const countRolledUp = async (reports: readonly Report[]) =>
    (await log.append(reports)).filter(({ isRolledUp }) => isRolledUp).length;

  it("continues the hour's budget of characters of bodies after a restart", async () => {
    const text = "t".repeat(500_000);
    const attachments = [{ name: "log.txt", bytes: text.length, text }];
    const reports = Array.from({ length: 50 }, (_, n) => publicReport(n, { attachments }));
    const stored = Math.floor(limits.maxPublicBodyCharsPerHour / text.length) - 1;
    const rolledUp = await countRolledUp(reports.slice(0, 45));
    expect(rolledUp).toBeGreaterThanOrEqual(45 - stored - 1);
    await abortAllDurableObjects();
    expect(await countRolledUp(reports.slice(45))).toBe(5);
    expect(await countRolledUp([createReport(100, { attachments })])).toBe(0);
  });

  it("continues the hour's budget of rollup lines of page reports after a restart", async () => {
    const readChars = () =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
        Number(storage.sql.exec("SELECT pageRollupChars AS n FROM public_usage").one().n),
      );
    const busy = (from: number) =>
      log.append(
        Array.from({ length: 25 }, (_, n) =>
          publicReport(from + n, { trust: "page", digest: "7F3K-Q2M9" }),
        ),
      );
    await busy(0);
    const before = await readChars();
    expect(before).toBeGreaterThan(0);
    await abortAllDurableObjects();
    await busy(100);
    expect(await readChars()).toBe(2 * before);
  });

  it("continues the hour's budget of page reports after a restart", async () => {
    const text = "t".repeat(500_000);
    const attachments = [{ name: "log.txt", bytes: text.length, text }];
    const readChars = () =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
        storage.sql.exec("SELECT pageBodies, pageChars FROM public_usage").toArray(),
      );
    const pageReport = (n: number) => publicReport(n, { trust: "page", attachments });
    await log.append([pageReport(1), pageReport(2)]);
    const [before] = await readChars();
    expect(before?.pageBodies).toBe(2);
    await abortAllDurableObjects();
    await log.append([pageReport(3)]);
    const [after] = await readChars();
    expect(after?.pageBodies).toBe(3);
    expect(Number(after?.pageChars)).toBeCloseTo(Number(before?.pageChars) * 1.5, -3);
  });

  it("writes the usage once per batch, and not for reports of servers", async () => {
    const readUsage = () =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
        storage.sql.exec("SELECT reportBodies FROM public_usage").toArray(),
      );
    await log.append([createReport(1)]);
    expect(await readUsage()).toEqual([]);
    await log.append([publicReport(1), publicReport(2)]);
    expect(await readUsage()).toEqual([{ reportBodies: 2 }]);
  });

  it("stores a limited number of ids of reports without bodies, also after a restart", async () => {
    const countIds = () =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
        const query = "SELECT coalesce(sum(length(extra_ids)), 0) AS bytes FROM log_row";
        return storage.sql.exec<{ bytes: number }>(query).one().bytes / ID_AT_LINE_BYTES;
      });
    const burst = (from: number, trust: Trust) =>
      Array.from({ length: limits.sampledReportsPerHour + 10 }, (_, n) =>
        publicReport(from + n, { digest: "7F3K-Q2M9", trust }),
      );
    await log.append([publicReport(0)]);
    await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
      const { maxPublicIdsPerHour, maxPageIdsPerHour } = limits;
      const query = "UPDATE public_usage SET ids = ?, pageIds = ?";
      storage.sql.exec(query, maxPublicIdsPerHour - 4, maxPageIdsPerHour - 3);
    });
    await abortAllDurableObjects();
    const ids: number[] = [];
    for (const [n, trust] of (["public", "page", "server"] as const).entries()) {
      expect(await countRolledUp(burst(100 * (n + 1), trust))).toBe(10);
      ids.push(await countIds());
    }
    expect(ids).toEqual([4, 4 + 3, 4 + 3 + 10]);
    // The newest ids are in memory.
    const repeated = await log.append(burst(100, "public"));
    expect(repeated.every(({ isDuplicate }) => isDuplicate)).toBe(true);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 90,
      publicCount: 30,
      pageCount: 30,
    });
  });

  it("stores rollups without a URL and with a short message", async () => {
    const request = { url: `https://shop.example/${"u".repeat(400)}` };
    const reports = Array.from({ length: 25 }, (_, n) =>
      publicReport(n, { digest: "7F3K-Q2M9", request, message: "m".repeat(300) }),
    );
    await log.append(reports);
    const [rollup] = (await readLines()).flatMap((line) => parseRollupLine(line) ?? []);
    expect(rollup?.occurrences).toBe(25 - limits.sampledReportsPerHour);
    expect(rollup?.summary.url).toBeUndefined();
    expect(rollup?.summary.message.length).toBeLessThanOrEqual(100);
  });

  it("stores a bounded number of bodies and lines of invented errors; every report counts", async () => {
    const long = { release: "r".repeat(200), request: { route: `/${"p".repeat(499)}` } };
    const count = limits.maxPublicBodiesPerHour + limits.maxPublicRollupsPerHour + 200;
    // The rows stay in the log while KV refuses their chunks.
    await replaceKv(createRefusingKv(bindings.KV, "put"));
    const ids = Array.from({ length: count }, (_, n) => n);
    for (let at = 0; at < count; at += 100) {
      await log.append(
        ids.slice(at, at + 100).map((n) =>
          createReport(n + 1, {
            ...long,
            trust: "public",
            digest: n.toString(32).toUpperCase().padStart(8, "0"),
            traceId: n.toString(16).padStart(32, "a"),
            occurredAtMs: createReport(1).occurredAtMs - n * 3_600_000,
          }),
        ),
      );
    }
    const lines = await readLines();
    const rollups = lines.flatMap((line) => parseRollupLine(line) ?? []);
    const bodies = lines.flatMap((line) => parseStoredReport(line) ?? []);
    expect(bodies).toHaveLength(limits.maxPublicBodiesPerHour);
    const others = rollups.filter(({ summary }) => summary.digest === OTHER_ANONYMOUS_DIGEST);
    expect(rollups.length - others.length).toBe(limits.maxPublicRollupsPerHour);
    // One line per batch at most.
    expect(others.length).toBeLessThan(count / 100);
    const counted = rollups.reduce((sum, { occurrences }) => sum + occurrences, 0);
    expect(bodies.length + counted).toBe(count);
    expect(rollups.some(({ summary }) => summary.traceId !== undefined)).toBe(false);
    const [answer] = await log.append([createReport(90_000, { digest: "7F3K-Q2M9" })]);
    expect(answer?.isRolledUp).toBeUndefined();
    // The index has one issue for all that is beyond the budgets.
    expect(
      (await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST))?.count,
    ).toBeGreaterThanOrEqual(others.reduce((sum, { occurrences }) => sum + occurrences, 0));
  });
});
