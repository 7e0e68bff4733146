/**
 * What people do to the ledger: they decide about issues, say something, hand them to somebody, merge and split them, and keep
 * views of the list. Every method is synchronous; what one call writes is one transaction.
 */
import { type Choice, type Decided, type Decision, decide, standing } from "../core/decision.ts";
import type { Issue } from "../core/issue.ts";
import type { SavedView } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { mergeIssues } from "../core/merge.ts";
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
import type { Ledger } from "./ledger.ts";

/** What a change came to: the notes as they are then, and what is no longer in KV as it is here. */
export interface Annotated {
  readonly notes: Notes;
  readonly changes: Changes;
}

/** The people's side of one ledger. */
export class LedgerPeople {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Decides about an issue; undefined when there is none. */
  decide(digest: Digest, choice: Choice, nowMs: number): Issue | undefined {
    const { issues, decisions } = this.#ledger;
    const issue = issues.issue(digest);
    if (issue === undefined) return undefined;
    return this.#ledger.transaction(() => {
      const decision = decide(choice, issue, nowMs);
      const decided = { ...issue, ...standing(issue, decision, nowMs), asOfMs: nowMs };
      decisions.save(digest, decision);
      issues.save(decided);
      this.did(digest, activityOf(decision));
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
    if (said.mergedInto !== undefined) this.#absorb(said.mergedInto, digest, nowMs);
    merges.changed();
  }

  /** What people added to an issue. */
  notes(digest: Digest): Notes {
    return this.#ledger.notes.get(digest) ?? NO_NOTES;
  }

  /** Notes that something happened to an issue. */
  did(digest: Digest, activity: Activity): void {
    this.#ledger.notes.save(digest, withActivity(this.notes(digest), activity));
  }

  /** Changes what people added; undefined when there is no such issue. */
  annotate(digest: Digest, change: NoteChange, nowMs: number): Annotated | undefined {
    const issue = this.#ledger.issues.issue(digest);
    if (issue === undefined) return undefined;
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
        return this.#merge(issue, change.from, change.by, nowMs);
      case "split":
        return this.#split(issue, change.off, change.by, nowMs);
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

  /** What the others have counted counts here from now on, and so does what comes of them. */
  #merge(
    { digest }: Issue,
    from: readonly Digest[],
    by: string | undefined,
    nowMs: number,
  ): Changes {
    const { issues, notes, merges } = this.#ledger;
    const codes: string[] = [];
    const others = [...new Set(from)].filter(
      (other) => other !== digest && issues.issue(other) !== undefined,
    );
    for (const other of others) {
      const said = this.notes(other);
      const own = this.notes(digest);
      const activity = [...own.activity, ...said.activity].sort((a, b) => a.atMs - b.atMs);
      const merged = { atMs: nowMs, did: "merged", from: other, ...present({ by }) } as const;
      notes.save(other, { v: 1, mergedInto: digest, activity: [] });
      notes.save(digest, withActivity({ ...own, activity }, merged));
      codes.push(...this.#absorb(digest, other, nowMs));
    }
    merges.changed();
    return changesOf({
      digests: [digest],
      decisions: others,
      aliases: codes,
      notes: [digest, ...others],
    });
  }

  /** Adds one issue to another, with the codes that lead to it; gives those. Where one of them is missing nothing is done. */
  #absorb(digest: Digest, other: Digest, nowMs: number): readonly string[] {
    const { issues, aliases, search, decisions, gone } = this.#ledger;
    const [into, merged] = [issues.issue(digest), issues.issue(other)];
    if (into === undefined || merged === undefined) return [];
    issues.save(mergeIssues(into, merged, nowMs));
    const codes = [...aliases.move(other, digest), other];
    aliases.add(other, digest, nowMs);
    search.merge(other, digest);
    decisions.remove(other);
    issues.remove(other);
    // Their copies in KV are deleted when what they had counted is there in another.
    gone.add("issue", other);
    gone.add("decision", other);
    return codes;
  }

  /** What was counted stays where it is; what comes from now on is an issue of its own again. */
  #split(
    { merged = [], ...issue }: Issue,
    off: Digest,
    by: string | undefined,
    nowMs: number,
  ): Changes {
    const { issues, aliases, notes, merges } = this.#ledger;
    if (!merged.includes(off)) return changesOf({});
    const left = merged.filter((digest) => digest !== off);
    issues.save({ ...issue, ...(left.length > 0 && { merged: left }), asOfMs: nowMs });
    aliases.unlead(off, issue.digest);
    const { mergedInto: _, ...own } = this.notes(off);
    notes.save(off, { ...own, ...present({ countedElsewhere: issues.upTo() }) });
    this.did(issue.digest, { atMs: nowMs, did: "split", off, ...present({ by }) });
    merges.changed();
    return changesOf({
      digests: [issue.digest],
      aliases: [off],
      notes: [issue.digest, off],
    });
  }

  /** The views of the list. */
  views(): readonly SavedView[] {
    return this.#ledger.views.get(VIEWS)?.views ?? [];
  }

  /** Keeps a view under its name, or forgets the one of that name. The newest are kept. */
  saveView(name: string, view: Omit<SavedView, "name"> | null): readonly SavedView[] {
    const others = this.views().filter((it) => it.name !== name);
    const views = view === null ? others : [...others, { name, ...view }];
    const kept = views.slice(-limits.maxSavedViews);
    this.#ledger.views.save(VIEWS, { v: 1, views: kept });
    return kept;
  }
}

/** The name of the one row that has them. */
export const VIEWS = "list";

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
