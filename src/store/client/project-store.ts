/**
 * Reads a project for the Worker: snapshots from KV, which are fast in every location, and the
 * index, which is exact. KV caches misses for up to a minute, so the index is asked too for data
 * that may be new.
 */

import { hash } from "node:crypto";
import type { Bindings } from "../../bindings.ts";
import type { Issue, IssueList } from "../../core/issue/issue.ts";
import type { IssueFilter, IssueQuery } from "../../core/issue/issue-query.ts";
import { limits } from "../../core/limits.ts";
import { isRayId } from "../../core/lookup/alias.ts";
import type { CurrentIssue, ReportLocation } from "../../core/ports/storage-ports.ts";
import {
  listReportCodes,
  normalizePerson,
  type ReportCode,
  toStoredPart,
} from "../../core/report/report-codes.ts";
import { listOtherIds } from "../../core/report/report-id.ts";
import type { LogPosition, ReportSummary } from "../../core/report/report-summary.ts";
import { summarizeReport } from "../../core/report/report-summary.ts";
import type { Digest, Report, ReportId } from "../../core/report.ts";
import { toUtcHour } from "../../core/utc-time.ts";
import { SingleFlightChunkReader } from "../kv/chunk-reader.ts";
import {
  type ParsedPosition,
  parsePosition,
  selectShard,
  sortNewestFirst,
  toAliasKey,
  toChunkKey,
  toIssueKey,
  toIssueListKey,
} from "../kv/keys.ts";
import {
  ALIAS_JSON,
  ISSUE_JSON,
  ISSUE_LIST_JSON,
  parseRollupLine,
  parseStoredReport,
} from "../kv/stored-json.ts";
import { toCodeId, toTraceId } from "../kv/trace-ids.ts";
import type { TracedReports } from "../log/report-log.ts";
import { connectProject, type IndexApi, type StoreOptions } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";

/** KV's minimum. Another reader may have cached a snapshot up to this long ago. */
const SNAPSHOT_CACHE_SECONDS = 30;
/** Chunks change only by erasure. Cached copies of erased contents expire after this time. */
const CHUNK_CACHE_SECONDS = 3_600;
/** Newer reports are read from the log, so that KV does not cache a miss of their chunk. */
const UPLOAD_GRACE_MS = 600_000;
const READ_TIMEOUT_MS = 3_000;
/** The issue list waits this long for the index before it uses the snapshot. */
const LIST_TIMEOUT_MS = 400;

const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer");

/** Reads that combine index, log and KV. */
interface ProjectReads {
  /** The newest issues; from the snapshot if the index does not answer quickly. */
  listNewestIssues(): Promise<IssueList>;
  /** An issue from its snapshot (up to a minute old), or from the index; null if unknown. */
  getIssue(digest: Digest): Promise<Issue | null>;
  /**
   * The current issue with all acknowledged reports; its snapshot while the index is unavailable.
   * Null if unknown.
   */
  getFreshIssue(digest: Digest): Promise<Issue | null>;
  /**
   * An issue with its annotations, similar issues and all acknowledged reports. Rejects like an
   * operation of the index.
   */
  getCurrentIssue(digest: Digest): Promise<CurrentIssue>;
  /**
   * The issues of an alias (a normalized foreign code), newest first; for a Ray ID the issue of its
   * newest report, a report of a server before those of pages. From the snapshot while the index is
   * unavailable.
   */
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /**
   * The location of a report. `id` is its id, the sender's id (the report with the highest trust
   * counts) or a trace ID. Null if unknown.
   */
  locateReport(id: ReportId): Promise<ReportLocation | null>;
  /**
   * Like `locateReport`, for reports of the last day only. The cost is low for any id, because
   * receipts are public.
   */
  locateRecentReport(id: ReportId): Promise<ReportLocation | null>;
  /**
   * The newest reports of a trace with their issues, oldest first: what one request caused in
   * browsers, Workers and objects. Anyone can copy a trace into a report.
   */
  listTrace(traceId: string): Promise<readonly TracedReport[]>;
  /** As the methods of the index, also with the filter `user`, which only the logs know. */
  listIssues: IndexApi["listIssues"];
  findNeighbors: IndexApi["findNeighbors"];
  listFacets: IndexApi["listFacets"];
  listValues: IndexApi["listValues"];
  /**
   * The newest reports with a code, the newest first, at most `limits.maxReportsPerCode`, with
   * their issues. Erased reports have no code.
   */
  findReports(code: ReportCode): Promise<readonly TracedReport[]>;
  /** The body of a report, from KV or the log; null if it is no longer stored. */
  readReport(summary: Pick<ReportSummary, "position">): Promise<Report | null>;
  /** The bodies of several reports, in order. Each chunk is read once. */
  readReports(
    summaries: readonly Pick<ReportSummary, "position">[],
  ): Promise<readonly (Report | null)[]>;
}

