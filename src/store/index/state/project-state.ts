/**
 * The ledger of one project: everything that its index knows. What a delta of the log changes is in `ledger-counting.ts`, what people do
 * in `ledger-people.ts`, what is erased in `ledger-erasure.ts`. Every method is synchronous, so what one call writes is one
 * transaction.
 */

import { summarizeIssue, toUtcDay } from "../../../core/issue/aggregate-report.ts";
import type { Annotations } from "../../../core/issue/annotations.ts";
import { toDecisionFields } from "../../../core/issue/decision.ts";
import type { Decision, Issue, IssueList, IssueSummary } from "../../../core/issue/issue.ts";
import { combineIssues } from "../../../core/issue/merge-issues.ts";
import { NEW_ISSUE_MS } from "../../../core/issue/retention.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import {
  aliasKey,
  annotationsKey,
  decisionKey,
  issueKey,
  parsePosition,
  viewsKey,
} from "../../kv/keys.ts";
import {
  parseStoredAnnotations,
  parseStoredDecision,
  parseStoredViews,
  type StoredViews,
} from "../../kv/stored-json.ts";
import { AliasTable } from "../tables/alias-table.ts";
import { CounterTable } from "../tables/counter-table.ts";
import { DocumentTable } from "../tables/document-table.ts";
import { IssueTable } from "../tables/issue-table.ts";
import { ReleaseTable } from "../tables/release-table.ts";
import { SearchTable } from "../tables/search-table.ts";
import { TombstoneTable } from "../tables/tombstone-table.ts";
import { TraceTable } from "../tables/trace-table.ts";
import { LogApplier } from "./apply-log.ts";
import { IssueEraser, toTitleSearchText } from "./erase-issue.ts";
import { IssueLists } from "./issue-lists.ts";
import { MergeMap } from "./merge-map.ts";
import { ReportLinker } from "./report-links.ts";
import { Triage } from "./triage.ts";

const DAY_MS = 86_400_000;
const TRACE_TTL_MS = DAY_MS;

/** The tables in the storage of the object that owns them. */
export class ProjectState {
  readonly issues: IssueTable;
  readonly aliases: AliasTable;
  readonly decisions: DocumentTable<Decision>;
  readonly annotations: DocumentTable<Annotations>;
  readonly views: DocumentTable<StoredViews>;
  readonly lists: IssueLists;
  readonly merges: MergeMap;
  readonly triage: Triage;
  readonly logApplier: LogApplier;
  readonly counters: CounterTable;
  readonly search: SearchTable;
  readonly linker: ReportLinker;
  readonly eraser: IssueEraser;
  readonly tombstones: TombstoneTable;
  readonly #storage: DurableObjectStorage;
  readonly releases: ReleaseTable;
  readonly #traces: TraceTable;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.issues = new IssueTable(storage);
    this.aliases = new AliasTable(storage);
    this.decisions = new DocumentTable(storage, "decision", parseStoredDecision);
    this.annotations = new DocumentTable(storage, "notes", parseStoredAnnotations);
    this.views = new DocumentTable(storage, "views", parseStoredViews);
    this.lists = new IssueLists(storage.sql, (digest) => this.issues.get(digest));
    this.merges = new MergeMap(this.annotations);
    this.triage = new Triage(this);
    this.counters = new CounterTable(storage);
    this.search = new SearchTable(storage);
    this.releases = new ReleaseTable(storage);
    this.#traces = new TraceTable(storage);
    this.linker = new ReportLinker(this.aliases, this.#traces);
    this.tombstones = new TombstoneTable(storage);
    this.eraser = new IssueEraser(this);
    this.logApplier = new LogApplier(this);
  }

