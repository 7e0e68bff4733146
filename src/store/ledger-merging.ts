/**
 * Issues that are merged into others, and split off again, in the ledger: their counts, the codes that lead to them, and what was said
 * of them. Every method is synchronous, and stands within a transaction of the caller's.
 */
import type { Issue } from "../core/issue.ts";
import { mergeIssues } from "../core/merge.ts";
import { withActivity } from "../core/notes.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import { type Changes, changesOf } from "./changes.ts";
import type { Ledger } from "./ledger.ts";

/** The merging of one ledger. */
export class LedgerMerging {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** What the others have counted counts here from now on, and so does what comes of them. */
  merge(
    { digest }: Issue,
    from: readonly Digest[],
    by: string | undefined,
    nowMs: number,
  ): Changes {
    const { notes, merges } = this.#ledger;
    const codes: string[] = [];
    const moved: Digest[] = [];
    const others = [...new Set(from)].filter((other) => other !== digest);
    for (const other of others) {
      const said = this.#ledger.people.notes(other);
      const own = this.#ledger.people.notes(digest);
      const activity = [...own.activity, ...said.activity].sort((a, b) => a.atMs - b.atMs);
      const merged = { atMs: nowMs, did: "merged", from: other, ...present({ by }) } as const;
      // What had been merged into that one comes with it.
      for (const one of [other, ...(this.#ledger.issues.issue(other)?.merged ?? [])]) {
        const { parted } = this.#ledger.people.notes(one);
        notes.save(one, { v: 1, mergedInto: digest, activity: [], ...present({ parted }) });
        moved.push(one);
      }
      notes.save(digest, withActivity({ ...own, activity }, merged));
      codes.push(...this.absorb(digest, other, nowMs));
    }
    merges.cool();
    return changesOf({
      digests: [digest],
      decisions: others,
      aliases: codes,
      notes: [digest, ...moved],
    });
  }

  /** Adds one issue to another, with the codes that lead to it; gives those. Where one of them is missing nothing is done. */
  absorb(digest: Digest, other: Digest, nowMs: number): readonly string[] {
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

  /** What was counted stays where it is; what comes of `off`, one of those that it took in, is an issue of its own again. */
  split(
    { merged = [], ...issue }: Issue,
    off: Digest,
    by: string | undefined,
    nowMs: number,
  ): Changes {
    const { issues, aliases, notes, merges } = this.#ledger;
    const left = merged.filter((digest) => digest !== off);
    const parted = [...(issue.parted ?? []), off];
    issues.save({ ...issue, ...(left.length > 0 && { merged: left }), parted, asOfMs: nowMs });
    aliases.unlead(off, issue.digest);
    const { mergedInto: _, ...own } = this.#ledger.people.notes(off);
    const then = { into: issue.digest, upTo: issues.upTo() };
    notes.save(off, { ...own, parted: [...(own.parted ?? []), then] });
    this.#ledger.people.did(issue.digest, { atMs: nowMs, did: "split", off, ...present({ by }) });
    merges.cool();
    return changesOf({
      digests: [issue.digest],
      aliases: [off],
      notes: [issue.digest, off],
    });
  }
}
