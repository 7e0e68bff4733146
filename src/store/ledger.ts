/**
 * The ledger of one project: everything that its index knows, and how a delta of the log changes it. Every method is synchronous,
 * so what one call writes is one transaction.
 */
import { type Arrival, arrivalOf } from "../core/arrival.ts";
import { type Decision, decisionAfter, standing } from "../core/decision.ts";
import { dayOf, foldMark, summaryOf } from "../core/fold.ts";
import type { Issue, IssueList, IssueSummary, Mark } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import { mergeIssues } from "../core/merge.ts";
import type { Notes } from "../core/notes.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import { isCommon, NEW_MS } from "../core/retention.ts";
import { type DayTallies, TallySheet } from "../core/tally.ts";
import { AliasTable } from "./alias-table.ts";
import { type Changes, changesOf } from "./changes.ts";
import { FacetTable } from "./facet-table.ts";
import { GoneTable } from "./gone-table.ts";
import { IndexTable } from "./index-table.ts";
import { IssueLists, type ListOf } from "./issue-lists.ts";
import { KeptTable } from "./kept-table.ts";
import {
  aliasKey,
  dayOfHour,
  decisionKey,
  issueKey,
  notesKey,
  orderOf,
  placeOf,
  viewsKey,
} from "./keys.ts";
import { LedgerErasure, wordsOfTitle } from "./ledger-erasure.ts";
import { LedgerPeople } from "./ledger-people.ts";
import { Links } from "./links.ts";
import { Merges } from "./merges.ts";
import { ReleaseTable } from "./release-table.ts";
import type { Sequenced } from "./rpc.ts";
import { SearchTable } from "./search-table.ts";
import { storedDecision, storedNotes, storedViews, type Views } from "./stored.ts";
import { TallyTable } from "./tally-table.ts";
import { TraceTable } from "./trace-table.ts";

const DAY_MS = 86_400_000;
const TRACE_RETENTION_MS = DAY_MS;

/** What a delta changed, and of which of its issues there is plenty. */
export interface CountedChanges extends Changes {
  readonly common: readonly Digest[];
  /** What arrived, in order; made when it is asked for. */
  readonly counted: () => readonly Arrival[];
}

/** The same, and the last row that is counted. */
export interface Applied extends CountedChanges {
  readonly last: number;
}

/** The tables in the storage of the object that owns them. */
export class Ledger {
  readonly issues: IndexTable;
  readonly aliases: AliasTable;
  readonly decisions: KeptTable<Decision>;
  readonly notes: KeptTable<Notes>;
  readonly views: KeptTable<Views>;
  readonly lists: IssueLists;
  readonly facets: FacetTable;
  readonly merges: Merges;
  readonly people: LedgerPeople;
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
    this.lists = new IssueLists(storage.sql);
    this.facets = new FacetTable(storage.sql);
    this.merges = new Merges(this.notes);
    this.people = new LedgerPeople(this);
    this.tallies = new TallyTable(storage);
    this.search = new SearchTable(storage);
    this.releases = new ReleaseTable(storage);
    this.#traces = new TraceTable(storage);
    this.links = new Links(this.aliases, this.#traces);
    this.gone = new GoneTable(storage);
    this.erasure = new LedgerErasure(this);
  }

  /**
   * Counts what stands in whole rows of a shard's log, in order; a row counts once, however often it comes. Gives the last row
   * that is counted, and what that changed. With `isGapless` it throws for rows that do not follow on what is counted.
   */
  apply(shard: string, rows: readonly Sequenced[], nowMs: number, isGapless = false): Applied {
    const before = this.issues.countedOf(shard);
    const fresh = rows.filter(({ seq }) => seq > before);
    const last = fresh.at(-1)?.seq;
    if (last === undefined) return { last: before, ...NOTHING };
    if (isGapless && before > 0 && fresh[0]?.seq !== before + 1) {
      throw new Error("rows before these are not counted yet");
    }
    return this.transaction(() => {
      const changes = this.count(fresh, nowMs);
      this.issues.setCounted(shard, last, placeOfLast(fresh));
      return { last, ...changes };
    });
  }