  /** Does all of the work or, if it throws, none. */
  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      for (const table of [this.issues, this.releases, this.counters, this.merges])
        table.clearCache();
      throw error;
    }
  }

  /** True until `begin` was called once. */
  isNew(): boolean {
    return !this.issues.isInitialized();
  }

  /** From now on what is here is the project's own memory, and not an empty one. */
  markInitialized(): void {
    this.issues.markInitialized();
  }

  /** Takes an issue as its snapshot in KV has it, and what people have decided about it since. */
  restoreIssue(issue: Issue, nowMs: number): void {
    const decision = this.decisions.get(issue.digest) ?? issue.decision;
    const assignee = this.annotations.get(issue.digest)?.assignee;
    this.issues.restore({
      ...issue,
      ...toDecisionFields(issue, decision, nowMs),
      ...(assignee !== undefined && { assignee }),
    });
    for (const alias of [...issue.aliases, ...(issue.mergedDigests ?? [])]) {
      this.aliases.restore(alias, issue.digest, issue.firstSeenMs);
    }
    for (const [shard, watermark] of Object.entries(issue.watermarks ?? {})) {
      this.issues.raiseWatermark(shard, watermark);
    }
  }

  /** Takes the snapshot of an issue that was merged into another, unless that has counted it. */
  restoreMergedIssue(issue: Issue, digest: Digest, nowMs: number): void {
    const into = this.issues.get(digest);
    const known = [...(into?.mergedDigests ?? []), ...(into?.splitOff ?? [])];
    if (into === undefined || known.includes(issue.digest)) return;
    const { mergedDigests = [], ...combined } = combineIssues(into, issue, nowMs);
    const isSplitOff = this.merges.resolve(issue.digest) !== digest;
    const remaining = mergedDigests.filter((one) => !isSplitOff || one !== issue.digest);
    const splitOff = isSplitOff
      ? [...(combined.splitOff ?? []), issue.digest]
      : (combined.splitOff ?? []);
    this.issues.save({
      ...combined,
      ...(remaining.length > 0 && { mergedDigests: remaining }),
      ...(splitOff.length > 0 && { splitOff }),
    });
    const aliases = isSplitOff ? issue.aliases : [...issue.aliases, issue.digest];
    for (const code of aliases) this.aliases.restore(code, digest, issue.firstSeenMs);
  }

  /** Issues whose first report is no longer kept are found by what they are called. */
  indexTitles(): void {
    for (const digest of this.issues.listDigests()) {
      const issue = this.issues.get(digest);
      if (issue !== undefined) this.search.add([[digest, toTitleSearchText(issue)]]);
    }
  }

  /** Forgets everything; what people decided only where that is said. */
  wipe({ decisions }: { readonly decisions: boolean }): void {
    this.transaction(() => {
      const tables = [
        this.issues,
        this.aliases,
        this.counters,
        this.search,
        this.releases,
        this.#traces,
      ];
      for (const table of tables) table.wipe();
      if (decisions)
        for (const table of [this.decisions, this.annotations, this.views]) table.wipe();
      this.merges.clearCache();
    });
  }

  /** The foreign codes and traces that lead browsers' reports to this issue and to no other. */
  listExclusiveCodes(digest: Digest): readonly string[] {
    return [
      ...this.aliases.listExclusiveAliases(digest),
      ...this.#traces.listExclusiveTraces(digest),
    ];
  }

  /** The keys of everything that it may have copied into KV. */
  listKeys(project: string): readonly string[] {
    return [
      ...this.issues.listDigests().map((digest) => issueKey(project, digest)),
      ...this.aliases.listAliases().map((alias) => aliasKey(project, alias)),
      ...this.decisions.list().map(([digest]) => decisionKey(project, digest)),
      ...this.annotations.list().map(([digest]) => annotationsKey(project, digest)),
      viewsKey(project),
    ];
  }

  /** The issue that a report counts in. */
  resolveIssue(summary: ReportSummary): Digest {
    return this.merges.resolve(this.linker.resolve(summary), parsePosition(summary.position));
  }

  /** Where a code leads. A digest that was split off leads to where its reports are until it has an issue of its own again. */
  resolveAlias(code: string): readonly Digest[] {
    const digests = this.aliases.findDigests(code);
    if (digests.length > 0 || this.issues.get(code) !== undefined) return digests;
    return this.merges
      .listSplitSources(code)
      .filter((digest) => this.issues.get(digest) !== undefined);
  }

  /** Issues that share telling words with one, the likeliest first. */
  findSimilar(digest: Digest): readonly IssueSummary[] {
    const issue = this.issues.get(digest);
    if (issue === undefined) return [];
    const found: IssueSummary[] = [];
    for (const other of this.search.findSimilar(
      `${issue.type} ${issue.message}`,
      4 * limits.similarIssues,
    )) {
      const candidate = this.issues.get(other);
      if (candidate === undefined || other === digest || candidate.noise !== issue.noise) continue;
      found.push(summarizeIssue(candidate));
      if (found.length === limits.similarIssues) break;
    }
    return found;
  }

  /** The newest issues, and how many there are, noise apart. */
  listNewest(nowMs: number): IssueList {
    const issues = this.lists.listNewest(limits.newestIssues).map(summarizeIssue);
    const [total, noiseTotal] = [this.lists.countIssues(false), this.lists.countIssues(true)];
    return { v: 1, issues, total, noiseTotal, asOfMs: nowMs };
  }

  /** Forgets what was last heard of before a moment; of common issues, before another. */
  deleteExpired(beforeMs: number, commonBeforeMs: number, nowMs: number): void {
    this.issues.deleteExpired(beforeMs, commonBeforeMs, nowMs - NEW_ISSUE_MS);
    this.aliases.deleteExpired(commonBeforeMs);
    this.search.deleteOrphans();
    this.#traces.deleteExpired(nowMs - TRACE_TTL_MS);
    this.releases.deleteExpired(beforeMs);
    this.counters.deleteExpired(toUtcDay(beforeMs));
  }
}
