/**
 * The ledger of one project: everything that its index knows. What a delta of the log changes is in `ledger-counting.ts`, what people do
 * in `ledger-people.ts`, what is erased in `ledger-erasure.ts`. Every method is synchronous, so what one call writes is one
 * transaction.
 */
import { type Decision, standing } from "../core/decision.ts";
import { dayOf, summaryOf } from "../core/fold.ts";
import type { Issue, IssueList, IssueSummary, Mark } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import { mergeIssues } from "../core/merge.ts";
import type { Notes } from "../core/notes.ts";
import type { Digest } from "../core/report.ts";
import { YOUNG_MS } from "../core/retention.ts";
import { AliasTable } from "./alias-table.ts";
import { GoneTable } from "./gone-table.ts";
import { IndexTable } from "./index-table.ts";
import { IssueLists } from "./issue-lists.ts";
import { KeptTable } from "./kept-table.ts";
import { aliasKey, decisionKey, issueKey, notesKey, placeOf, viewsKey } from "./keys.ts";
import { LedgerCounting } from "./ledger-counting.ts";
import { LedgerErasure, wordsOfTitle } from "./ledger-erasure.ts";
import { LedgerPeople } from "./ledger-people.ts";
import { Links } from "./links.ts";
import { Merges } from "./merges.ts";
import { ReleaseTable } from "./release-table.ts";
import { SearchTable } from "./search-table.ts";
import { storedDecision, storedNotes, storedViews, type Views } from "./stored.ts";
import { TallyTable } from "./tally-table.ts";
import { TraceTable } from "./trace-table.ts";

const DAY_MS = 86_400_000;
const TRACE_RETENTION_MS = DAY_MS;

/** The tables in the storage of the object that owns them. */
export class Ledger {
  readonly issues: IndexTable;
  readonly aliases: AliasTable;
  readonly decisions: KeptTable<Decision>;
  readonly notes: KeptTable<Notes>;
  readonly views: KeptTable<Views>;
  readonly lists: IssueLists;
  readonly merges: Merges;
  readonly people: LedgerPeople;
  readonly counting: LedgerCounting;
  readonly tallies: TallyTable;
  readonly search: SearchTable;
  readonly links: Links;
  readonly erasure: LedgerErasure;
  readonly gone: GoneTable;
  readonly #storage: DurableObjectStorage;
  readonly releases: ReleaseTable;
  readonly #traces: TraceTable;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.issues = new IndexTable(storage);
    this.aliases = new AliasTable(storage);
    this.decisions = new KeptTable(storage, "decision", storedDecision);
    this.notes = new KeptTable(storage, "notes", storedNotes);
    this.views = new KeptTable(storage, "views", storedViews);
    this.lists = new IssueLists(storage.sql, (digest) => this.issues.issue(digest));
    this.merges = new Merges(this.notes);
    this.people = new LedgerPeople(this);
    this.tallies = new TallyTable(storage);
    this.search = new SearchTable(storage);
    this.releases = new ReleaseTable(storage);
    this.#traces = new TraceTable(storage);
    this.links = new Links(this.aliases, this.#traces);
    this.gone = new GoneTable(storage);
    this.erasure = new LedgerErasure(this);
    this.counting = new LedgerCounting(this);
  }

