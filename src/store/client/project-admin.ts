/** Operations on a whole project: jobs that the index runs, and exports and imports. */
import type { TextErasure } from "../../core/erasure.ts";
import type { IssueDecision } from "../../core/issue/decision.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import type { ExportOptions, ImportLine } from "../../core/ports/storage-ports.ts";
import type { Digest, ReportId, Side } from "../../core/report.ts";
import type { Job } from "../index/jobs/job-table.ts";
import type { TriagePart } from "../index/triage/triage-records.ts";
import { selectShard } from "../kv/keys.ts";
import {
  ANNOTATIONS_JSON,
  DECISION_JSON,
  parseRollupLine,
  parseStoredReport,
} from "../kv/stored-json.ts";
import type { ExportedPart, ExportRange } from "../log/export-chunks.ts";
import { connectProject, type LogApi, type StoreOptions } from "../objects.ts";

/**
 * On the free plan, a request may make 1,000 calls, and an object 1,000 reads for each. These
 * limits are less than half of that; 200 large chunks take some seconds of CPU. The Worker takes
 * some seconds of CPU for the bytes; the limit is 30 s.
 */
const EXPORT_LIMITS = { calls: 400, chunksPerCall: 200, bytes: 1_600_000_000 };

/** `drainSpool` appends spooled reports to the log, so that erased ones do not return. */
interface ProjectAdminOptions extends StoreOptions {
  readonly drainSpool: () => Promise<number>;
}

/** Operations on a whole project, for its owners. Each rejects while a part is unavailable. */
export interface ProjectAdmin {
  /** Starts to rebuild the index and the logs from KV. */
  rebuildIndex(): Promise<void>;
  /** Erases the contents of a report; its issue still counts it. False if there is none. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Starts to erase an issue with its reports. False if there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Starts to count the data that contains a text. The caller creates `id`. */
  previewErasure(id: string, text: string): Promise<void>;
  /** The erasure of a text and its progress; null if it is unknown, or expired after an hour. */
  getErasure(id: string): Promise<TextErasure | null>;
  /**
   * Starts to erase every report that contains a text, and the text elsewhere. `id` is the
   * preview's.
   */
  eraseMatching(text: string, id?: string): Promise<void>;
  /** Starts to erase the sessions counted in an environment. */
  eraseSessions(environment: string): Promise<void>;
  /** Starts to erase everything. */
  eraseProject(): Promise<void>;
  /**
   * An export as NDJSON in pieces; the first and the last piece are the first and the last line. The
   * last line has the number of lines between both, and a `next` cursor if another export must
   * continue.
   */
  readExport(options?: ExportOptions): AsyncGenerator<Uint8Array>;
  /**
   * Stores lines of an export with unknown ids. Resolves to their number when they are durable, and
   * the index has applied them or is unavailable.
   */
  importLines(lines: readonly ImportLine[]): Promise<number>;
  /** Imports decisions, annotations, views and repositories where the project has none. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
}

export function createProjectAdmin(bindings: object, options: ProjectAdminOptions): ProjectAdmin {
  const { project, shards, nowMs } = options;
  const { index, log } = connectProject(() => bindings, options);

  return {
    rebuildIndex: () => enqueueJob({ kind: "rebuild" }),

    async eraseReport(id: ReportId): Promise<boolean> {
      await drainOrThrow();
      return index.eraseReport(id);
    },

    async eraseIssue(digest: Digest): Promise<boolean> {
      await drainOrThrow();
      return index.eraseIssue(digest);
    },

    previewErasure: (id: string, text: string) => index.previewErasure(id, text),

    getErasure: (id: string) => index.getErasure(id),

    eraseMatching: (text: string, id?: string) => enqueueJob({ kind: "erase-text", text, id }),

    eraseSessions: (environment: string) => enqueueJob({ kind: "erase-sessions", environment }),

    eraseProject: () => enqueueJob({ kind: "erase-project" }),

    async *readExport({
      day,
      cursor,
      source,
      limits = EXPORT_LIMITS,
    }: ExportOptions = {}): AsyncGenerator<Uint8Array> {
      const exportedAt = new Date(nowMs()).toISOString();
      yield encodeLines([{ errata: 1, project, exportedAt, source, day }]);
      if (cursor === undefined) await options.drainSpool();
      const logs = (await index.listShards()).map((shard) => ({ shard, log: log(shard) }));
      const reader = new ExportReader(logs, {
        maxChunks: limits.chunksPerCall,
        day: day?.replaceAll("-", ""),
        cursor,
      });
      let lines = 0;
      let byteCount = 0;
      const isFull = (calls: number) => calls >= limits.calls || byteCount >= limits.bytes;
      for (let calls = 0; !isFull(calls) && !reader.isDone; calls++) {
        const { bytes } = await reader.readNext();
        for await (const piece of readPieces(bytes)) {
          lines += countLines(piece);
          byteCount += piece.length;
          yield piece;
        }
      }
      if (!reader.isDone) return yield encodeLines([{ next: reader.cursor, lines }]);
      // Decisions come after the reports, which would otherwise look like regressions.
      for (let next: string | undefined = ""; next !== undefined; ) {
        const part: TriagePart = await index.exportTriage(next);
        lines += part.records.length;
        if (part.records.length > 0) yield encodeLines(part.records.map(toTriageFields));
        next = part.next;
      }
      yield encodeLines([{ end: 1, lines }]);
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
      // Reports that were imported before must be applied first.
      await flushLogs();
      await index.importTriage(record);
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
    await index.enqueueJob(job);
  }

  /** Spooled reports would return after an erasure. */
  async function drainOrThrow(): Promise<void> {
    if ((await options.drainSpool()) > 0)
      throw new Error("spooled reports wait for an unavailable shard");
  }
}

