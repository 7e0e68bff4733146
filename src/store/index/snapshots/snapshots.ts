/**
 * The snapshots of a project in KV: issues, aliases, the newest-issues list, decisions, annotations
 * and views. Values are created when they are written; the key of a deleted item is deleted.
 */

import type { Issue } from "../../../core/issue/issue.ts";
import { getRetentionSeconds, isCommon } from "../../../core/issue/retention.ts";
import type { Digest } from "../../../core/report.ts";
import {
  aliasKey,
  annotationsKey,
  decisionKey,
  ISSUE_LIST_NAME,
  issueKey,
  issueListKey,
  VIEWS_NAME,
  viewsKey,
} from "../../kv/keys.ts";
import type { WriteBudget } from "../../kv/write-budget.ts";
import type { IssueLists } from "../lists/issue-lists.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { listViews } from "../state/queries.ts";
import { SnapshotWriter } from "./snapshot-writer.ts";

const RETRY_MS = 5_000;

interface ProjectSnapshotsDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly lists: IssueLists;
  readonly storage: DurableObjectStorage;
  readonly kv: () => KVNamespace;
  readonly budget: WriteBudget;
  readonly retentionDays: number;
  readonly nowMs: () => number;
  /** True while the state of the index must not be written to KV. */
  readonly isPaused: () => boolean;
  /** True while another part of the object needs the alarm. */
  readonly needsAlarm: () => boolean;
}

export class ProjectSnapshots {
  readonly #deps: ProjectSnapshotsDeps;
  readonly #writer: SnapshotWriter;
  #writing: Promise<void> | null = null;

