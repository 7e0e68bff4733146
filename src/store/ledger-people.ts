/**
 * What people do to the ledger: they decide about issues, say something, hand them to somebody, merge and split them
 * (`ledger-merging.ts`), and keep views of the list. Every method is synchronous; what one call writes is one transaction.
 */
import {
  type Choice,
  type Decided,
  type Decision,
  decide,
  isSameDecision,
  standing,
} from "../core/decision.ts";
import type { Issue } from "../core/issue.ts";
import type { SavedView } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import {
  type Activity,
  NO_NOTES,
  type NoteChange,
  type Notes,
  withActivity,
} from "../core/notes.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import type { Said } from "../core/said.ts";
import { type Changes, changesOf } from "./changes.ts";
import { VIEWS } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { LedgerMerging } from "./ledger-merging.ts";

/** What a change came to: the notes as they are then, and what is no longer in KV as it is here. */
export interface Annotated {
  readonly notes: Notes;
  readonly changes: Changes;
}

/** The people's side of one ledger. */
export class LedgerPeople {
  readonly #ledger: Ledger;
  readonly #merging: LedgerMerging;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#merging = new LedgerMerging(ledger);
  }

  /** Decides about an issue, unless that is what was decided already; undefined when there is none. */
  decide(digest: Digest, choice: Choice, nowMs: number): Issue | undefined {
    const { issues, decisions } = this.#ledger;
    const issue = issues.issue(digest);
    if (issue === undefined) return undefined;
    const decision = decide(choice, issue, nowMs);
    const isSame = isSameDecision(decision, issue.decision);
    // What was resolved once more returns by what happens from now on.
    if (isSame && decision.state !== "resolved") return issue;
    return this.#ledger.transaction(() => {
      const decided = { ...issue, ...standing(issue, decision, nowMs), asOfMs: nowMs };
      decisions.save(digest, decision);
      issues.save(decided);
      if (!isSame) this.did(digest, { ...activityOf(decision), ...present({ by: choice.by }) });
      return decided;
    });
  }

  /** What people did, of every issue. */
  said(): readonly Said[] {
    const { decisions, notes } = this.#ledger;
    return [
      ...decisions.all().map(([digest, decision]): Said => {
        return { is: "decision", decided: { digest, decision } };
      }),
      ...notes.all().map(([digest, its]): Said => ({ is: "notes", digest, notes: its })),
      ...this.views().map((view): Said => ({ is: "view", view })),
    ];
  }

  /** Takes what an export says, where nothing of that kind is known. */
  restore(said: Said, nowMs: number): void {
    switch (said.is) {
      case "decision":
        this.#restoreDecision(said.decided, nowMs);
        break;
      case "notes":
        this.#restoreNotes(said.digest, said.notes, nowMs);
        break;
      case "view": {
        const isKnown = this.views().some(({ name }) => name === said.view.name);
        if (!isKnown) this.saveView(said.view.name, said.view);
      }
    }
  }

  #restoreDecision({ digest, decision }: Decided, nowMs: number): void {
    const { issues, decisions } = this.#ledger;
    if (decisions.get(digest) !== undefined) return;
    decisions.save(digest, decision);
    const issue = issues.issue(digest);
    if (issue !== undefined) issues.save({ ...issue, ...standing(issue, decision, nowMs) });
  }

  #restoreNotes(digest: Digest, said: Notes, nowMs: number): void {
    const { issues, notes, merges } = this.#ledger;
    if (notes.get(digest) !== undefined) return;
    notes.save(digest, said);
    const issue = issues.issue(digest);
    if (issue !== undefined && said.assignee !== undefined)
      issues.save({ ...issue, assignee: said.assignee });
    if (said.mergedInto !== undefined) this.#merging.absorb(said.mergedInto, digest, nowMs);
    merges.cool();
  }

  /** What people added to an issue. */
  notes(digest: Digest): Notes {
    return this.#ledger.notes.get(digest) ?? NO_NOTES;
  }

  /** Notes that something happened to an issue. */
  did(digest: Digest, activity: Activity): void {
    this.#ledger.notes.save(digest, withActivity(this.notes(digest), activity));
  }

  /** Changes what people added; undefined when there is no such issue, or none that is to be merged into it or split off from it. */
  annotate(digest: Digest, change: NoteChange, nowMs: number): Annotated | undefined {
    const { issues } = this.#ledger;
    const issue = issues.issue(digest);
    const from = change.change === "merge" ? change.from : [];
    if (issue === undefined || from.some((one) => issues.issue(one) === undefined))
      return undefined;
    if (change.change === "split" && !issue.merged?.includes(change.off)) return undefined;
    return this.#ledger.transaction(() => {
      const changes = this.#change(issue, change, nowMs);
      return { notes: this.notes(digest), changes };
    });
  }

  #change(issue: Issue, change: NoteChange, nowMs: number): Changes {
    const { digest } = issue;
    switch (change.change) {
      case "comment": {
        const { id, text, by } = change;
        this.did(digest, { atMs: nowMs, did: "commented", id, text, ...present({ by }) });
        return changesOf({ notes: [digest] });
      }
      case "uncomment": {
        const notes = this.notes(digest);
        const activity = notes.activity.filter(
          (one) => one.did !== "commented" || one.id !== change.id,
        );
        this.#ledger.notes.save(digest, { ...notes, activity });
        return changesOf({ notes: [digest] });
      }
      case "assign":
        return this.#assign(issue, change.to, change.by, nowMs);
      case "merge":
        return this.#merging.merge(issue, change.from, change.by, nowMs);
      case "split":
        return this.#merging.split(issue, change.off, change.by, nowMs);
    }
  }

  #assign(
    { assignee: before, ...issue }: Issue,
    to: string | undefined,
    by: string | undefined,
    nowMs: number,
  ): Changes {
    if (before === to) return changesOf({});
    const { assignee: _, ...notes } = this.notes(issue.digest);
    const said =
      to === undefined ? ({ did: "unassigned" } as const) : ({ did: "assigned", to } as const);
    this.#ledger.notes.save(
      issue.digest,
      withActivity(
        { ...notes, ...present({ assignee: to }) },
        { atMs: nowMs, ...said, ...present({ by }) },
      ),
    );
    this.#ledger.issues.save({ ...issue, ...present({ assignee: to }), asOfMs: nowMs });
    return changesOf({ digests: [issue.digest], notes: [issue.digest] });
  }

  /** The views of the list. */
  views(): readonly SavedView[] {
    return this.#ledger.views.get(VIEWS)?.views ?? [];
  }

  /** Keeps a view under its name, unless there are as many as may be; or forgets the one of that name. */
  saveView(name: string, view: Omit<SavedView, "name"> | null): readonly SavedView[] {
    const before = this.views();
    const others = before.filter((it) => it.name !== name);
    if (view !== null && others.length >= limits.maxSavedViews) return before;
    const views = view === null ? others : [...others, { name, ...view }];
    this.#ledger.views.save(VIEWS, { v: 1, views });
    return views;
  }
}

function activityOf({ state, atMs, release, inNext, untilMs, untilCount }: Decision): Activity {
  switch (state) {
    case "open":
      return { atMs, did: "opened" };
    case "muted":
      return { atMs, did: "muted" };
    case "resolved":
      return { atMs, did: "resolved", ...present({ release, inNext }) };
    case "ignored":
      return { atMs, did: "ignored", ...present({ untilMs, untilCount }) };
  }
}