/** A report of a trace. */
export interface TracedReport {
  /** The issue that counts it. */
  readonly digest: Digest;
  readonly summary: ReportSummary;
}

/** The storage of the desk: the methods of the index, some of them with what KV and the logs add. */
export type ProjectStore = Omit<IndexApi, keyof ProjectReads> & ProjectReads;

const isSameCode = (code: ReportCode) => (other: ReportCode) =>
  other.kind === code.kind && other.text === code.text;

/** The storage of one project. */
export function createProjectStore(
  bindings: Pick<Bindings, "KV">,
  options: StoreOptions,
): ProjectStore {
  const { project, shards, nowMs } = options;
  const { KV: kv } = bindings;
  const { index, log } = connectProject(() => bindings, options);
  const shardNames = Array.from({ length: shards }, (_, n) => String(n));
  const createChunkReader = () =>
    new SingleFlightChunkReader(() => kv, { cacheTtl: CHUNK_CACHE_SECONDS });

  const readSnapshot = (key: string): Promise<unknown> =>
    withTimeout(
      kv.get(key, { type: "json", cacheTtl: SNAPSHOT_CACHE_SECONDS }),
      READ_TIMEOUT_MS,
    ).catch(() => null);
  const readListSnapshot = async () =>
    ISSUE_LIST_JSON.parseOrNull(await readSnapshot(toIssueListKey(project)));
  const readIssueSnapshot = async (digest: Digest) =>
    ISSUE_JSON.parseOrNull(await readSnapshot(toIssueKey(project, digest)));

  async function readArchivedLine(
    parsed: ParsedPosition,
    chunkReader: SingleFlightChunkReader,
  ): Promise<string | null> {
    const lines = await chunkReader.readLines(toChunkKey(project, parsed)).catch(() => null);
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
    const readFromLog = () => log(parsed.shard).readLine(position);
    // The position has the hour of the log's clock; a sender's clock can have any value.
    return parsed.hour >= toUtcHour(nowMs() - UPLOAD_GRACE_MS)
      ? ((await readFromLog().catch(() => null)) ?? (await readArchivedLine(parsed, chunkReader)))
      : ((await readArchivedLine(parsed, chunkReader)) ?? (await readFromLog()));
  }

  /** Asks the id's shard, then the others: the number of shards may have changed. */
  async function locateInShards(id: ReportId): Promise<LogPosition | null> {
    const ownShard = selectShard(id, shards);
    const otherIds = listOtherIds(id, sha256);
    const position = await log(ownShard).locate(id, otherIds);
    if (position !== null) return position;
    const others = shardNames.filter((shard) => shard !== ownShard);
    const found = await Promise.all(others.map((shard) => log(shard).locate(id, otherIds)));
    return found.find((it) => it !== null) ?? null;
  }

  /** The reports of a trace or Ray ID, the newest first; null if the code is neither. */
  async function listTraced(code: string): Promise<TracedReports | null> {
    const id = toTraceId(code);
    if (id === undefined) return null;
    const found = await Promise.all(shardNames.map((shard) => log(shard).locateByTrace(id)));
    return {
      ofServers: sortNewestFirst(found.flatMap((traced) => traced.ofServers)),
      others: sortNewestFirst(found.flatMap((traced) => traced.others)),
    };
  }

  /** The newest stored report of a trace or Ray ID, of a server if there is one. */
  async function locateByTrace(code: string, ofServer = false): Promise<ReportLocation | null> {
    const traced = await listTraced(code);
    if (traced === null) return null;
    return findStored(ofServer ? traced.ofServers : [...traced.ofServers, ...traced.others]);
  }

  async function findStored(positions: readonly LogPosition[]): Promise<ReportLocation | null> {
    for (const position of positions) {
      const location = await toLocation(position);
      if (location !== null) return location;
    }
    return null;
  }

  async function toLocation(position: LogPosition | null): Promise<ReportLocation | null> {
    const line = position === null ? null : await readLine(position);
    if (position === null || line === null) return null;
    const report = parseStoredReport(line);
    // A rolled-up report has no body, but it has an issue.
    const summary =
      report === null ? parseRollupLine(line)?.summary : summarizeReport(report, position);
    return summary === undefined
      ? null
      : {
          digest: await resolveIssue({ ...summary, position }),
          position,
          ...(report !== null && { id: report.id }),
        };
  }

  /** The issue that counts a report. It differs from the report's digest after a link or merge. */
  async function resolveIssue(summary: ReportSummary): Promise<Digest> {
    return index.resolveIssue(summary).catch(() => summary.digest);
  }

  /** The query with the issues of a person in place of the filter `user`. */
  async function resolvePersons(query: IssueQuery): Promise<IssueQuery> {
    if (!query.filters.some(({ key }) => key === "user")) return query;
    const filters = query.filters.map(async (filter): Promise<IssueFilter> => {
      const text = filter.key === "user" ? normalizePerson(filter.value) : undefined;
      if (text === undefined) return filter;
      const found = await findReports({ kind: "person", text });
      const digests = new Set(found.map(({ digest }) => digest));
      return { ...filter, key: "digest", value: [...digests].join(",") };
    });
    return { ...query, filters: await Promise.all(filters) };
  }

  async function findReports(code: ReportCode): Promise<readonly TracedReport[]> {
    const [id, part] = [toCodeId(code), toStoredPart(code)];
    const found = await Promise.all(shardNames.map((shard) => log(shard).locateByCode(id, part)));
    const newest = sortNewestFirst([...new Set(found.flat())]).slice(0, limits.maxReportsPerCode);
    const chunkReader = createChunkReader();
    const reports = await Promise.all(
      newest.map(async (position) => {
        const report = await readReport({ position }, chunkReader);
        const hasCode = report !== null && listReportCodes(report).some(isSameCode(code));
        return hasCode ? summarizeReport(report, position) : null;
      }),
    );
    const summaries = reports.filter((summary) => summary !== null);
    return Promise.all(
      summaries.map(async (summary) => ({ summary, digest: await resolveIssue(summary) })),
    );
  }

  const reads: ProjectReads = {
    async listNewestIssues() {
      const pending = index.listNewestIssues();
      const current = await withTimeout(pending, LIST_TIMEOUT_MS).catch(() => null);
      return ISSUE_LIST_JSON.parseOrNull(current) ?? (await readListSnapshot()) ?? pending;
    },

    async getIssue(digest) {
      // A snapshot that cannot be read may be of a later release; the index decides.
      const snapshot = await readIssueSnapshot(digest).catch(() => null);
      return snapshot ?? ISSUE_JSON.parseOrNull(await index.getIssue(digest));
    },

    async getFreshIssue(digest) {
      try {
        return ISSUE_JSON.parseOrNull(await index.getIssue(digest));
      } catch {
        return readIssueSnapshot(digest);
      }
    },

    async getCurrentIssue(digest) {
      const current = await index.getCurrentIssue(digest);
      return { ...current, issue: ISSUE_JSON.parseOrNull(current.issue) };
    },

    async findIssuesByAlias(alias) {
      const pendingTraced = isRayId(alias)
        ? withTimeout(listTraced(alias), READ_TIMEOUT_MS).catch(() => null)
        : null;
      try {
        const digests = await index.findIssuesByAlias(alias);
        const traced = await pendingTraced;
        if (traced === null) return digests;
        // A stranger may have sent the Ray ID of a server's report as a digest.
        const { ofServers, others } = traced;
        const location = await findStored(
          digests.length === 0 ? [...ofServers, ...others] : ofServers,
        );
        return location === null ? digests : [location.digest];
      } catch {
        const snapshot = await readSnapshot(toAliasKey(project, alias));
        return ALIAS_JSON.parseOrNull(snapshot)?.digests ?? [];
      }
    },

    async locateReport(id) {
      const location = await toLocation(await locateInShards(id));
      if (location === null) return locateByTrace(id);
      if (location.id === id) return location;
      // A stranger may have sent the trace of a server's report as an event id.
      return (await locateByTrace(id, true)) ?? location;
    },

    async locateRecentReport(id) {
      const otherIds = listOtherIds(id, sha256);
      return toLocation(await log(selectShard(id, shards)).locateRecent(id, otherIds));
    },

    findReports,

    async listIssues(query, from, count) {
      return index.listIssues(await resolvePersons(query), from, count);
    },

    async findNeighbors(query, digest) {
      return index.findNeighbors(await resolvePersons(query), digest);
    },

    async listFacets(query) {
      return index.listFacets(await resolvePersons(query));
    },

    async listValues({ query, ...asked }) {
      return index.listValues({ ...asked, query: query && (await resolvePersons(query)) });
    },

    async listTrace(traceId) {
      const id = toTraceId(traceId);
      if (id === undefined) return [];
      const lines = await Promise.all(shardNames.map((shard) => log(shard).readTrace(id)));
      const reports = lines.flat().flatMap(({ position, line }) => {
        const report = line === null ? null : parseStoredReport(line);
        return report === null ? [] : [summarizeReport(report, position)];
      });
      const traced = reports.map(async (summary) => ({
        summary,
        // Only reports of browsers are linked later.
        digest: summary.side === "browser" ? await resolveIssue(summary) : summary.digest,
      }));
      return (await Promise.all(traced)).sort((a, b) => a.summary.atMs - b.summary.atMs);
    },

    readReport: (summary) => readReport(summary),

    async readReports(summaries) {
      const chunkReader = createChunkReader();
      return Promise.all(summaries.map((summary) => readReport(summary, chunkReader)));
    },
  };
  // All else is as in the index.
  return Object.assign(Object.create(index) as IndexApi, reads);
}