  /** Does all of the work or, if it throws, none. */
  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      for (const table of [this.issues, this.releases, this.tallies, this.merges]) table.cool();
      throw error;
    }
  }

  /** True until `begin` was called once. */
  isNew(): boolean {
    return !this.issues.isBegun();
  }

  /** From now on what is here is the project's own memory, and not an empty one. */
  begin(): void {
    this.issues.begin();
  }

  /** Takes an issue as its snapshot in KV has it, and what people have decided about it since. */
  recall(issue: Issue, nowMs: number): void {
    const decision = this.decisions.get(issue.digest) ?? issue.decision;
    const assignee = this.notes.get(issue.digest)?.assignee;
    this.issues.recall({
      ...issue,
      ...standing(issue, decision, nowMs),
      ...(assignee !== undefined && { assignee }),
    });
    for (const alias of [...issue.aliases, ...(issue.merged ?? [])]) {
      this.aliases.recall(alias, issue.digest, issue.firstSeenMs);
    }
    for (const [shard, place] of Object.entries(issue.upTo ?? {})) {
      this.issues.setPlace(shard, place);
    }
  }

  /** Takes the snapshot of an issue that was merged into another, unless that has counted it. */
  addMerged(issue: Issue, digest: Digest, nowMs: number): void {
    const into = this.issues.issue(digest);
    const known = [...(into?.merged ?? []), ...(into?.parted ?? [])];
    if (into === undefined || known.includes(issue.digest)) return;
    const { merged = [], ...both } = mergeIssues(into, issue, nowMs);
    const isApart = this.merges.of(issue.digest) !== digest;
    const left = merged.filter((one) => !isApart || one !== issue.digest);
    const parted = isApart ? [...(both.parted ?? []), issue.digest] : (both.parted ?? []);
    this.issues.save({
      ...both,
      ...(left.length > 0 && { merged: left }),
      ...(parted.length > 0 && { parted }),
    });
    const codes = isApart ? issue.aliases : [...issue.aliases, issue.digest];
    for (const code of codes) this.aliases.recall(code, digest, issue.firstSeenMs);
  }

  /** Issues whose first report is no longer kept are found by what they are called. */
  nameForSearch(): void {
    for (const digest of this.issues.digests()) {
      const issue = this.issues.issue(digest);
      if (issue !== undefined) this.search.add([[digest, wordsOfTitle(issue)]]);
    }
  }

  /** Forgets everything; what people decided only where that is said. */
  wipe({ decisions }: { readonly decisions: boolean }): void {
    this.transaction(() => {
      const tables = [
        this.issues,
        this.aliases,
        this.tallies,
        this.search,
        this.releases,
        this.#traces,
      ];
      for (const table of tables) table.wipe();
      if (decisions) for (const table of [this.decisions, this.notes, this.views]) table.wipe();
      this.merges.cool();
    });
  }

  /** The foreign codes and traces that lead browsers' reports to this issue and to no other. */
  leadersTo(digest: Digest): readonly string[] {
    return [...this.aliases.onlyTo(digest), ...this.#traces.onlyTo(digest)];
  }

  /** The keys of everything that it may have copied into KV. */
  keys(project: string): readonly string[] {
    return [
      ...this.issues.digests().map((digest) => issueKey(project, digest)),
      ...this.aliases.all().map((alias) => aliasKey(project, alias)),
      ...this.decisions.all().map(([digest]) => decisionKey(project, digest)),
      ...this.notes.all().map(([digest]) => notesKey(project, digest)),
      viewsKey(project),
    ];
  }

  /** The issue that a report counts in. */
  issueOf(mark: Mark): Digest {
    return this.merges.of(this.links.issueFor(mark), placeOf(mark.position));
  }

  /** Where a code leads. A digest that was split off leads to where its reports are until it has an issue of its own again. */
  leadsOf(code: string): readonly Digest[] {
    const led = this.aliases.digestsOf(code);
    if (led.length > 0 || this.issues.issue(code) !== undefined) return led;
    return this.merges.partedInto(code).filter((digest) => this.issues.issue(digest) !== undefined);
  }

  /** Issues that share telling words with one, the likeliest first. */
  similar(digest: Digest): readonly IssueSummary[] {
    const issue = this.issues.issue(digest);
    if (issue === undefined) return [];
    const found: IssueSummary[] = [];
    for (const other of this.search.like(
      `${issue.type} ${issue.message}`,
      4 * limits.similarIssues,
    )) {
      const its = this.issues.issue(other);
      if (its === undefined || other === digest || its.noise !== issue.noise) continue;
      found.push(summaryOf(its));
      if (found.length === limits.similarIssues) break;
    }
    return found;
  }

  /** The newest issues, and how many there are, noise apart. */
  list(nowMs: number): IssueList {
    const issues = this.lists.newest(limits.newestIssues).map(summaryOf);
    const [total, noiseTotal] = [this.lists.total(false), this.lists.total(true)];
    return { v: 1, issues, total, noiseTotal, asOfMs: nowMs };
  }

  /** Forgets what was last heard of before a moment; of common issues, before another. */
  forget(beforeMs: number, commonBeforeMs: number, nowMs: number): void {
    this.issues.forget(beforeMs, commonBeforeMs, nowMs - YOUNG_MS);
    this.aliases.forget(commonBeforeMs);
    this.search.forget();
    this.#traces.forget(nowMs - TRACE_RETENTION_MS);
    this.releases.forget(beforeMs);
    this.tallies.forget(dayOf(beforeMs));
  }
}
