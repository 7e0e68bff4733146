/**
 * What people do to the ledger: they decide about issues, say something, hand them to somebody, merge and split them
 * (`ledger-merging.ts`), and keep views of the list. Every method is synchronous; what one call writes is one transaction.
 */

import {
  type ActivityEntry,
  type AnnotationChange,
  type Annotations,
  appendActivity,
  EMPTY_ANNOTATIONS,
} from "../../../core/issue/annotations.ts";
import {
  createDecision,
  type DecisionInput,
  type IssueDecision,
  isSameDecision,
  toDecisionFields,
} from "../../../core/issue/decision.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import type { SavedView } from "../../../core/issue/issue-query.ts";
import type { TriageRecord } from "../../../core/issue/triage-record.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { Digest } from "../../../core/report.ts";
import { VIEWS_NAME } from "../../kv/keys.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import { IssueMerger } from "./issue-merger.ts";
import type { ProjectState } from "./project-state.ts";

/** What a change came to: the notes as they are then, and what is no longer in KV as it is here. */
export interface AnnotateResult {
  readonly annotations: Annotations;
  readonly dirtyKeys: DirtyKeys;
}

/** The people's side of one ledger. */
export class Triage {
  readonly #state: ProjectState;
  readonly #merger: IssueMerger;

  constructor(ledger: ProjectState) {
    this.#state = ledger;
    this.#merger = new IssueMerger(ledger);
  }

