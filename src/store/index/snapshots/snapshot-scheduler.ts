/**
 * Decides when the snapshots of a project in KV are due, and creates their values when they are
 * written: issues, aliases, the newest-issues list, decisions, annotations and views. The key of a
 * deleted item is deleted.
 *
 * Requests ask the index first; they need snapshots when it is unavailable, and a rebuild needs
 * them. So new issues and changes by members are written at once, and the counts of a known issue
 * every five minutes.
 */

import type { Issue } from "../../../core/issue/issue.ts";
import { getRetentionSeconds, isCommon } from "../../../core/issue/retention.ts";
import type { Digest } from "../../../core/report.ts";
import type { StoreHealth } from "../../../core/stats/store-health.ts";
import {
  ISSUE_LIST_NAME,
  toAliasKey,
  toDocumentKey,
  toIssueKey,
  toIssueListKey,
} from "../../kv/keys.ts";
import type { WriteBudget } from "../../kv/write-budget.ts";
import type { SharedAlarm } from "../../shared-alarm.ts";
import type { IssueLists } from "../lists/issue-lists.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { SnapshotQueue, SnapshotRank, type SnapshotRef } from "./snapshot-queue.ts";
import { type SnapshotSource, SnapshotWriter } from "./snapshot-writer.ts";

/** If the object stops during a write, the alarm starts it after this time. */
const RESTART_AFTER_MS = 5_000;
const ISSUE_DELAY_MS = 300_000;
const LIST_DELAY_MS = 60_000;
/** The rank of an alias by the highest level of the reports that link it. */
const RANK_OF_LEVEL = {
  server: SnapshotRank.changed,
  page: SnapshotRank.page,
  public: SnapshotRank.public,
} as const;
const MAX_COUNTED = 1_000;

