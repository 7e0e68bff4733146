/**
 * Decides when the snapshots of a project in KV are due, and creates their values when they are
 * written: issues, aliases, the newest-issues list, decisions, annotations and views. The key of a
 * deleted item is deleted.
 *
 * Requests ask the index first; they need snapshots when it is unavailable, and a rebuild needs
 * them. So new issues and changes by members are written at once, and the counts of a known issue
 * every five minutes.
 */

import type { Issue } from "../../core/issue/issue.ts";
import { getRetentionSeconds, isCommon } from "../../core/issue/retention.ts";
import type { Digest } from "../../core/report.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { CopyRank, type CopyRef } from "../kv/copy-queue.ts";
import { type CopySource, CopyWriter } from "../kv/copy-writer.ts";
import { ISSUE_LIST_NAME, toAliasKey, toCopyKey, toIssueKey, toIssueListKey } from "../kv/keys.ts";
import { ISSUE_JSON, ISSUE_LIST_JSON } from "../kv/stored-json.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import type { SharedAlarm } from "../shared-alarm.ts";
import type { IssueLists } from "./lists/issue-lists.ts";
import type { DirtyKeys } from "./state/dirty-keys.ts";
import type { IndexTables } from "./state/index-tables.ts";
import { NewIssueCopies } from "./tables/new-issue-copies.ts";

const ISSUE_DELAY_MS = 300_000;
const LIST_DELAY_MS = 60_000;
/** The rank of an alias by the highest level of the reports that link it. */
const RANK_OF_LEVEL = {
  server: CopyRank.changed,
  page: CopyRank.page,
  public: CopyRank.public,
} as const;
const MAX_COUNTED = 1_000;

export class SnapshotScheduler implements CopySource {
  readonly #deps;
  /** Writes what is outdated. */
  readonly writer: CopyWriter;
  /** New issues of storms, until they can be written. */
  readonly reserve: NewIssueCopies;

  constructor(deps: {
    readonly project: string;
    readonly tables: IndexTables;
    readonly lists: IssueLists;
    readonly storage: DurableObjectStorage;
    readonly alarm: SharedAlarm;
    readonly kv: () => KVNamespace;
    readonly budget: WriteBudget;
    readonly retentionDays: number;
    readonly nowMs: () => number;
    /** Resolves the places of issues, and assigns new ones. Never rejects. */
    readonly complete: (digests: readonly Digest[]) => Promise<unknown>;
    /** True while the state of the index must not be written to KV. */
    readonly isPaused: () => boolean;
  }) {
    this.#deps = deps;
    this.writer = new CopyWriter({ ...deps, source: this });
    this.reserve = new NewIssueCopies(deps.storage, deps.nowMs);
  }

  /** Marks snapshots as outdated. Call in the turn of the change: both are stored or neither. */
  markDirty(keys: DirtyKeys): void {
    const { issues, pageIssues, publicIssues, newIssues, aliases } = keys;
    const { tables } = this.#deps;
    const documents = tables.takeChangedDocuments();
    for (const ref of documents) {
      this.#mark(ref, CopyRank.triage);
      // A merged issue waits until its target is written: see `onWritten`.
      const { name } = ref;
      if (tables.merges.resolve(name) !== name) this.writer.queue.remove({ kind: "issue", name });
    }
    const triaged = new Set(documents.map(({ name }) => name));
    const isNew = (name: Digest) => newIssues.has(name) || triaged.has(name);
    const hasTombstones = tables.tombstones.hasAny("issue");
    const groups = new Map<string, IssueGroup>();
    for (const [names, rank] of [
      [issues, CopyRank.changed],
      [pageIssues, CopyRank.page],
      [publicIssues, CopyRank.public],
    ] as const) {
      for (const name of names) {
        const comesFirst =
          names === issues && isNew(name) && tables.issues.get(name)?.state === "open";
        const marks = [comesFirst ? CopyRank.new : rank, isNew(name) ? 0 : ISSUE_DELAY_MS] as const;
        if (hasTombstones) this.#mark({ kind: "issue", name }, ...marks);
        else addToGroup(groups, name, ...marks);
      }
    }
    for (const group of groups.values()) this.#markIssues(group, newIssues);
    for (const name of aliases)
      this.#mark({ kind: "alias", name }, RANK_OF_LEVEL[tables.aliases.getTrust(name)]);
    const all = [...issues, ...pageIssues, ...publicIssues];
    if (all.length === 0) return;
    const hasNew = all.some(isNew);
    const lowerRank = pageIssues.size > 0 ? CopyRank.page : CopyRank.public;
    const rank = issues.size > 0 ? CopyRank.triage : lowerRank;
    const list = { kind: "issue-list", name: ISSUE_LIST_NAME } as const;
    this.#mark(list, rank, hasNew ? 0 : LIST_DELAY_MS);
  }

