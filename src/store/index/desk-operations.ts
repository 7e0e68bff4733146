/**
 * The reads and changes of the desk in the index: every method of `IndexOperations`. Each sees all
 * reports that the logs have acknowledged.
 */

import type { WithSentAlerts } from "../../core/alerts/sent-alert.ts";
import type { AnnotationChange, Annotations, Assignment } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueCursor } from "../../core/issue/issue-list-page.ts";
import type { IssueQuery, SavedView } from "../../core/issue/issue-query.ts";
import { limits } from "../../core/limits.ts";
import type { IndexOperations } from "../../core/ports/storage-ports.ts";
import type { Digest } from "../../core/report.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { DAY_MS, toUtcDay } from "../../core/utc-time.ts";
import { checkQuery } from "./alerts/check-query.ts";
import type { IndexAccess } from "./index-access.ts";
import type { IssueLists } from "./lists/issue-lists.ts";
import { readOverview } from "./lists/read-overview.ts";
import { listLatestEvents } from "./live-sockets.ts";
import { findIssuesByCodes } from "./state/find-issues-by-code.ts";
import type { IndexTables } from "./state/index-tables.ts";
import { listReleases } from "./state/release-summaries.ts";
import { annotate, assignMany, decide, listViews, saveView } from "./triage/triage.ts";
import { undo } from "./triage/undo.ts";

interface DeskOperationsDeps {
  readonly access: IndexAccess;
  readonly lists: IssueLists;
  readonly readHealth: () => Promise<StoreHealth>;
  readonly nowMs: () => number;
}

/** The operations on one project. */
export class DeskOperations implements IndexOperations {
  readonly getHealth: () => Promise<StoreHealth>;
  readonly #access: IndexAccess;
  readonly #lists: IssueLists;
  readonly #nowMs: () => number;

  constructor({ access, lists, readHealth, nowMs }: DeskOperationsDeps) {
    this.getHealth = readHealth;
    this.#access = access;
    this.#lists = lists;
    this.#nowMs = nowMs;
  }

  findMatches(codes: readonly string[], text?: string): Promise<readonly IssueSummary[]> {
    const count = limits.maxMatchesPerOtherProject;
    return this.#access.read((tables) => {
      const found = findIssuesByCodes(tables, codes, count);
      const isFound = found.length > 0 || text === undefined;
      return isFound ? found : this.#lists.searchSummaries(text, count);
    });
  }

  listIssues(query: IssueQuery, from: IssueCursor | undefined, count?: number) {
    return this.#access.read(() => this.#lists.listPage(query, from, this.#nowMs(), count));
  }

  findNeighbors(query: IssueQuery, digest: Digest) {
    return this.#access.read(() => this.#lists.findNeighbors(query, digest, this.#nowMs()));
  }

  checkQuery(query: IssueQuery) {
    const listNewest = (count: number) => this.#lists.listNewest(count);
    return this.#access.read(() => checkQuery(query, listNewest, this.#nowMs()));
  }

  listFacets(query: IssueQuery) {
    return this.#access.read(() => this.#lists.listFacets(query, this.#nowMs()));
  }

  readOverview(...args: Parameters<IndexOperations["readOverview"]>) {
    return this.#access.read((tables) => readOverview(tables, this.#lists, this.#nowMs(), args));
  }

  listCounters(days: number) {
    const firstDay = toUtcDay(this.#nowMs() - (days - 1) * DAY_MS);
    return this.#access.read(({ counters }) => counters.listSince(firstDay));
  }

  listReleases() {
    return this.#access.read((tables) => listReleases(tables, this.#nowMs()));
  }

  listScripts(release: string) {
    return this.#access.read(({ releases }) => releases.scripts.list(release));
  }

  listLiveEvents() {
    return this.#access.read(() =>
      listLatestEvents(this.#lists.listNewest(limits.recentLiveEvents)),
    );
  }

  getAnnotations(digest: Digest) {
    return this.#access.read((tables) => readAnnotations(tables, digest));
  }

  listViews() {
    return this.#access.read(listViews);
  }

  async decide(digest: Digest, input: DecisionInput, undoId?: string) {
    const [issue = null] = await this.#access.write((tables, nowMs) =>
      decide(tables, [digest], input, nowMs, undoId),
    );
    return issue;
  }

  async decideMany(digests: readonly Digest[], input: DecisionInput, undoId?: string) {
    const issues = await this.#access.write((tables, nowMs) =>
      decide(tables, digests, input, nowMs, undoId),
    );
    return issues.map(({ digest }) => digest);
  }

  annotate(digest: Digest, change: AnnotationChange, undoId?: string) {
    return this.#access.write((tables, nowMs) => annotate(tables, digest, change, nowMs, undoId));
  }

  assignMany(digests: readonly Digest[], change: Assignment, undoId?: string) {
    return this.#access.write((tables, nowMs) =>
      assignMany(tables, digests, change, nowMs, undoId),
    );
  }

  undo(id: string) {
    return this.#access.write((tables, nowMs) => undo(tables, id, nowMs));
  }

  saveView(name: string, view: Omit<SavedView, "name"> | null) {
    return this.#access.write((tables) => saveView(tables, name, view));
  }
}

/** The annotations of an issue and its sent alerts; empty if it is unknown. */
export function readAnnotations(
  { annotations, alerts }: IndexTables,
  digest: Digest,
): Annotations & WithSentAlerts {
  return { ...annotations.getOrEmpty(digest), alerts: alerts.sent.list(digest) };
}
