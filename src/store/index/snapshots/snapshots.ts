/**
 * What the index copies into KV: its issues, the codes that lead to them, the newest list, and what people decided. A value is
 * made when it is written, so it is always what is true then; one that is gone is deleted.
 */

import { getRetentionSeconds, isCommon } from "../../../core/issue/retention.ts";
import type { Digest } from "../../../core/report.ts";
import {
  aliasKey,
  annotationsKey,
  decisionKey,
  issueKey,
  issueListKey,
  VIEWS_NAME,
  viewsKey,
} from "../../kv/keys.ts";
import type { WriteBudget } from "../../kv/write-budget.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { ProjectState } from "../state/project-state.ts";
import { SnapshotWriter } from "./snapshot-writer.ts";

/** What one index copies with. */
export interface ProjectSnapshotsDeps {
  readonly project: string;
  readonly state: ProjectState;
  readonly kv: () => KVNamespace;
  readonly budget: WriteBudget;
  readonly retentionDays: number;
  readonly nowMs: () => number;
  /** True while what the ledger says must not stand in KV. */
  readonly isPaused: () => boolean;
}

/** The copies of one index. */
export class ProjectSnapshots {
  readonly #deps: ProjectSnapshotsDeps;
  readonly #writer: SnapshotWriter;

  /** Everything that was not copied when the object was last awake is due. */
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

  /** How many keys of KV are not as they should be. */
  get dirtyCount(): number {
    return this.#writer.dirtyCount;
  }

  /** Finds again what is not copied. */
  reload(): void {
    const { issues, aliases, decisions, annotations, views, merges, tombstones } = this.#deps.state;
    const dirty = new Set(issues.listDirty());
    // One that was merged goes when what it had counted is there in another.
    const tombstoned = tombstones
      .listNames("issue")
      .filter((digest) => !dirty.has(merges.resolve(digest)));
    this.markDirty({
      issues: new Set([...dirty, ...tombstoned]),
      aliases: new Set([...aliases.listDirty(), ...tombstones.listNames("alias")]),
      decisions: new Set([...decisions.listDirty(), ...tombstones.listNames("decision")]),
      annotations: new Set([...annotations.listDirty(), ...tombstones.listNames("annotations")]),
    });
    if (views.listDirty().length > 0) this.markViewsDirty();
    if (issues.isListDirty()) this.#markListDirty();
  }

  /** Notes what is no longer in KV as it is here. */
  markDirty({ issues, aliases, decisions, annotations }: DirtyKeys): void {
    for (const digest of decisions) this.#markDecisionDirty(digest);
    for (const digest of annotations) this.#markAnnotationsDirty(digest);
    if (this.#deps.state.views.listDirty().length > 0) this.markViewsDirty();
    for (const digest of issues) this.#markIssueDirty(digest);
    for (const alias of aliases) this.#markAliasDirty(alias);
    if (issues.size > 0) this.#markListDirty();
  }

  /** Writes what is due; see `Snapshots.write`. */
  writeDue(): Promise<number | null> {
    return this.#writer.writeDue();
  }

  #getTtlSeconds(isCommonIssue: boolean): number {
    return getRetentionSeconds(this.#deps.retentionDays, isCommonIssue);
  }

  #markIssueDirty(digest: Digest): void {
    const { project, state, nowMs } = this.#deps;
    this.#writer.markDirty({
      key: issueKey(project, digest),
      createValue: () => {
        const issue = state.issues.get(digest);
        if (issue === undefined) return null;
        const { mergedWatermarks: _, ...rest } = issue;
        const value = { ...rest, upTo: state.issues.getWatermarks() };
        return { value, ttlSeconds: this.#getTtlSeconds(isCommon(issue, nowMs())) };
      },
      onWritten: () => {
        state.issues.markClean(digest);
        state.tombstones.remove("issue", digest);
        const { mergedDigests = [] } = state.issues.get(digest) ?? {};
        const tombstones = mergedDigests.length > 0 ? state.tombstones.listNames("issue") : [];
        for (const one of mergedDigests) if (tombstones.includes(one)) this.#markIssueDirty(one);
      },
    });
  }

  #markListDirty(): void {
    const { project, state, nowMs } = this.#deps;
    let asOfMs = 0;
    this.#writer.markDirty({
      key: issueListKey(project, 0),
      hasPriority: true,
      createValue: () => {
        const value = state.listNewest(nowMs());
        asOfMs = value.asOfMs;
        return { value, ttlSeconds: this.#getTtlSeconds(false) };
      },
      onWritten: () => state.issues.markListClean(asOfMs),
    });
  }

  #markAliasDirty(alias: string): void {
    const { project, state } = this.#deps;
    this.#writer.markDirty({
      key: aliasKey(project, alias),
      createValue: () => {
        const issues = state.aliases.findDigests(alias);
        if (issues.length === 0) return null;
        return { value: { v: 1, digests: issues }, ttlSeconds: this.#getTtlSeconds(false) };
      },
      onWritten: () => {
        state.aliases.markClean(alias);
        state.tombstones.remove("alias", alias);
      },
    });
  }

  /** What people added does not expire either. */
  #markAnnotationsDirty(digest: Digest): void {
    const { project, state } = this.#deps;
    this.#writer.markDirty({
      key: annotationsKey(project, digest),
      hasPriority: true,
      createValue: () => {
        const value = state.annotations.get(digest);
        return value === undefined ? null : { value };
      },
      onWritten: () => {
        state.annotations.markClean(digest);
        state.tombstones.remove("annotations", digest);
      },
    });
  }

  /** Notes that the views in KV are no longer those that are kept. */
  markViewsDirty(): void {
    const { project, state } = this.#deps;
    this.#writer.markDirty({
      key: viewsKey(project),
      hasPriority: true,
      createValue: () => ({ value: { v: 1, views: state.triage.listViews() } }),
      onWritten: () => state.views.markClean(VIEWS_NAME),
    });
  }

  /** What people decided does not expire: the issue may return after a year. */
  #markDecisionDirty(digest: Digest): void {
    const { project, state } = this.#deps;
    this.#writer.markDirty({
      key: decisionKey(project, digest),
      hasPriority: true,
      createValue: () => {
        const value = state.decisions.get(digest);
        return value === undefined ? null : { value };
      },
      onWritten: () => {
        state.decisions.markClean(digest);
        state.tombstones.remove("decision", digest);
      },
    });
  }
}