  /** Marks issues together. Many new ones wait in reserve. */
  #markIssues({ names, rank, delayMs }: IssueGroup, newIssues: ReadonlySet<Digest>): void {
    const { issues } = this.#deps.tables;
    const isReserved = (name: Digest) =>
      delayMs === 0 && newIssues.has(name) && !this.writer.isRecent({ kind: "issue", name });
    const [plain, added] = [new Set(names), names.filter(isReserved)];
    const known = added.flatMap((digest) => {
      const id = issues.getId(digest);
      return id === undefined ? [] : { id, digest };
    });
    const left = new Set(this.reserve.add(known, rank));
    const reserved = known.filter((issue) => !left.has(issue));
    for (const { digest } of reserved) plain.delete(digest);
    if (reserved.length > 0) this.writer.onReserved();
    this.writer.markAll("issue", [...plain], rank, delayMs);
  }

  /** A request asked for the issue, so its outdated snapshot is written before others. */
  onViewed(digest: Digest): void {
    const ref = { kind: "issue", name: digest } as const;
    const id = this.#deps.tables.issues.getId(digest);
    if (id !== undefined && this.reserve.has(id)) this.writer.mark(ref, CopyRank.viewed);
    else this.writer.queue.raise(ref, CopyRank.viewed);
  }

  /** Erased data in KV is removed before any other write. */
  #mark(ref: CopyRef, rank: CopyRank, delayMs = 0): void {
    if (this.#deps.tables.tombstones.has(ref.kind, ref.name))
      this.writer.mark(ref, CopyRank.erasure);
    else this.writer.mark(ref, rank, delayMs);
  }

  /** The outdated snapshots, counted up to a maximum, and for how long the oldest is outdated. */
  getBacklog(): Pick<StoreHealth["snapshots"], "waiting" | "hasMore" | "ageMs"> {
    const reserved = this.reserve.getBacklog();
    const count = this.writer.queue.count(MAX_COUNTED + 1) + reserved.count;
    const times = [this.writer.queue.getOldestMs(), reserved.oldestMs];
    const known = times.filter((ms) => ms !== null);
    const oldestMs = known.length === 0 ? null : Math.min(...known);
    return {
      waiting: Math.min(count, MAX_COUNTED),
      ...(count > MAX_COUNTED && { hasMore: true }),
      ...(oldestMs !== null && { ageMs: Math.max(0, this.#deps.nowMs() - oldestMs) }),
    };
  }

  /** The current value of a snapshot. */
  read({ kind, name }: CopyRef): ReturnType<CopySource["read"]> {
    const { project, tables, lists, nowMs } = this.#deps;
    switch (kind) {
      case "issue": {
        const issue = tables.issues.get(name);
        const value =
          issue === undefined ? null : ISSUE_JSON.toWritten(this.#toIssueSnapshot(issue));
        const ttlSeconds = this.#getTtlSeconds(issue !== undefined && isCommon(issue, nowMs()));
        return { key: toIssueKey(project, name), value, ttlSeconds };
      }
      case "alias": {
        const digests = tables.aliases.findHighestDigests(name);
        const value = digests.length === 0 ? null : { v: 1, digests };
        return { key: toAliasKey(project, name), value, ttlSeconds: this.#getTtlSeconds(false) };
      }
      case "issue-list": {
        tables.writeForQuery(nowMs());
        const value = ISSUE_LIST_JSON.toWritten(lists.createSnapshot(nowMs()));
        return { key: toIssueListKey(project), value, ttlSeconds: this.#getTtlSeconds(false) };
      }
      // Documents do not expire: an issue may return after a year.
      default: {
        const documents = tables.copied.find((table) => table.kind === kind);
        return { key: toCopyKey(project, { kind, name }), value: documents?.getCopy(name) ?? null };
      }
    }
  }

  async prepare(refs: readonly CopyRef[]): Promise<void> {
    const issues = refs.filter(({ kind }) => kind === "issue");
    if (issues.length > 0) await this.#deps.complete(issues.map(({ name }) => name));
  }

  onWritten({ kind, name }: CopyRef): void {
    const { tombstones, issues } = this.#deps.tables;
    tombstones.remove(kind, name);
    if (kind !== "issue") return;
    // The snapshot of a merged issue is deleted after that of its target is written.
    const { mergedDigests = [], splitOff = [] } = issues.get(name) ?? {};
    const merged = [...mergedDigests, ...splitOff].filter((one) => tombstones.has(kind, one));
    for (const one of merged) this.#mark({ kind, name: one }, CopyRank.erasure);
  }

  #toIssueSnapshot({ mergedWatermarks: _, ...issue }: Issue): Issue {
    return { ...issue, watermarks: this.#deps.tables.shardProgress.getWatermarks() };
  }

  #getTtlSeconds(isCommonIssue: boolean): number {
    return getRetentionSeconds(this.#deps.retentionDays, isCommonIssue);
  }
}

/** Issues whose snapshots are due at the same time. */
interface IssueGroup {
  readonly names: Digest[];
  readonly rank: CopyRank;
  readonly delayMs: number;
}

function addToGroup(
  groups: Map<string, IssueGroup>,
  name: Digest,
  rank: CopyRank,
  delayMs: number,
): void {
  const key = `${rank} ${delayMs}`;
  const known = groups.get(key);
  if (known === undefined) groups.set(key, { names: [name], rank, delayMs });
  else known.names.push(name);
}