export class SnapshotScheduler implements SnapshotSource {
  readonly #deps;
  readonly #queue: SnapshotQueue;
  readonly #writer: SnapshotWriter;
  #writing: Promise<void> | null = null;
  /** No key is due before this time, in ms. */
  #nextMs = 0;

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
    const { kv, nowMs, budget, isPaused, storage } = deps;
    this.#queue = new SnapshotQueue(storage);
    this.#writer = new SnapshotWriter({
      queue: this.#queue,
      source: this,
      budget,
      nowMs,
      isPaused,
      kv: {
        put: (key, value, expirationTtl) =>
          kv().put(key, value, { ...(expirationTtl && { expirationTtl }) }),
        delete: (key) => kv().delete(key),
      },
    });
  }

  /** Marks snapshots as outdated. Call in the turn of the change: both are stored or neither. */
  markDirty(keys: DirtyKeys): void {
    const { issues, pageIssues, publicIssues, newIssues, aliases } = keys;
    const { tables } = this.#deps;
    const documents = tables.takeChangedDocuments();
    for (const ref of documents) {
      this.#mark(ref, SnapshotRank.triage);
      // A merged issue waits until its target is written: see `onWritten`.
      const { name } = ref;
      if (tables.merges.resolve(name) !== name) this.#queue.remove({ kind: "issue", name });
    }
    const triaged = new Set(documents.map(({ name }) => name));
    const isNew = (name: Digest) => newIssues.has(name) || triaged.has(name);
    for (const [names, rank] of [
      [issues, SnapshotRank.changed],
      [pageIssues, SnapshotRank.page],
      [publicIssues, SnapshotRank.public],
    ] as const) {
      for (const name of names) {
        const comesFirst =
          names === issues && isNew(name) && tables.issues.get(name)?.state === "open";
        const ref = { kind: "issue", name } as const;
        this.#mark(ref, comesFirst ? SnapshotRank.new : rank, isNew(name) ? 0 : ISSUE_DELAY_MS);
      }
    }
    for (const name of aliases)
      this.#mark({ kind: "alias", name }, RANK_OF_LEVEL[tables.aliases.getTrust(name)]);
    const all = [...issues, ...pageIssues, ...publicIssues];
    if (all.length === 0) return;
    const hasNew = all.some(isNew);
    const lowerRank = pageIssues.size > 0 ? SnapshotRank.page : SnapshotRank.public;
    const rank = issues.size > 0 ? SnapshotRank.triage : lowerRank;
    const list = { kind: "issue-list", name: ISSUE_LIST_NAME } as const;
    this.#mark(list, rank, hasNew ? 0 : LIST_DELAY_MS);
  }

  /** A request asked for the issue, so its outdated snapshot is written before others. */
  onViewed(digest: Digest): void {
    this.#queue.raise({ kind: "issue", name: digest }, SnapshotRank.viewed);
  }

  /** Erased data in KV is removed before any other write. */
  #mark(ref: SnapshotRef, rank: SnapshotRank, delayMs = 0): void {
    const isErasure = this.#deps.tables.tombstones.has(ref.kind, ref.name);
    const dueMs = isErasure
      ? this.#writer.markDirty(ref, SnapshotRank.erasure)
      : this.#writer.markDirty(ref, rank, delayMs);
    this.#nextMs = Math.min(this.#nextMs, dueMs);
  }

  /** Writes the snapshots that waited for a job. Never rejects. */
  resume(): Promise<void> {
    this.#nextMs = 0;
    return this.write();
  }

  /**
   * Writes what is due; the alarm writes the rest. Concurrent calls share one write. `isAlarm`:
   * called by the alarm, which the runtime repeats if the object stops. Never rejects.
   */
  write({ isAlarm = false } = {}): Promise<void> {
    if (this.#deps.isPaused()) return Promise.resolve();
    this.#writing ??= this.#writeDue(isAlarm).finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Resolves when no snapshot is being written. */
  async waitForWrite(): Promise<void> {
    await this.#writing;
  }

  /** The outdated snapshots, counted up to a maximum, and for how long the oldest is outdated. */
  getBacklog(): Pick<StoreHealth["snapshots"], "waiting" | "hasMore" | "ageMs"> {
    const count = this.#queue.count(MAX_COUNTED + 1);
    const oldestMs = this.#queue.getOldestMs();
    return {
      waiting: Math.min(count, MAX_COUNTED),
      ...(count > MAX_COUNTED && { hasMore: true }),
      ...(oldestMs !== null && { ageMs: Math.max(0, this.#deps.nowMs() - oldestMs) }),
    };
  }

  async #writeDue(isAlarm: boolean): Promise<void> {
    const { alarm, nowMs } = this.#deps;
    const nextMs = this.#nextMs <= nowMs() ? this.#writer.getNextMs() : this.#nextMs;
    if (nextMs !== null && nextMs <= nowMs()) {
      // Set before the first put: if the object stops during the write, the alarm continues it.
      if (!isAlarm) await alarm.setBy(nowMs() + RESTART_AFTER_MS);
      this.#nextMs = Infinity;
      this.#nextMs = Math.min(this.#nextMs, (await this.#writer.writeDue()) ?? Infinity);
    } else this.#nextMs = nextMs ?? Infinity;
    if (this.#nextMs < Infinity) await alarm.setBy(this.#nextMs);
  }

  /** The current value of a snapshot. */
  read({ kind, name }: SnapshotRef): ReturnType<SnapshotSource["read"]> {
    const { project, tables, lists, nowMs } = this.#deps;
    switch (kind) {
      case "issue": {
        const issue = tables.issues.get(name);
        const value = issue === undefined ? null : this.#toIssueSnapshot(issue);
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
        const value = lists.createSnapshot(nowMs());
        return { key: toIssueListKey(project), value, ttlSeconds: this.#getTtlSeconds(false) };
      }
      // Documents do not expire: an issue may return after a year.
      default: {
        const documents = tables.copied.find((table) => table.kind === kind);
        return { key: toDocumentKey(kind, project, name), value: documents?.get(name) ?? null };
      }
    }
  }

  async prepare(refs: readonly SnapshotRef[]): Promise<void> {
    const issues = refs.filter(({ kind }) => kind === "issue");
    if (issues.length > 0) await this.#deps.complete(issues.map(({ name }) => name));
  }

  onWritten({ kind, name }: SnapshotRef): void {
    const { tombstones, issues } = this.#deps.tables;
    tombstones.remove(kind, name);
    if (kind !== "issue") return;
    // The snapshot of a merged issue is deleted after that of its target is written.
    const { mergedDigests = [], splitOff = [] } = issues.get(name) ?? {};
    const merged = [...mergedDigests, ...splitOff].filter((one) => tombstones.has(kind, one));
    for (const one of merged) this.#mark({ kind, name: one }, SnapshotRank.erasure);
  }

  #toIssueSnapshot({ mergedWatermarks: _, ...issue }: Issue): Issue {
    return { ...issue, watermarks: this.#deps.tables.shardProgress.getWatermarks() };
  }

  #getTtlSeconds(isCommonIssue: boolean): number {
    return getRetentionSeconds(this.#deps.retentionDays, isCommonIssue);
  }
}
