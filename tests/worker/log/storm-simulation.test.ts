// A storm larger than one machine can make: the code that samples, commits and counts, under a clock of its own.

import { expect, it } from "vitest";
import { aggregateReport, toUtcHour } from "../../../src/core/issue/aggregate-report.ts";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { ReportSampler } from "../../../src/core/issue/sampling.ts";
import { limits } from "../../../src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "../../../src/core/report/report-summary.ts";
import { encodeChunk } from "../../../src/store/kv/chunk.ts";
import { selectShard } from "../../../src/store/kv/keys.ts";
import { WriteBatch } from "../../../src/store/log/write-batch.ts";
import { aReport } from "../../support/reports.ts";

const SHARDS = 64;
const PER_SECOND = 50_000;
const SECONDS = 10;
/** What arrives within a turn of a busy shard is one commit. */
const TURN_MS = 50;
const BEGAN_MS = Date.UTC(2026, 10, 21, 17);

/** Ids as senders make them: their first digits, which choose the shard, are spread evenly. */
function idOf(n: number): string {
  const first = Math.imul(n, 0x9e3779b1) >>> 0;
  return first.toString(16).padStart(8, "0") + n.toString(16).padStart(24, "0");
}

interface Shard {
  readonly shard: string;
  readonly sampling: ReportSampler;
  commit: WriteBatch;
  /** Lines of the chunk that is open; closed every second, as in a quiet hour. */
  lines: string[];
  chunk: number;
}

function makeShards(): Map<string, Shard> {
  const names = Array.from({ length: SHARDS }, (_, n) => String(n));
  return new Map(
    names.map((shard) => {
      const empty = { commit: new WriteBatch(), lines: [], chunk: 1 };
      return [shard, { shard, sampling: new ReportSampler(), ...empty }];
    }),
  );
}

/** What the log does with a report, but for the disk. */
function take({ sampling, commit }: Shard, n: number, nowMs: number): void {
  const report = aReport(n, { id: idOf(n), occurredAtMs: nowMs, receivedAtMs: nowMs });
  const { position: _, ...mark } = summarizeReport(report, "");
  const entry = { id: report.id, line: JSON.stringify(report), summary: mark };
  const isNew = sampling.isNew(mark, nowMs);
  if (sampling.shouldStore(mark, nowMs)) commit.add(entry, isNew);
  else commit.rollUp(entry);
}

/** What the log does when the turn is over: the marks that the index is told of. */
function write(one: Shard, nowMs: number, placed: Set<string>): readonly ReportSummary[] {
  const { shard, chunk, lines, commit } = one;
  const first = { hour: toUtcHour(nowMs), shard, chunk, line: lines.length };
  const laid = commit.serialize(first, { day: "2026-11-21", counters: [] });
  for (const id of laid.positions.keys()) placed.add(id);
  lines.push(...laid.lines);
  one.commit = new WriteBatch();
  return laid.summaries.map(({ summary }) => summary);
}

it("50,000 identical reports a second for ten seconds over 64 shards: counted exactly, 20 bodies a shard kept", async () => {
  const shards = makeShards();
  const placed = new Set<string>();
  let issue: Issue | undefined;
  let n = 0;
  let chunks = 0;
  let bytes = 0;
  let bodies = 0;
  for (let ms = 0; ms < SECONDS * 1_000; ms += TURN_MS) {
    const nowMs = BEGAN_MS + ms;
    for (; n < ((ms + TURN_MS) / 1_000) * PER_SECOND; n++) {
      const shard =
        shards.get(selectShard(idOf(n), SHARDS)) ?? expect.fail("there is no such shard");
      take(shard, n, nowMs);
    }
    for (const shard of shards.values()) {
      for (const mark of write(shard, nowMs, placed)) {
        if (mark.occurrences === undefined) bodies++;
        issue = aggregateReport(issue, mark, nowMs);
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
    firstSeenMs: BEGAN_MS,
    lastSeenMs: BEGAN_MS + SECONDS * 1_000 - TURN_MS,
  });
  // Every id has its place, and no two reports one id.
  expect(placed.size).toBe(sent);
  expect(bodies).toBe(SHARDS * limits.sampledReportsPerHour);
  expect(chunks).toBe(SHARDS * SECONDS);
  // Half a million reports in KV: less than one byte each.
  expect(bytes).toBeLessThan(sent);
});
