/**
 * The desk's reading: snapshots from KV, which are near everywhere, and ProjectIndex, which is exact. A read of KV that
 * finds nothing is remembered by KV for a minute, so whatever may be about to appear is asked of the index as well.
 */

import type { Bindings } from "../../config.ts";
import { toUtcHour } from "../../core/issue/aggregate-report.ts";
import type { AnnotationChange, Annotations } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { Issue, IssueList, IssueSummary } from "../../core/issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  SavedView,
} from "../../core/issue/issue-query.ts";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { limits } from "../../core/limits.ts";
import type { ProjectStore } from "../../core/ports/storage-ports.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import {
  type LogPosition,
  type ReportSummary,
  summarizeReport,
} from "../../core/report/report-summary.ts";
import type { Digest, Report, ReportId } from "../../core/report.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import {
  aliasKey,
  chunkKey,
  issueKey,
  issueListKey,
  type ParsedPosition,
  parsePosition,
  selectShard,
} from "../kv/keys.ts";
import {
  parseRollupLine,
  parseStoredAlias,
  parseStoredIssue,
  parseStoredIssueList,
  parseStoredReport,
} from "../kv/stored-json.ts";
import { toTraceId } from "../kv/trace-ids.ts";
import { createStubs, type StoreOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

/** KV's shortest: how old a snapshot may be that another reader has fetched here before. */
const SNAPSHOT_CACHE_SECONDS = 30;
/** A chunk changes only when something in it is erased: copies of it that KV has near its readers are gone after so long. */
const CHUNK_CACHE_SECONDS = 3_600;
/** Younger reports are read from the log, so that nobody looks for their chunk before it is there. */
const UPLOAD_GRACE_MS = 600_000;
/** How long a page waits for KV or an object before it goes on without. */
const READ_TIMEOUT_MS = 3_000;
/** How long the list waits for the index before the snapshot must do. */
const INDEX_TIMEOUT_MS = 400;

/** As an alias is spelled. */
const RAY_ID_PATTERN = /^[0-9a-f]{16}$/;

interface ReportLocation {
  readonly digest: Digest;
  readonly position: LogPosition;
}

/** What an object answers, within patience. The types of RPC take a tuple for any array; what arrives is what was sent. */
async function awaitRpc<T>(answer: Promise<unknown>): Promise<T> {
  return (await withTimeout(answer, READ_TIMEOUT_MS)) as T;
}

/** The desk of one project. `nowMs` is the clock. */
export function createProjectStore(
  bindings: Pick<Bindings, "KV" | "PROJECT_INDEX" | "REPORT_LOG">,
  options: StoreOptions,
): ProjectStore {
  const { project, shards, nowMs } = options;
  const { KV: kv } = bindings;
  const { index, log } = createStubs(bindings, options);
  const createChunkReader = () =>
    new SingleFlightChunkReader(() => kv, { cacheTtl: CHUNK_CACHE_SECONDS });

  const readSnapshot = (key: string): Promise<unknown> =>
    withTimeout(
      kv.get(key, { type: "json", cacheTtl: SNAPSHOT_CACHE_SECONDS }),
      READ_TIMEOUT_MS,
    ).catch(() => null);
  const readListSnapshot = async () =>
    parseStoredIssueList(await readSnapshot(issueListKey(project, 0)));
  const readIssueSnapshot = async (digest: Digest) =>
    parseStoredIssue(await readSnapshot(issueKey(project, digest)));

  async function readArchivedLine(
    parsed: ParsedPosition,
    chunkReader: SingleFlightChunkReader,
  ): Promise<string | null> {
    const lines = await chunkReader.readLines(chunkKey(project, parsed)).catch(() => null);
    return lines?.[parsed.line] ?? null;
  }

  async function readReport(
    { position }: Pick<ReportSummary, "position">,
    chunkReader = createChunkReader(),
  ): Promise<Report | null> {
    const line = await readLine(position, chunkReader);
    return line === null ? null : parseStoredReport(line);
  }

  async function readLine(
    position: LogPosition,
    chunkReader = createChunkReader(),
  ): Promise<string | null> {
    const parsed = parsePosition(position);
    if (parsed === null) return null;
    const readFromLog = () => withTimeout(log(parsed.shard).readLine(position), READ_TIMEOUT_MS);
    // By the hour in the position, which is the log's own clock: a sender's may say anything.
    return parsed.hour >= toUtcHour(nowMs() - UPLOAD_GRACE_MS)
      ? ((await readFromLog().catch(() => null)) ?? (await readArchivedLine(parsed, chunkReader)))
      : ((await readArchivedLine(parsed, chunkReader)) ?? (await readFromLog()));
  }

  /** In its shard, else in any: the setting may have said another number when it came. */
  async function locateInShards(id: ReportId): Promise<LogPosition | null> {
    const ownShard = selectShard(id, shards);
    const position = await log(ownShard).locate(id);
    if (position !== null || shards === 1) return position;
    const others = Array.from({ length: shards }, (_, n) => String(n)).filter(
      (it) => it !== ownShard,
    );
    const found = await Promise.all(others.map((shard) => log(shard).locate(id)));
    return found.find((it) => it !== null) ?? null;
  }

  /** Where the newest report is that still stands, of those that a trace or a Ray ID names. */
  async function locateByTrace(code: string): Promise<ReportLocation | null> {
    const id = toTraceId(code);
    if (id === undefined) return null;
    const shardNames = Array.from({ length: shards }, (_, n) => String(n));
    const found = await Promise.all(shardNames.map((shard) => log(shard).locateByTrace(id)));
    // Positions begin with the hour; within one hour any may be the newest.
    for (const position of found.flat().sort().reverse()) {
      const location = await toLocation(position);
      if (location !== null) return location;
    }
    return null;
  }

  async function toLocation(position: LogPosition | null): Promise<ReportLocation | null> {
    const line = position === null ? null : await readLine(position);
    if (position === null || line === null) return null;
    const report = parseStoredReport(line);
    // One of a storm has no body of its own, and counts in its issue all the same.
    const summary =
      report === null ? parseRollupLine(line)?.summary : summarizeReport(report, position);
    return summary === undefined
      ? null
      : { digest: await resolveIssue({ ...summary, position }), position };
  }

  /** The index may count it elsewhere: a browser's report in the issue of the server's, and what was merged in another. */
  async function resolveIssue(summary: ReportSummary): Promise<Digest> {
    return withTimeout(index().resolveIssue(summary), READ_TIMEOUT_MS).catch(() => summary.digest);
  }

  return {
    async listNewestIssues(): Promise<IssueList> {
      const pending = index().listNewestIssues();
      const current = await withTimeout(pending, INDEX_TIMEOUT_MS).catch(() => null);
      const list = parseStoredIssueList(current as unknown) ?? (await readListSnapshot());
      return list ?? (await awaitRpc(pending));
    },

    async listIssues(query: IssueQuery, from?: IssueCursor): Promise<IssueListPage> {
      return awaitRpc(index().listIssues(query, from));
    },

    async listFacets(query: IssueQuery): Promise<readonly IssueFacet[]> {
      return awaitRpc(index().listFacets(query));
    },

    async listSimilarIssues(digest: Digest): Promise<readonly IssueSummary[]> {
      return awaitRpc(index().listSimilarIssues(digest));
    },

    async listReleases(): Promise<readonly ReleaseSummary[]> {
      return awaitRpc(index().listReleases());
    },

    async listLiveEvents(): Promise<readonly LiveEvent[]> {
      return awaitRpc(index().listLiveEvents());
    },

    async getAnnotations(digest: Digest): Promise<Annotations> {
      return awaitRpc(index().getAnnotations(digest));
    },

    async annotate(digest: Digest, change: AnnotationChange): Promise<Annotations | null> {
      return awaitRpc(index().annotate(digest, change));
    },

    async listViews(): Promise<readonly SavedView[]> {
      return awaitRpc(index().listViews());
    },

    async saveView(
      name: string,
      view: Omit<SavedView, "name"> | null,
    ): Promise<readonly SavedView[]> {
      return awaitRpc(index().saveView(name, view));
    },

    async decideMany(digests: readonly Digest[], input: DecisionInput): Promise<readonly Digest[]> {
      return awaitRpc(index().decideMany(digests, input));
    },

    async searchIssues(text: string): Promise<readonly Digest[]> {
      return withTimeout(index().searchIssues(text, limits.maxSearchResults), READ_TIMEOUT_MS);
    },

    async listCounters(days: number): Promise<readonly DailyCounter[]> {
      return withTimeout(index().listCounters(days), READ_TIMEOUT_MS);
    },

    async getHealth(): Promise<StoreHealth> {
      return withTimeout(index().getHealth(), READ_TIMEOUT_MS);
    },

    async getIssue(digest: Digest): Promise<Issue | null> {
      return (await readIssueSnapshot(digest)) ?? parseStoredIssue(await index().getIssue(digest));
    },

    async getFreshIssue(digest: Digest): Promise<Issue | null> {
      try {
        return parseStoredIssue(await withTimeout(index().getIssue(digest), READ_TIMEOUT_MS));
      } catch {
        return readIssueSnapshot(digest);
      }
    },

    async decide(digest: Digest, input: DecisionInput): Promise<Issue | null> {
      return parseStoredIssue(await withTimeout(index().decide(digest, input), READ_TIMEOUT_MS));
    },

    async findIssuesByAlias(alias: string): Promise<readonly Digest[]> {
      try {
        const led = await withTimeout(index().findIssuesByAlias(alias), READ_TIMEOUT_MS);
        const rayLocation =
          led.length === 0 && RAY_ID_PATTERN.test(alias) ? await locateByTrace(alias) : null;
        return rayLocation === null ? led : [rayLocation.digest];
      } catch {
        return parseStoredAlias(await readSnapshot(aliasKey(project, alias)));
      }
    },

    async locateReport(id: ReportId): Promise<ReportLocation | null> {
      return (await toLocation(await locateInShards(id))) ?? (await locateByTrace(id));
    },

    async locateRecentReport(id: ReportId): Promise<ReportLocation | null> {
      return toLocation(await log(selectShard(id, shards)).locateRecent(id));
    },

    readReport: (summary) => readReport(summary),

    async readReports(summaries): Promise<readonly (Report | null)[]> {
      const chunkReader = createChunkReader();
      return Promise.all(summaries.map((summary) => readReport(summary, chunkReader)));
    },
  };
}
