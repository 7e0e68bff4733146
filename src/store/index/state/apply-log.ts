/**
 * How what a log hands over changes the ledger: reports fold into their issues, each exactly once, and tallies are added up. Every
 * method is synchronous.
 */

import { aggregateReport } from "../../../core/issue/aggregate-report.ts";
import { applyRegression, toDecisionFields } from "../../../core/issue/decision.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../../core/issue/live-event.ts";
import { isCommon } from "../../../core/issue/retention.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { CounterBatch, type DailyCounters } from "../../../core/stats/counters.ts";
import { hourToDay, parsePosition, toOffset } from "../../kv/keys.ts";
import { isBelowWatermark, type Watermarks } from "../../kv/watermarks.ts";
import type { SequencedItem } from "../../rpc/rpc.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import { toTitleSearchText } from "./erase-issue.ts";
import type { ProjectState } from "./project-state.ts";

/** What a delta changed, and of which of its issues there is plenty. */
export interface AppliedChanges extends DirtyKeys {
  readonly commonIssues: readonly Digest[];
  /** What arrived, in order; made when it is asked for. */
  readonly createLiveEvents: () => readonly LiveEvent[];
}

/** What marks changed, the issues that are new, and where each mark counts. */
interface AppliedSummaries extends AppliedChanges {
  readonly newIssues: readonly Issue[];
  readonly issueOfSummary: ReadonlyMap<ReportSummary, Digest>;
}

/** What rows changed, and the last of them that is counted. */
export interface AppliedRows extends AppliedChanges {
  readonly lastSeq: number;
}

/** The counting of one ledger. */
export class LogApplier {
  readonly #state: ProjectState;

  constructor(state: ProjectState) {
    this.#state = state;
  }

  /**
   * Counts what stands in whole rows of a shard's log, in order; a row counts once, however often it comes. Gives the last row
   * that is counted, and what that changed. With `isGapless` it throws for rows that do not follow on what is counted.
   */
  applyNewRows(
    shard: string,
    rows: readonly SequencedItem[],
    nowMs: number,
    isGapless = false,
  ): AppliedRows {
    const before = this.#state.issues.getAppliedSeq(shard);
    const unapplied = rows.filter(({ seq }) => seq > before);
    const last = unapplied.at(-1)?.seq;
    if (last === undefined) return { lastSeq: before, ...NO_CHANGES };
    if (isGapless && before > 0 && unapplied[0]?.seq !== before + 1) {
      throw new Error("rows before these are not counted yet");
    }
    return this.#state.transaction(() => {
      const changes = this.#applyOrSkip(unapplied, nowMs);
      this.#state.issues.setApplied(shard, last, getLastOffset(unapplied));
      return { lastSeq: last, ...changes };
    });
  }

  /** What nobody has foreseen of one report must not keep all others from being counted for ever: that one is left out. */
  #applyOrSkip(rows: readonly SequencedItem[], nowMs: number): AppliedChanges {
    try {
      return this.#state.transaction(() => this.applyRows(rows, nowMs));
    } catch (error) {
      if (!isProgramError(error)) throw error;
      console.error("index: what came together is counted one by one", String(error));
    }
    return joinChanges(rows.flatMap((row) => this.#applySingle(row, nowMs) ?? []));
  }

  #applySingle(row: SequencedItem, nowMs: number): AppliedChanges | null {
    try {
      return this.#state.transaction(() => this.applyRows([row], nowMs));
    } catch (error) {
      if (!isProgramError(error)) throw error;
      const context =
        "summary" in row ? { digest: row.summary.digest, report: row.summary.id } : {};
      console.error("index: a row is not counted", { ...context, error: String(error) });
      return null;
    }
  }

  /** Counts rows, whatever was counted before. Within a transaction of the caller's. */
  applyRows(rows: readonly SequencedItem[], nowMs: number): AppliedChanges {
    const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
    const { issueOfSummary, newIssues, ...changes } = this.#applySummaries(summaries, nowMs);
    // An issue is found by what its first report said, under whose digest ever it came; without that by what it is called.
    const searchTexts = new Map<Digest, string>();
    const mergedTexts: (readonly [Digest, string])[] = [];
    for (const row of rows) {
      if (!("summary" in row) || row.searchText === undefined) continue;
      const digest = issueOfSummary.get(row.summary) ?? row.summary.digest;
      if (digest !== row.summary.digest) mergedTexts.push([digest, row.searchText]);
      else if (!searchTexts.has(digest)) searchTexts.set(digest, row.searchText);
    }
    for (const issue of newIssues) {
      if (issue.count > 0 && !searchTexts.has(issue.digest))
        searchTexts.set(issue.digest, toTitleSearchText(issue));
    }
    this.#state.search.add(searchTexts);
    for (const [digest, text] of mergedTexts) this.#state.search.addText(digest, text);
    const dailyCounters = rows.flatMap((row) => ("dailyCounters" in row ? row.dailyCounters : []));
    for (const counters of [...dailyCounters, ...countReports(summaries)])
      this.#state.counters.add(counters);
    return changes;
  }

  #applySummaries(summaries: readonly ReportSummary[], nowMs: number): AppliedSummaries {
    const issueOfSummary = new Map<ReportSummary, Digest>();
    const issues = new Map<Digest, Issue>();
    const stored = new Map<Digest, Issue | null>();
    const applied: { readonly mark: ReportSummary; readonly isNew: boolean }[] = [];
    const aliases = new Set<string>();
    const decisions = new Set<Digest>();
    for (const summary of summaries) {
      this.#recordRelease(summary);
      const linkedDigest = this.#state.linker.resolve(summary);
      const linked = summary.isLinked || linkedDigest !== summary.digest;
      const place = parsePosition(summary.position);
      const digest = this.#state.merges.resolve(linkedDigest, place);
      const resolved = { ...summary, digest, isLinked: linked };
      issueOfSummary.set(summary, digest);
      // Its sender was told its own digest, which may be the code of no other issue: then it leads here too.
      const isOnlyLink =
        linkedDigest !== summary.digest && this.#state.issues.get(summary.digest) === undefined;
      if (isOnlyLink && this.#state.aliases.add(summary.digest, digest, nowMs))
        aliases.add(summary.digest);
      if (!stored.has(digest)) stored.set(digest, this.#state.issues.get(digest) ?? null);
      const before = issues.get(digest) ?? stored.get(digest) ?? undefined;
      if (
        before !== undefined &&
        place !== null &&
        isBelowWatermark(place, selectWatermarks(before, linkedDigest))
      ) {
        this.#state.linker.record(summary, digest, nowMs);
        continue;
      }
      const issue = aggregateReport(before, resolved, nowMs);
      applied.push({ mark: resolved, isNew: before === undefined });
      // An issue that was forgotten may return: what was decided about it outlived it.
      const decision = before === undefined ? this.#state.decisions.get(digest) : before.decision;
      const next = decision && applyRegression(decision, resolved, this.#getFirstSeen);
      if (next !== decision && next !== undefined) {
        this.#state.decisions.save(digest, next);
        decisions.add(digest);
        const { regressedAtMs: atMs = nowMs, regressedInRelease: release } = next;
        this.#state.triage.addActivity(digest, {
          atMs,
          action: "regressed",
          ...omitUndefined({ release }),
        });
      }
      // One that was forgotten is still looked after by whoever did.
      const assignee =
        before === undefined ? this.#state.annotations.get(digest)?.assignee : undefined;
      issues.set(digest, {
        ...issue,
        ...toDecisionFields(issue, next, nowMs),
        ...omitUndefined({ assignee }),
      });
      for (const alias of summary.aliases ?? []) {
        // The issue keeps as many codes as it may have: whoever sends more gains no more rows and keys.
        const hasAlias = issue.aliases.includes(alias);
        if (hasAlias && this.#state.aliases.add(alias, digest, nowMs)) aliases.add(alias);
      }
      // Known to the next mark: where a report counts depends on what came before, never on what came together.
      this.#state.linker.record(summary, digest, nowMs);
    }
    // What the table has is at hand: a large issue is not read a second time.
    for (const issue of issues.values()) {
      this.#state.issues.save(issue, stored.get(issue.digest));
    }
    const commonIssues = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
    return {
      issues: new Set(issues.keys()),
      aliases,
      decisions,
      annotations: decisions,
      commonIssues: commonIssues.map(({ digest }) => digest),
      issueOfSummary,
      newIssues: [...issues.values()].filter(({ digest }) => stored.get(digest) === null),
      createLiveEvents: () =>
        applied.map(({ mark: summary, isNew }) => toLiveEvent(summary, isNew)),
    };
  }

  #recordRelease({ release, atMs, position }: ReportSummary): void {
    if (release !== undefined) this.#state.releases.recordSeen(release, atMs, hourToDay(position));
  }

  readonly #getFirstSeen = (release: string) => this.#state.releases.getFirstSeenMs(release);
}

