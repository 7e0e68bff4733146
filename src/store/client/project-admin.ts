/** Operations on a whole project: jobs that the index runs, and exports and imports. */

import type { Bindings } from "../../config.ts";
import { toHex } from "../../core/hex.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import type { ImportLine, ProjectAdmin } from "../../core/ports/storage-ports.ts";
import type { Digest, ReportId, Side } from "../../core/report.ts";
import { type ChunkLines, splitChunkLines } from "../kv/chunk.ts";
import { listChunks, readChunk } from "../kv/chunk-store.ts";
import { chunkKey, hourToDay, selectShard } from "../kv/keys.ts";
import { parseCounterLine, parseRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { Job } from "../rpc/job.ts";
import { createStubs, type StoreOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

/** Longer than the index waits for its shards. */
const INDEX_TIMEOUT_MS = 15_000;

/** `drainSpool` appends spooled reports to the log, so that erased ones do not return. */
interface ProjectAdminOptions extends StoreOptions {
  readonly drainSpool: () => Promise<number>;
}

/** The admin of one project. */
export function createProjectAdmin(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  options: ProjectAdminOptions,
): ProjectAdmin {
  const { project, shards, nowMs } = options;
  const { KV: kv } = bindings;
  const { index, log } = createStubs(bindings, options);

  /** Every chunk once, each shard's in order: from KV, and from the logs those not in KV. */
  async function* readChunks(day?: string): AsyncGenerator<ChunkLines & { readonly key: string }> {
    const seen = new Set<string>();
    const remaining: { readonly key: string; readonly shard: string; readonly chunk: number }[] =
      [];
    for (const shard of await index().listShards()) {
      const { localChunks: local, recentUploads } = await log(shard).checkpoint();
      for (const { chunk, hour } of [...local, ...recentUploads]) {
        if (day !== undefined && hourToDay(hour) !== day) continue;
        const key = chunkKey(project, { hour, shard, chunk });
        if (!seen.has(key)) remaining.push({ key, shard, chunk });
        seen.add(key);
      }
    }
    for await (const page of listChunks(kv, project, day)) {
      for (const { key, expiresAtMs } of page.filter((chunk) => !seen.has(chunk.key))) {
        const read = await readChunk(kv, key);
        // KV may cache a miss: without the chunk the export would be incomplete.
        const isExpired = expiresAtMs !== undefined && expiresAtMs <= nowMs();
        if (read === null && !isExpired)
          throw new Error("KV lists a chunk that it does not return yet");
        yield { key, ...splitChunkLines(read ?? []) };
      }
    }
    for (const { key, shard, chunk } of remaining.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      const local = await log(shard).readLocalChunk(chunk);
      // It may have been uploaded since.
      const lines = local.lines.length > 0 ? local.lines : await readChunk(kv, key);
      if (lines === null) throw new Error("KV does not return an uploaded chunk yet");
      yield { key, ...(local.lines.length > 0 ? local : splitChunkLines(lines)) };
    }
  }

  return {
    rebuildIndex: () => enqueueJob({ kind: "rebuild" }),

    async eraseReport(id: ReportId): Promise<boolean> {
      await drainOrThrow();
      return withTimeout(index().eraseReport(id), INDEX_TIMEOUT_MS);
    },

    async eraseIssue(digest: Digest): Promise<boolean> {
      await drainOrThrow();
      return withTimeout(index().eraseIssue(digest), INDEX_TIMEOUT_MS);
    },

    eraseMatching: (text: string) => enqueueJob({ kind: "erase-text", text }),

    eraseProject: () => enqueueJob({ kind: "erase-project" }),

    async *exportLines(day?: string): AsyncGenerator<string> {
      const exportedAt = new Date(nowMs()).toISOString();
      yield JSON.stringify({ errata: 1, project, exportedAt, ...(day !== undefined && { day }) });
      await options.drainSpool();
      let count = 0;
      for await (const chunk of readChunks(day)) {
        for await (const line of toExportLines(chunk)) {
          yield line;
          count++;
        }
      }
      // After the reports: an import must not take a report for a regression.
      for (const record of (await index().exportTriage()) as readonly TriageRecord[]) {
        yield JSON.stringify(toTriageFields(record));
        count++;
      }
      yield JSON.stringify({ end: 1, lines: count });
    },

    async importLines(lines: readonly ImportLine[]): Promise<number> {
      if (shards === 1) return importToShards(lines);
      // Browser reports link to issues of server reports, which may be in another shard.
      const browserLines = lines.filter(({ line }) => parseSide(line) === "browser");
      const serverLines = lines.filter((line) => !browserLines.includes(line));
      const imported = await importToShards(serverLines);
      if (browserLines.length === 0) return imported;
      await flushLogs();
      return imported + (await importToShards(browserLines));
    },

    async importTriage(record: readonly TriageRecord[]): Promise<void> {
      // Reports imported before must be applied first.
      await flushLogs();
      await index().importTriage(record);
    },
  };

  async function importToShards(lines: readonly ImportLine[]): Promise<number> {
    const perShard = Map.groupBy(lines, ({ ids: [id = ""] }) => selectShard(id, shards));
    const counts = await Promise.all(
      [...perShard].map(([shard, shardLines]) => log(shard).importLines(shardLines)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when the index has applied all rows of the configured shards. */
  async function flushLogs(): Promise<void> {
    const shardNames = Array.from({ length: shards }, (_, n) => String(n));
    await Promise.all(shardNames.map((shard) => log(shard).flush()));
  }

  async function enqueueJob(job: Job): Promise<void> {
    await drainOrThrow();
    await withTimeout(index().enqueueJob(job), INDEX_TIMEOUT_MS);
  }

  /** Spooled reports would return after an erasure. */
  async function drainOrThrow(): Promise<void> {
    if ((await options.drainSpool()) > 0)
      throw new Error("spooled reports wait for an unavailable shard");
  }
}

/** The lines of a chunk for an export. Rollups and counters get the ids that deduplicate them. */
async function* toExportLines({
  key,
  lines,
  extraIds,
}: ChunkLines & { readonly key: string }): AsyncGenerator<string> {
  const idsOfLine = Map.groupBy(extraIds, ({ line }) => line);
  for (const [n, line] of lines.entries()) {
    if (parseStoredReport(line) !== null) {
      yield line;
      continue;
    }
    const rollup = parseRollupLine(line);
    const fields = rollup === null ? toCounterFields(line) : { rollup: 1, ...rollup };
    if (fields === null) continue;
    // Counters get one id of their own, even if some have ids that count once.
    const lineIds = rollup === null ? undefined : idsOfLine.get(n)?.map(({ id }) => id);
    const ids = lineIds ?? [await hashLineId(`${key}:${n}`, line)];
    yield JSON.stringify({ ...fields, ids });
  }
}

function toTriageFields(record: TriageRecord): object {
  switch (record.kind) {
    case "decision":
      return { decision: 1, digest: record.decision.digest, ...record.decision.decision };
    case "annotations": {
      const { splitOff: _, ...annotations } = record.annotations;
      return { annotations: 1, digest: record.digest, ...annotations };
    }
    case "view":
      return { view: 1, ...record.view };
  }
}

function parseSide(line: string): Side | undefined {
  return parseStoredReport(line)?.side ?? parseRollupLine(line)?.summary.side;
}

function toCounterFields(line: string): object | null {
  const dailyCounters = parseCounterLine(line);
  return dailyCounters === null ? null : { daily: 1, ...dailyCounters };
}

/** An id for a line without one: the same in every export while the line is unchanged. */
async function hashLineId(place: string, line: string): Promise<ReportId> {
  const bytes = new TextEncoder().encode(`${place}\n${line}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return toHex(hash.subarray(0, 16));
}
