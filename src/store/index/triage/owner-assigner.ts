/**
 * Assigns new issues by the rules of the project that begin with `assign`: once, within an hour of
 * the first report, before the snapshot of the issue is written. So an issue whose snapshot waits
 * when the object stops is judged again, and one that a person has assigned, or from which a person
 * removed the assignee, never is.
 */
import { LOCAL_ASSIGNEE, listMemberNames } from "../../../core/accounts/names.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { findLatestReport } from "../../../core/issue/related-reports.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest, Report } from "../../../core/report.ts";
import { hasAssigningRule } from "../../../core/repositories/owner-rules.ts";
import type { CodeSettings } from "../../../core/repositories/repository.ts";
import { createCodeFinder } from "../../../core/repositories/source-link.ts";
import {
  isAssigning,
  type SuggestedOwner,
  suggestOwner,
  toOwnedFacts,
} from "../../../core/repositories/suggest-owner.ts";
import { createResolveRequest } from "../../../core/symbolication/report/resolve-request.ts";
import { truncateOneLine } from "../../../core/truncate.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import { parsePosition } from "../../kv/keys.ts";
import { parseStoredReport } from "../../kv/stored-json.ts";
import type { ProjectObjects } from "../../objects.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { readCodeSettings } from "./repositories.ts";
import { annotate } from "./triage.ts";

/** Later, the place of an issue may still become known, but somebody has probably seen it. */
const NEW_MS = HOUR_MS;
/** A snapshot waits at most this long. */
const TIMEOUT_MS = 5_000;
/** Of no registry: the current one is always newer. */
const UNKNOWN_VERSION = -1;
/** Issues that are judged before one write of snapshots. */
const MAX_ISSUES = 20;

interface OwnerAssignerDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly objects: Pick<ProjectObjects, "log" | "sourceMaps" | "registry">;
  readonly nowMs: () => number;
  /** True while jobs change the issues. */
  readonly isPaused: () => boolean;
  readonly onDirty: (dirtyKeys: DirtyKeys) => void;
}

export class OwnerAssigner {
  readonly #deps: OwnerAssignerDeps;

  constructor(deps: OwnerAssignerDeps) {
    this.#deps = deps;
  }

  /** Assigns those of the issues that are new. Never rejects. */
  async run(digests: readonly Digest[]): Promise<void> {
    const { tables, isPaused } = this.#deps;
    const settings = readCodeSettings(tables);
    if (isPaused() || !hasAssigningRule(settings.settings.rules?.text)) return;
    const issues = digests.flatMap((digest) => this.#findNew(digest, settings) ?? []);
    if (issues.length === 0) return;
    try {
      await withTimeout(this.#assign(issues.slice(0, MAX_ISSUES), settings), TIMEOUT_MS);
    } catch (error) {
      console.warn("index: cannot assign new issues", String(error));
    }
  }

  /** The issue, if it is new, and nobody has assigned it. */
  #findNew(digest: Digest, { settings }: CodeSettings): Issue | undefined {
    const { tables, nowMs } = this.#deps;
    const issue = tables.issues.get(digest);
    const sinceMs = Math.max(settings.rules?.savedMs ?? Infinity, nowMs() - NEW_MS);
    if (issue === undefined || issue.assignee !== undefined || issue.firstSeenMs < sinceMs)
      return undefined;
    const { activity } = tables.annotations.getOrEmpty(digest);
    const isDecided = activity.some(
      ({ action }) => action === "assigned" || action === "unassigned",
    );
    return isDecided ? undefined : issue;
  }

  async #assign(issues: readonly Issue[], settings: CodeSettings): Promise<void> {
    const { project, objects } = this.#deps;
    const registry = await objects.registry.readIfNewer(UNKNOWN_VERSION);
    const members = registry === null ? [] : listMemberNames(registry, project);
    await Promise.all(
      issues.map(async (issue) => {
        const report = await this.#readReport(issue);
        if (report === null) return;
        const owner = await this.#suggest(report, settings, [...members, LOCAL_ASSIGNEE]);
        if (owner !== undefined && isAssigning(owner, report.trust))
          this.#save(issue.digest, owner, settings);
      }),
    );
  }

  /** The newest report of the highest level, which describes the issue. */
  async #readReport({ latestReports }: Issue): Promise<Report | null> {
    const position = findLatestReport(latestReports)?.position ?? "";
    const shard = parsePosition(position)?.shard;
    const line =
      shard === undefined ? null : await this.#deps.objects.log(shard).readLine(position);
    return line === null ? null : parseStoredReport(line);
  }

  async #suggest(
    report: Report,
    settings: CodeSettings,
    members: readonly string[],
  ): Promise<SuggestedOwner | undefined> {
    const { sourceMaps } = this.#deps.objects;
    const { release } = report;
    const request = createResolveRequest(report);
    const [resolutions, facts] = await Promise.all([
      request === null ? [] : sourceMaps.resolveStacks({ ...request, withoutLines: true }),
      release === undefined ? [] : sourceMaps.listReleaseFacts([release]),
    ]);
    const { repositories } = settings.settings;
    const finder = createCodeFinder({ repositories, release, commits: facts[0]?.commits ?? [] });
    return suggestOwner(toOwnedFacts(report, resolutions, finder), settings, members);
  }

  /** The issue may have changed while other objects were asked. */
  #save(digest: Digest, { member, pattern }: SuggestedOwner, settings: CodeSettings): void {
    const { tables, nowMs, isPaused, onDirty } = this.#deps;
    if (isPaused() || this.#findNew(digest, settings) === undefined) return;
    const by = truncateOneLine(`rule ${pattern}`, limits.maxAssigneeChars);
    const change = { change: "assign", to: member, by } as const;
    const { dirtyKeys } = annotate(tables, digest, change, nowMs());
    if (dirtyKeys !== undefined) onDirty(dirtyKeys);
  }
}