const NO_CHANGES: AppliedChanges = {
  ...createDirtyKeys({}),
  commonIssues: [],
  createLiveEvents: () => [],
};

/** Up to where the snapshots from which an issue was rebuilt had counted the reports of a digest. */
function selectWatermarks(
  { watermarks, mergedWatermarks = {} }: Issue,
  digest: Digest,
): Watermarks | undefined {
  return Object.hasOwn(mergedWatermarks, digest) ? mergedWatermarks[digest] : watermarks;
}

/** A fault of the program, and none of the storage: it comes again whenever the same is counted. */
function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

function joinChanges(all: readonly AppliedChanges[]): AppliedChanges {
  const concatenate = (select: (one: AppliedChanges) => Iterable<string>) =>
    all.flatMap((one) => [...select(one)]);
  return {
    ...createDirtyKeys({
      issues: concatenate(({ issues }) => issues),
      aliases: concatenate(({ aliases }) => aliases),
      decisions: concatenate(({ decisions }) => decisions),
      annotations: concatenate(({ annotations }) => annotations),
    }),
    commonIssues: concatenate(({ commonIssues }) => commonIssues),
    createLiveEvents: () => all.flatMap(({ createLiveEvents: resolved }) => resolved()),
  };
}

function getLastOffset(rows: readonly SequencedItem[]): number {
  const last = rows.findLast((row) => "summary" in row);
  const place =
    last !== undefined && "summary" in last ? parsePosition(last.summary.position) : null;
  return place === null ? 0 : toOffset(place);
}

/** The reports themselves as tallies, on the days on which the log took them: those stand in their positions. */
function countReports(summaries: readonly ReportSummary[]): readonly DailyCounters[] {
  const byDay = Map.groupBy(summaries, ({ position }) => hourToDay(position));
  return [...byDay].map(([day, its]) => {
    const counterBatch = new CounterBatch();
    for (const { kind, noise = "", occurrences } of its) {
      if (occurrences === undefined) counterBatch.add(["accepted", kind, noise]);
      else counterBatch.add(["counted", kind], occurrences);
    }
    return { day, counters: counterBatch.drain() };
  });
}
