import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { OTHER_ANONYMOUS_DIGEST } from "../../../src/core/issue/other-anonymous-reports.ts";
import { limits } from "../../../src/core/limits.ts";
import { parseRollupLine, parseStoredReport } from "../../../src/store/kv/stored-json.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { createRefusingKv } from "../../support/faulty-kv.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { anEvent, sendAs } from "../../support/send-as.ts";
import { bindings, desk, log, replaceKv, shard } from "../../support/store.ts";

afterEach(() => fresh());

const readLines = () =>
  runInDurableObject(shard(), (_: ReportLog, { storage }) =>
    storage.sql
      .exec<{ body: string }>("SELECT body FROM log_row ORDER BY seq")
      .toArray()
      .flatMap(({ body }) => body.split("\n")),
  );

describe("an untrusted sender who sends an error first and often", () => {
  it("does not use up the stored bodies of a server's reports of the same error", async () => {
    for (let n = 0; n < 25; n++) await sendAs("public", anEvent(reportId(100 + n), "declined"));
    const { outcomes } = await sendAs(
      "server",
      anEvent(reportId(1), "declined", { release: "shop@1", tags: { cart: "42" } }),
    );
    expect(outcomes).toMatchObject([{ outcome: "accepted" }]);
    const position = (await desk.locateReport(reportId(1)))?.position ?? "";
    expect(await desk.readReport({ position })).toMatchObject({
      trust: "server",
      release: "shop@1",
      tags: [["cart", "42"]],
    });
  });

  it("stores a bounded number of bodies and lines of invented errors; every report counts", async () => {
    const long = { release: "r".repeat(200), request: { route: `/${"p".repeat(499)}` } };
    const count = limits.maxPublicBodiesPerHour + 2_600;
    // The rows stay in the log while KV refuses their chunks.
    await replaceKv(createRefusingKv(bindings.KV, "put"));
    const ids = Array.from({ length: count }, (_, n) => n);
    for (let at = 0; at < count; at += 100) {
      await log.append(
        ids.slice(at, at + 100).map((n) =>
          aReport(n + 1, {
            ...long,
            trust: "public",
            digest: n.toString(32).toUpperCase().padStart(8, "0"),
            traceId: n.toString(16).padStart(32, "a"),
            occurredAtMs: aReport(1).occurredAtMs - n * 3_600_000,
          }),
        ),
      );
    }
    const lines = await readLines();
    const rollups = lines.flatMap((line) => parseRollupLine(line) ?? []);
    const bodies = lines.flatMap((line) => parseStoredReport(line) ?? []);
    expect(bodies).toHaveLength(limits.maxPublicBodiesPerHour);
    const others = rollups.filter(({ summary }) => summary.digest === OTHER_ANONYMOUS_DIGEST);
    const own = rollups.length - others.length;
    expect(own * 800).toBeLessThan(limits.maxPublicRollupChars);
    // One line per batch at most.
    expect(others.length).toBeLessThan(count / 100);
    const counted = rollups.reduce((sum, { occurrences }) => sum + occurrences, 0);
    expect(bodies.length + counted).toBe(count);
    expect(rollups.some(({ summary }) => summary.traceId !== undefined)).toBe(false);
    const [answer] = await log.append([aReport(90_000, { digest: "7F3K-Q2M9" })]);
    expect(answer?.isRolledUp).toBeUndefined();
    // The index has one issue for all that is beyond the budgets.
    expect((await desk.getFreshIssue(OTHER_ANONYMOUS_DIGEST))?.count).toBeGreaterThanOrEqual(
      others.reduce((sum, { occurrences }) => sum + occurrences, 0),
    );
  });
});