  /** Does all of the work or, if it throws, none. */
  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      this.issues.cool();
      throw error;
    }
  }

  /** Counts rows, whatever was counted before. Within a transaction of the caller's. */
  count(rows: readonly Sequenced[], nowMs: number): CountedChanges {
    const marks = rows.flatMap((row) => ("mark" in row ? row.mark : []));
    const changes = this.#countMarks(marks, nowMs);
    for (const row of rows) {
      if ("mark" in row && row.words !== undefined) this.search.add(row.mark.digest, row.words);
    }
    const tallied = rows.flatMap((row) => ("tallied" in row ? row.tallied : []));
    for (const tallies of [...tallied, ...talliesOf(marks)]) this.tallies.add(tallies);
    return changes;
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
    for (const alias of issue.aliases) {
      this.aliases.recall(alias, issue.digest, issue.firstSeenMs);
    }
    for (const [shard, place] of Object.entries(issue.upTo ?? {})) {
      this.issues.setPlace(shard, place);
    }
  }

  /** Takes the snapshot of an issue that was merged into another, unless that has counted it. */
  addMerged(issue: Issue, nowMs: number): void {
    const into = this.issues.issue(this.merges.of(issue.digest));
    if (into === undefined || into.merged?.includes(issue.digest) === true) return;
    this.issues.save(mergeIssues(into, issue, nowMs));
  }

  /** Issues whose first report is no longer kept are found by what they are called. */
  nameForSearch(): void {
    for (const digest of this.issues.digests()) {
      const issue = this.issues.issue(digest);
      if (issue !== undefined) this.search.add(digest, wordsOfTitle(issue));
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
      this.merges.changed();
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
    return this.merges.of(this.links.issueFor(mark));
  }

  /** Issues that share telling words with one, the likeliest first. */
  similar(digest: Digest): readonly IssueSummary[] {
    const issue = this.issues.issue(digest);
    if (issue === undefined) return [];
    return this.search
      .like(`${issue.type} ${issue.message}`, limits.similarIssues + 1)
      .filter((other) => other !== digest)
      .slice(0, limits.similarIssues)
      .map((other) => this.issues.issue(other))
      .filter((other) => other !== undefined && other.noise === issue.noise)
      .map((other) => summaryOf(other as Issue));
  }

  /** A list of the newest issues. */
  list(of: ListOf, nowMs: number): IssueList {
    const issues = this.lists.newest(limits.issuesPerPage, of).map(summaryOf);
    const noiseTotal = of === "page" ? { noiseTotal: this.lists.total("noise") } : {};
    return { v: 1, issues, total: this.lists.total(of), ...noiseTotal, asOfMs: nowMs };
  }

  /** Forgets what was last heard of before a moment; of common issues, before another. */
  forget(beforeMs: number, commonBeforeMs: number, nowMs: number): void {
    this.issues.forget(beforeMs, commonBeforeMs, nowMs - NEW_MS);
    this.aliases.forget(commonBeforeMs);
    this.search.forget();
    this.#traces.forget(nowMs - TRACE_RETENTION_MS);
    this.releases.forget(beforeMs);
    this.tallies.forget(dayOf(beforeMs));
  }

  #countMarks(marks: readonly Mark[], nowMs: number): CountedChanges {
    const issues = new Map<Digest, Issue>();
    const arrivals: { readonly mark: Mark; readonly isNew: boolean }[] = [];
    const aliases = new Set<string>();
    const decisions = new Set<Digest>();
    for (const mark of marks) {
      this.#noteRelease(mark);
      const led = this.links.issueFor(mark);
      const linked = mark.linked || led !== mark.digest;
      const digest = this.merges.of(led);
      const counted = { ...mark, digest, linked };
      // Its sender was told its own digest, which may be the code of no other issue: then it leads here too.
      const isOther = digest !== mark.digest && this.issues.issue(mark.digest) === undefined;
      if (isOther && this.aliases.add(mark.digest, digest, nowMs)) aliases.add(mark.digest);
      const before = issues.get(digest) ?? this.issues.issue(digest);
      const upTo = before === undefined ? this.notes.get(digest)?.countedElsewhere : before.upTo;
      if (isCovered(upTo, mark)) {
        this.links.note(mark, nowMs);
        continue;
      }
      const issue = foldMark(before, counted, nowMs);
      arrivals.push({ mark: counted, isNew: before === undefined });
      // An issue that was forgotten may return: what was decided about it outlived it.
      const decision = before === undefined ? this.decisions.get(digest) : before.decision;
      const next = decision && decisionAfter(decision, counted, this.#firstSeen);
      if (next !== decision && next !== undefined) {
        this.decisions.save(digest, next);
        decisions.add(digest);
        const { regressedAtMs: atMs = nowMs, regressedIn: release } = next;
        this.people.did(digest, { atMs, did: "regressed", ...present({ release }) });
      }
      // One that was forgotten is still looked after by whoever did.
      const assignee = before === undefined ? this.notes.get(digest)?.assignee : undefined;
      issues.set(digest, { ...issue, ...standing(issue, next, nowMs), ...present({ assignee }) });
      for (const alias of mark.aliases ?? []) {
        // The issue keeps as many codes as it may have: whoever sends more gains no more rows and keys.
        const isKept = issue.aliases.includes(alias);
        if (isKept && this.aliases.add(alias, digest, nowMs)) aliases.add(alias);
      }
      // Known to the next mark: where a report counts depends on what came before, never on what came together.
      this.links.note(mark, nowMs);
    }
    for (const issue of issues.values()) this.issues.save(issue);
    const common = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
    return {
      digests: new Set(issues.keys()),
      aliases,
      decisions,
      notes: decisions,
      common: common.map(({ digest }) => digest),
      counted: () => arrivals.map(({ mark, isNew }) => arrivalOf(mark, isNew)),
    };
  }

  #noteRelease({ release, atMs, position }: Mark): void {
    if (release !== undefined) this.releases.note(release, atMs, dayOfHour(position));
  }

  readonly #firstSeen = (release: string) => this.releases.firstSeenMs(release);
}

const NOTHING: CountedChanges = {
  ...changesOf({}),
  common: [],
  counted: () => [],
};

/** True for a report that the snapshot from which an issue was rebuilt had counted. */
function isCovered(upTo: Issue["upTo"], { position }: Mark): boolean {
  const place = upTo === undefined ? null : placeOf(position);
  return place !== null && orderOf(place) <= (upTo?.[place.shard] ?? -1);
}

function placeOfLast(rows: readonly Sequenced[]): number {
  const last = rows.findLast((row) => "mark" in row);
  const place = last !== undefined && "mark" in last ? placeOf(last.mark.position) : null;
  return place === null ? 0 : orderOf(place);
}

/** The reports themselves as tallies, on the days on which the log took them: those stand in their positions. */
function talliesOf(marks: readonly Mark[]): readonly DayTallies[] {
  const perDay = Map.groupBy(marks, ({ position }) => dayOfHour(position));
  return [...perDay].map(([day, its]) => {
    const sheet = new TallySheet();
    for (const { kind, noise = "", times } of its) {
      if (times === undefined) sheet.add(["accepted", kind, noise]);
      else sheet.add(["counted", kind], times);
    }
    return { day, tallies: sheet.take() };
  });
}
