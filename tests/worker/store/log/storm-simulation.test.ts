// A storm larger than one machine can generate: sampling, batches and counting, under a simulated
// clock.

import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { limits } from "#src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import { createRollupKey, ReportSampler } from "#src/core/sampling/report-sampler.ts";
import { toUtcHour } from "#src/core/utc-time.ts";
import { encodeChunk } from "#src/store/kv/chunk.ts";
import { selectShard } from "#src/store/kv/keys.ts";
import { PendingBatch } from "#src/store/log/pending-batch.ts";
import { createReport } from "#support/reports/reports.ts";

const SHARDS = 64;
const PER_SECOND = 50_000;
const SECONDS = 10;
/** Reports that arrive in one turn of a busy shard are one batch. */
const TURN_MS = 50;
const START_MS = Date.UTC(2026, 10, 21, 17);

/** Ids whose first digits, which select the shard, are distributed evenly. */
function toId(n: number): string {
  const first = Math.imul(n, 0x9e3779b1) >>> 0;
  return first.toString(16).padStart(8, "0") + n.toString(16).padStart(24, "0");
}

interface Shard {
  readonly shard: string;
  readonly sampler: ReportSampler;
  batch: PendingBatch;
  /** Lines of the open chunk, which is closed every second. */
  lines: string[];
  chunk: number;
}

function createShards(): Map<string, Shard> {
  const names = Array.from({ length: SHARDS }, (_, n) => String(n));
  return new Map(
    names.map((shard) => {
      const empty = { batch: new PendingBatch(), lines: [], chunk: 1 };
      return [
        shard,
        { shard, sampler: new ReportSampler((text) => hash("sha256", text, "buffer")), ...empty },
      ];
    }),
  );
}

/** Processes a report as the log does, without storage. */
function appendReport({ sampler, batch }: Shard, n: number, nowMs: number): void {
  const report = createReport(n, { id: toId(n), occurredAtMs: nowMs, receivedAtMs: nowMs });
  const { position: _, ...summary } = summarizeReport(report, "");
  const entry = { id: report.id, line: JSON.stringify(report), summary };
  const isNew = sampler.isNew(summary, nowMs);
  const hasRollup = (key: string) => batch.hasRollup(key);
  const getRollupKey = () => createRollupKey(summary);
  const added = { bodyChars: entry.line.length, hasRollup, getRollupKey };
  if (sampler.decide(summary, added, nowMs) === "body") batch.add(entry, isNew);
  else batch.rollUp(entry.id, summary);
}

/** Ends a turn as the log does. Returns the summaries for the index. */
function writeBatch(one: Shard, nowMs: number, storedIds: Set<string>): readonly ReportSummary[] {
  const { shard, chunk, lines, batch } = one;
  const first = { hour: toUtcHour(nowMs), shard, chunk, line: lines.length };
  const {
    lines: written,
    items,
    positions,
  } = batch.serialize(first, {
    day: "2026-11-21",
    counters: [],
  });
  for (const id of positions.keys()) storedIds.add(id);
  lines.push(...written);
  one.batch = new PendingBatch();
  return items.flatMap((item) => ("summary" in item ? item.summary : []));
}

it("500,000 identical reports in ten seconds over 64 shards are counted exactly, with 20 bodies per shard", async () => {
  const shards = createShards();
  const storedIds = new Set<string>();
  let issue: Issue | undefined;
  let n = 0;
  let chunks = 0;
  let bytes = 0;
  let bodies = 0;
  for (let ms = 0; ms < SECONDS * 1_000; ms += TURN_MS) {
    const nowMs = START_MS + ms;
    for (; n < ((ms + TURN_MS) / 1_000) * PER_SECOND; n++) {
      const shard = shards.get(selectShard(toId(n), SHARDS)) ?? expect.fail("unknown shard");
      appendReport(shard, n, nowMs);
    }
    for (const shard of shards.values()) {
      for (const summary of writeBatch(shard, nowMs, storedIds)) {
        if (summary.occurrences === undefined) bodies++;
        issue = aggregateReport(issue, summary, nowMs);
      }
    }
    if ((ms + TURN_MS) % 1_000 !== 0) continue;
    for (const shard of shards.values()) {
      bytes += (await encodeChunk(shard.lines)).byteLength;
      chunks++;
      shard.lines = [];
      shard.chunk++;
    }
  }
  const sent = PER_SECOND * SECONDS;
  expect(n).toBe(sent);
  expect(issue).toMatchObject({
    count: sent,
    days: [["2026-11-21", sent]],
    hours: [["2026112117", sent]],
    firstSeenMs: START_MS,
    lastSeenMs: START_MS + SECONDS * 1_000 - TURN_MS,
  });
  // Every id has a position.
  expect(storedIds.size).toBe(sent);
  expect(bodies).toBe(SHARDS * limits.sampledReportsPerHour);
  expect(chunks).toBe(SHARDS * SECONDS);
  // Half a million reports in KV: less than one byte each.
  expect(bytes).toBeLessThan(sent);
});