/** How many bytes a read of a stream waits for. */
const PIECE_BYTES = 128 * 1024;

/** The bytes of a stream in few pieces. Cancels the stream if they are not read to the end. */
async function* readPieces(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = bytes.getReader({ mode: "byob" });
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(PIECE_BYTES));
      if (value !== undefined && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

const encoder = new TextEncoder();

function encodeLines(objects: readonly object[]): Uint8Array {
  return encoder.encode(objects.map((fields) => `${JSON.stringify(fields)}\n`).join(""));
}

function toTriageFields(record: TriageRecord): object {
  switch (record.kind) {
    case "decision":
      return toDecisionFields(record.decision);
    case "annotations": {
      const { splitOff: _, ...annotations } = record.annotations;
      const written = ANNOTATIONS_JSON.toWritten(annotations) as object;
      return { annotations: 1, digest: record.digest, ...written };
    }
    case "view": {
      // The address of a feed is a secret of this deployment.
      const { feedHash: _, ...view } = record.view;
      return { view: 1, ...view };
    }
    case "repositories":
      return { repositorySettings: 1, ...record.settings };
    case "code-owners":
      return { codeOwners: 1, ...record.codeOwners };
  }
}

/** In the version that the release before imports too. */
function toDecisionFields({ digest, decision }: IssueDecision): object {
  return { decision: 1, digest, ...(DECISION_JSON.toWritten(decision) as object) };
}

function parseSide(line: string): Side | undefined {
  return parseStoredReport(line)?.side ?? parseRollupLine(line)?.summary.side;
}

interface ExportedShard {
  readonly shard: string;
  readonly log: Pick<LogApi, "exportChunks">;
}

/** How far a shard is exported. */
interface ShardProgress extends ExportedShard {
  readonly after: number;
  /** The hour of its next chunk: `UNKNOWN_HOUR` at first, null if there is none. */
  readonly nextHour: string | null;
}

/** Sorts before every hour. The first answer of a shard states only the hour of its first chunk. */
const UNKNOWN_HOUR = "0";
const END = "end";

/**
 * Walks over the chunks of all shards for an export, in the order of UTC days. An import of several
 * shards therefore sees a server report before the browser reports that belong to it.
 */
class ExportReader {
  readonly #range: Pick<ExportRange, "day" | "maxChunks">;
  #shards: readonly ShardProgress[];

  /** `day`: `20261121`. `cursor`: that of an earlier export, `0.281999.2026112117,1.282000.end`. */
  constructor(
    shards: readonly ExportedShard[],
    { cursor = "", ...range }: Pick<ExportRange, "day" | "maxChunks"> & { cursor?: string },
  ) {
    const parts = cursor.split(",").map((one) => one.split("."));
    this.#range = range;
    this.#shards = shards.map((one) => {
      const [, after = 0, nextHour = UNKNOWN_HOUR] =
        parts.find(([shard]) => shard === one.shard) ?? [];
      return { ...one, after: Number(after), nextHour: nextHour === END ? null : nextHour };
    });
  }

  /** True if every chunk is exported. */
  get isDone(): boolean {
    return this.#shards.every(({ nextHour }) => nextHour === null);
  }

  /** Continues the export in a later request. */
  get cursor(): string {
    return this.#shards
      .map(({ shard, after, nextHour }) => `${shard}.${after}.${nextHour ?? END}`)
      .join();
  }

  /** The next part, which can be empty. Call it unless the export is done. */
  async readNext(): Promise<ExportedPart> {
    const [next, second] = this.#shards
      .filter(({ nextHour }) => nextHour !== null)
      .sort((a, b) => ((a.nextHour ?? "") < (b.nextHour ?? "") ? -1 : 1));
    if (next === undefined) throw new Error("the export is complete");
    const untilDay = second?.nextHour?.slice(0, 8);
    const range = { ...this.#range, after: next.after, untilDay };
    const part = await next.log.exportChunks(range);
    const progress = { ...next, after: part.lastChunk, nextHour: part.nextHour };
    this.#shards = this.#shards.map((one) => (one === next ? progress : one));
    return part;
  }
}