  /** Marks everything as dirty that was not written when the object was last active. */
  constructor(deps: ProjectSnapshotsDeps) {
    this.#deps = deps;
    const { kv, nowMs, budget } = deps;
    this.#writer = new SnapshotWriter(
      {
        put: (key, value, expirationTtl) =>
          kv().put(key, value, { ...(expirationTtl && { expirationTtl }) }),
        delete: (key) => kv().delete(key),
      },
      nowMs,
      budget,
      deps.isPaused,
    );
    this.reload();
  }

  /** The number of keys to write. */
  get dirtyCount(): number {
    return this.#writer.dirtyCount;
  }

  /** Marks every outdated key as dirty, as the tables record them. */
  reload(): void {
    const { issues, aliases, decisions, annotations, merges, tombstones } = this.#deps.tables;
    const dirty = new Set(issues.listDirty());
    // The snapshot of a merged issue is deleted after that of its target is written.
    const tombstoned = tombstones
      .listNames("issue")
      .filter((digest) => !dirty.has(merges.resolve(digest)));
    this.markDirty({
      issues: new Set([...dirty, ...tombstoned]),
      aliases: new Set([...aliases.listDirty(), ...tombstones.listNames("alias")]),
      decisions: new Set([...decisions.listDirty(), ...tombstones.listNames("decision")]),
      annotations: new Set([...annotations.listDirty(), ...tombstones.listNames("annotations")]),
    });
    if (issues.isListDirty() || tombstones.has("issue-list", ISSUE_LIST_NAME))
      this.#markListDirty([...dirty].every((digest) => issues.isPublic(digest)));
  }

  markDirty({ issues, aliases, decisions, annotations }: DirtyKeys): void {
    for (const digest of decisions) this.#markDecisionDirty(digest);
    for (const digest of annotations) this.#markAnnotationsDirty(digest);
    if (this.#deps.tables.views.listDirty().length > 0) this.#markViewsDirty();
    const isPublic = (digest: Digest) => this.#deps.tables.issues.isPublic(digest);
    for (const digest of issues) this.#markIssueDirty(digest);
    for (const alias of aliases) this.#markAliasDirty(alias);
    if (issues.size > 0) this.#markListDirty([...issues].every(isPublic));
  }

  /**
   * Writes what is due; the alarm writes the rest. Concurrent calls share one write. Never rejects.
   */
  write(): Promise<void> {
    if (this.#deps.isPaused()) return Promise.resolve();
    this.#writing ??= this.#writeDue().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Resolves when no snapshot is being written. */
  async waitForWrite(): Promise<void> {
    await this.#writing;
  }

  async #writeDue(): Promise<void> {
    const { storage, nowMs, needsAlarm } = this.#deps;
    // Also before the first put: if the object stops during the write, the alarm restarts it.
    await storage.setAlarm(nowMs() + RETRY_MS);
    const dueMs = await this.#writer.writeDue();
    if (needsAlarm()) return;
    if (dueMs === null) await storage.deleteAlarm();
    else await storage.setAlarm(dueMs);
  }

  #getTtlSeconds(isCommonIssue: boolean): number {
    return getRetentionSeconds(this.#deps.retentionDays, isCommonIssue);
  }

  #markIssueDirty(digest: Digest): void {
    const { project, tables, nowMs } = this.#deps;
    const { issues, tombstones } = tables;
    this.#writer.markDirty({
      key: issueKey(project, digest),
      isErasure: tombstones.has("issue", digest),
      isPublic: issues.isPublic(digest),
      createValue: () => {
        const issue = issues.get(digest);
        if (issue === undefined) return null;
        const { mergedWatermarks: _, ...rest } = issue;
        const value: Issue = { ...rest, watermarks: issues.getWatermarks() };
        return { value, ttlSeconds: this.#getTtlSeconds(isCommon(issue, nowMs())) };
      },
      onWritten: () => {
        issues.markClean(digest);
        tombstones.remove("issue", digest);
        const { mergedDigests = [] } = issues.get(digest) ?? {};
        const erased = mergedDigests.length > 0 ? tombstones.listNames("issue") : [];
        for (const one of mergedDigests) if (erased.includes(one)) this.#markIssueDirty(one);
      },
    });
  }

  /** `isPublic`: every changed issue is public. */
  #markListDirty(isPublic: boolean): void {
    const { project, tables, lists, nowMs } = this.#deps;
    let version = 0;
    this.#writer.markDirty({
      key: issueListKey(project),
      hasPriority: true,
      isErasure: tables.tombstones.has("issue-list", ISSUE_LIST_NAME),
      isPublic,
      createValue: () => {
        const value = lists.createSnapshot(nowMs());
        version = tables.issues.listVersion;
        return { value, ttlSeconds: this.#getTtlSeconds(false) };
      },
      onWritten: () => {
        tables.issues.markListClean(version);
        tables.tombstones.remove("issue-list", ISSUE_LIST_NAME);
      },
    });
  }

  #markAliasDirty(alias: string): void {
    const { project, tables } = this.#deps;
    this.#writer.markDirty({
      key: aliasKey(project, alias),
      isErasure: tables.tombstones.has("alias", alias),
      isPublic: tables.aliases.isPublic(alias),
      createValue: () => {
        const digests = tables.aliases.findDigests(alias);
        if (digests.length === 0) return null;
        return { value: { v: 1, digests }, ttlSeconds: this.#getTtlSeconds(false) };
      },
      onWritten: () => {
        tables.aliases.markClean(alias);
        tables.tombstones.remove("alias", alias);
      },
    });
  }

  /** Annotations do not expire. */
  #markAnnotationsDirty(digest: Digest): void {
    const { project, tables } = this.#deps;
    this.#writer.markDirty({
      key: annotationsKey(project, digest),
      hasPriority: true,
      isErasure: tables.tombstones.has("annotations", digest),
      createValue: () => {
        const value = tables.annotations.get(digest);
        return value === undefined ? null : { value };
      },
      onWritten: () => {
        tables.annotations.markClean(digest);
        tables.tombstones.remove("annotations", digest);
      },
    });
  }

  #markViewsDirty(): void {
    const { project, tables } = this.#deps;
    this.#writer.markDirty({
      key: viewsKey(project),
      hasPriority: true,
      isErasure: tables.tombstones.has("views", VIEWS_NAME),
      createValue: () => ({ value: { v: 1, views: listViews(tables) } }),
      onWritten: () => {
        tables.views.markClean(VIEWS_NAME);
        tables.tombstones.remove("views", VIEWS_NAME);
      },
    });
  }

  /** Decisions do not expire: the issue may return after a year. */
  #markDecisionDirty(digest: Digest): void {
    const { project, tables } = this.#deps;
    this.#writer.markDirty({
      key: decisionKey(project, digest),
      hasPriority: true,
      isErasure: tables.tombstones.has("decision", digest),
      createValue: () => {
        const value = tables.decisions.get(digest);
        return value === undefined ? null : { value };
      },
      onWritten: () => {
        tables.decisions.markClean(digest);
        tables.tombstones.remove("decision", digest);
      },
    });
  }
}
