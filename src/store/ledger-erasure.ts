/**
 * What the ledger forgets when something is erased: an issue whole, or of an issue what one report had told it. Every method is
 * synchronous.
 */
import { ERASED } from "../core/erased.ts";
import type { Issue, Mark } from "../core/issue.ts";
import type { Digest } from "../core/report.ts";
import { type Changes, changesOf } from "./changes.ts";
import type { ErasedLine } from "./erase-lines.ts";
import type { Ledger } from "./ledger.ts";
import { holdsText, withoutText } from "./written-text.ts";

/** The tables that it erases from. */
export type ErasedLedger = Pick<
  Ledger,
  "issues" | "aliases" | "decisions" | "notes" | "views" | "merges" | "search" | "links" | "gone"
>;

/** Erases from the tables of one index. */
export class LedgerErasure {
  readonly #ledger: ErasedLedger;

  constructor(ledger: ErasedLedger) {
    this.#ledger = ledger;
  }

  /** Forgets an issue, the codes and traces that led to it, and what people decided about it. */
  remove(digest: Digest): Changes {
    const { issues, aliases, search, decisions, notes, merges, links, gone } = this.#ledger;
    const merged = issues.issue(digest)?.merged ?? [];
    const codes = aliases.remove(digest);
    issues.remove(digest);
    search.remove(digest);
    decisions.remove(digest);
    for (const one of [digest, ...merged]) {
      // A browser that saw it fail would bring it back.
      links.forget(one);
      notes.remove(one);
      // Their copies are deleted when KV takes it, which may be after a restart.
      gone.add("notes", one);
    }
    merges.cool();
    gone.add("issue", digest);
    gone.add("decision", digest);
    for (const code of codes) gone.add("alias", code);
    return changesOf({
      digests: [digest],
      aliases: codes,
      decisions: [digest],
      notes: [digest, ...merged],
    });
  }

  /** Forgets what the issues show of reports that were erased, and what they are called if such a report had named them. */
  dropMarks(erased: readonly Omit<ErasedLine, "line" | "gone">[]): Changes {
    const digests = new Set<Digest>();
    for (const { id, digest, message } of erased) {
      const issue = id === undefined ? undefined : this.#ledger.issues.issueOfReport(digest, id);
      if (issue === undefined) continue;
      const shown = issue.latest.find((mark) => mark.id === id);
      const latest = issue.latest.filter((mark) => mark !== shown);
      const said = message ?? shown?.message;
      this.#save({ ...issue, latest, ...titleWithout(issue, said, latest) });
      digests.add(issue.digest);
    }
    return changesOf({ digests });
  }

  /** Replaces a text in everything that the issues show. */
  eraseText(text: string): Changes {
    const digests = new Set<Digest>();
    for (const digest of [
      ...this.#ledger.issues.holding(text),
      ...this.#ledger.search.holding(text),
    ]) {
      const issue = this.#ledger.issues.issue(digest);
      if (issue === undefined) this.#ledger.search.remove(digest);
      if (issue === undefined) continue;
      this.#save(withoutText(issue, text));
      digests.add(digest);
    }
    return changesOf({ digests, notes: this.#eraseFromNotes(text) });
  }

  /** What people said of somebody too, whoever is named as looking after an issue, and the views that ask for somebody. */
  #eraseFromNotes(text: string): readonly Digest[] {
    const { notes, views } = this.#ledger;
    const meant = notes.all().filter(([, kept]) => holdsText(kept, text));
    for (const [digest, kept] of meant) notes.save(digest, withoutText(kept, text));
    for (const [name, kept] of views.all()) {
      if (holdsText(kept, text)) views.save(name, withoutText(kept, text));
    }
    return meant.map(([digest]) => digest);
  }

  /** The words that it is found by may be an erased report's own: from now on it is found by what it is called. */
  #save(issue: Issue): void {
    this.#ledger.issues.save(issue);
    // Until KV has it as it is now, its copy there is not to be believed.
    this.#ledger.gone.add("issue", issue.digest);
    this.#ledger.search.remove(issue.digest);
    this.#ledger.search.add([[issue.digest, wordsOfTitle(issue)]]);
  }
}

/** The words of what an issue is called. */
export function wordsOfTitle({ type, message, where, route }: Issue): string {
  return [type, message, where, route].filter((part) => part !== undefined).join(" ");
}

/** What an issue is called when the report that may have named it is gone: as another report says it. */
function titleWithout(
  { message }: Issue,
  said: string | undefined,
  latest: readonly Mark[],
): Partial<Issue> {
  const own = latest.filter(({ linked }) => !linked);
  if (said !== message || own.some((mark) => mark.message === message)) return {};
  const [newest] = own;
  return { message: newest?.message ?? ERASED, ...(newest !== undefined && { type: newest.type }) };
}