  /** Decides about an issue, unless that is what was decided already; undefined when there is none. */
  decide(digest: Digest, input: DecisionInput, nowMs: number): Issue | undefined {
    const { issues, decisions } = this.#state;
    const issue = issues.get(digest);
    if (issue === undefined) return undefined;
    const decision = createDecision(input, issue, nowMs);
    const isSame = isSameDecision(decision, issue.decision);
    // What was resolved once more returns by what happens from now on.
    if (isSame && decision.state !== "resolved") return issue;
    return this.#state.transaction(() => {
      const decided = { ...issue, ...toDecisionFields(issue, decision, nowMs), asOfMs: nowMs };
      decisions.save(digest, decision);
      issues.save(decided);
      if (!isSame)
        this.addActivity(digest, { ...toActivity(decision), ...omitUndefined({ by: input.by }) });
      return decided;
    });
  }

  /** What people did, of every issue. */
  exportRecords(): readonly TriageRecord[] {
    const { decisions, annotations } = this.#state;
    return [
      ...decisions.list().map(([digest, decision]): TriageRecord => {
        return { kind: "decision", decision: { digest, decision } };
      }),
      ...annotations
        .list()
        .map(
          ([digest, entry]): TriageRecord => ({ kind: "annotations", digest, annotations: entry }),
        ),
      ...this.listViews().map((view): TriageRecord => ({ kind: "view", view })),
    ];
  }

  /** Takes what an export says, where nothing of that kind is known. */
  importRecord(record: TriageRecord, nowMs: number): void {
    switch (record.kind) {
      case "decision":
        this.#importDecision(record.decision, nowMs);
        break;
      case "annotations":
        this.#importAnnotations(record.digest, record.annotations, nowMs);
        break;
      case "view": {
        const isKnown = this.listViews().some(({ name }) => name === record.view.name);
        if (!isKnown) this.saveView(record.view.name, record.view);
      }
    }
  }

  #importDecision({ digest, decision }: IssueDecision, nowMs: number): void {
    const { issues, decisions } = this.#state;
    if (decisions.get(digest) !== undefined) return;
    decisions.save(digest, decision);
    const issue = issues.get(digest);
    if (issue !== undefined) issues.save({ ...issue, ...toDecisionFields(issue, decision, nowMs) });
  }

  #importAnnotations(digest: Digest, record: Annotations, nowMs: number): void {
    const { issues, annotations, merges } = this.#state;
    if (annotations.get(digest) !== undefined) return;
    annotations.save(digest, record);
    const issue = issues.get(digest);
    if (issue !== undefined && record.assignee !== undefined)
      issues.save({ ...issue, assignee: record.assignee });
    if (record.mergedInto !== undefined) this.#merger.mergePair(record.mergedInto, digest, nowMs);
    merges.clearCache();
  }

  /** What people added to an issue. */
  getAnnotations(digest: Digest): Annotations {
    return this.#state.annotations.get(digest) ?? EMPTY_ANNOTATIONS;
  }

  /** Notes that something happened to an issue. */
  addActivity(digest: Digest, activity: ActivityEntry): void {
    this.#state.annotations.save(digest, appendActivity(this.getAnnotations(digest), activity));
  }

  /** Changes what people added; undefined when there is no such issue, or none that is to be merged into it or split off from it. */
  annotate(digest: Digest, change: AnnotationChange, nowMs: number): AnnotateResult | undefined {
    const { issues } = this.#state;
    const issue = issues.get(digest);
    const from = change.change === "merge" ? change.from : [];
    if (issue === undefined || from.some((one) => issues.get(one) === undefined)) return undefined;
    if (change.change === "split" && !issue.mergedDigests?.includes(change.digest))
      return undefined;
    return this.#state.transaction(() => {
      const dirtyKeys = this.#applyChange(issue, change, nowMs);
      return { annotations: this.getAnnotations(digest), dirtyKeys: dirtyKeys };
    });
  }

  #applyChange(issue: Issue, change: AnnotationChange, nowMs: number): DirtyKeys {
    const { digest } = issue;
    switch (change.change) {
      case "comment": {
        const { id, text, by } = change;
        this.addActivity(digest, {
          atMs: nowMs,
          action: "commented",
          id,
          text,
          ...omitUndefined({ by }),
        });
        return createDirtyKeys({ annotations: [digest] });
      }
      case "delete-comment": {
        const annotations = this.getAnnotations(digest);
        const activity = annotations.activity.filter(
          (one) => one.action !== "commented" || one.id !== change.id,
        );
        this.#state.annotations.save(digest, { ...annotations, activity });
        return createDirtyKeys({ annotations: [digest] });
      }
      case "assign":
        return this.#assign(issue, change.to, change.by, nowMs);
      case "merge":
        return this.#merger.merge(issue, change.from, change.by, nowMs);
      case "split":
        return this.#merger.split(issue, change.digest, change.by, nowMs);
    }
  }

  #assign(
    { assignee: before, ...issue }: Issue,
    to: string | undefined,
    by: string | undefined,
    nowMs: number,
  ): DirtyKeys {
    if (before === to) return createDirtyKeys({});
    const { assignee: _, ...annotations } = this.getAnnotations(issue.digest);
    const record =
      to === undefined
        ? ({ action: "unassigned" } as const)
        : ({ action: "assigned", to } as const);
    this.#state.annotations.save(
      issue.digest,
      appendActivity(
        { ...annotations, ...omitUndefined({ assignee: to }) },
        { atMs: nowMs, ...record, ...omitUndefined({ by }) },
      ),
    );
    this.#state.issues.save({ ...issue, ...omitUndefined({ assignee: to }), asOfMs: nowMs });
    return createDirtyKeys({ issues: [issue.digest], annotations: [issue.digest] });
  }

  /** The views of the list. */
  listViews(): readonly SavedView[] {
    return this.#state.views.get(VIEWS_NAME)?.views ?? [];
  }

  /** Keeps a view under its name, unless there are as many as may be; or forgets the one of that name. */
  saveView(name: string, view: Omit<SavedView, "name"> | null): readonly SavedView[] {
    const before = this.listViews();
    const others = before.filter((it) => it.name !== name);
    if (view !== null && others.length >= limits.maxSavedViews) return before;
    const views = view === null ? others : [...others, { name, ...view }];
    this.#state.views.save(VIEWS_NAME, { v: 1, views });
    return views;
  }
}

function toActivity({
  state,
  atMs,
  release,
  inNextRelease,
  untilMs,
  untilCount,
}: Decision): ActivityEntry {
  switch (state) {
    case "open":
      return { atMs, action: "opened" };
    case "muted":
      return { atMs, action: "muted" };
    case "resolved":
      return { atMs, action: "resolved", ...omitUndefined({ release, inNextRelease }) };
    case "ignored":
      return { atMs, action: "ignored", ...omitUndefined({ untilMs, untilCount }) };
  }
}
