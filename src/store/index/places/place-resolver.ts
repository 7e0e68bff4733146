/**
 * Resolves the stacks of issues to places in the original source. Each stack is resolved once:
 * before the snapshot of the issue is written to KV, when the issue is viewed, or, for the newest
 * issues, after an upload. A report needs no call, and a project without uploads none at all. A new
 * place waits for the next snapshot.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import {
  applyStackResolutions,
  listUnresolved,
  type StackResolution,
  selectPlace,
  type UnresolvedStack,
} from "../../../core/place/stack-counts.ts";
import {
  toResolveRequest,
  toSearchWords,
  toStackResolution,
} from "../../../core/place/stack-request.ts";
import type { Digest } from "../../../core/report.ts";
import { mergeRequests, splitResponse } from "../../../core/symbolication/report/merge-requests.ts";
import type { SourceMapsApi } from "../../objects.ts";
import type { SharedAlarm } from "../../shared-alarm.ts";
import { upsert } from "../../sqlite/table.ts";
import type { IndexTables } from "../state/index-tables.ts";

const RETRY_MS = 30_000;
const ISSUES_PER_CALL = 50;

interface IssueStack {
  readonly digest: Digest;
  readonly key: UnresolvedStack;
}

interface ResolvedStack extends IssueStack {
  readonly answer: StackResolution;
  readonly words: string;
}

export class PlaceResolver {
  readonly #deps;
  readonly #uploads: KnownUploadsTable;
  /** Calls run one after another, so that the next one skips what the last one resolved. */
  #running: Promise<void> = Promise.resolve();
  /** After a failure, no call before this time, ms: snapshots wait for the answer. */
  #retryMs = 0;

  constructor(deps: {
    readonly tables: IndexTables;
    readonly storage: DurableObjectStorage;
    readonly alarm: Pick<SharedAlarm, "setBy">;
    readonly sourceMaps: Pick<SourceMapsApi, "resolveStacks">;
    readonly nowMs: () => number;
    /** The issues last seen. */
    readonly listNewest: (count: number) => readonly Issue[];
    /** True while jobs change the issues. */
    readonly isPaused: () => boolean;
  }) {
    this.#deps = deps;
    this.#uploads = new KnownUploadsTable(deps.storage);
  }

  /** The number of the newest upload, null without uploads. `resume` resolves the newest issues. */
  setNewestUpload(newest: number | null): void {
    if (this.#uploads.get().newest === newest) return;
    this.#uploads.set({ newest, isWalkDue: newest !== null });
  }

  /** Resolves the newest issues, if there was an upload since the last time. Never rejects. */
  async resume(): Promise<void> {
    const { newest, isWalkDue } = this.#uploads.get();
    if (!isWalkDue || this.#deps.isPaused()) return;
    const digests = this.#deps
      .listNewest(limits.maxIssuesPerUpload)
      .filter((issue) => listUnresolved(issue.stacks, newest).length > 0)
      .map(({ digest }) => digest);
    for (let at = 0; at < digests.length; at += ISSUES_PER_CALL) {
      if (!(await this.resolve(digests.slice(at, at + ISSUES_PER_CALL)))) return;
    }
    if (this.#uploads.get().newest === newest) this.#uploads.set({ newest, isWalkDue: false });
  }

  /**
   * Resolves the stacks of these issues that were not tried since the newest upload. False if the
   * maps are unavailable; the alarm tries again. Never rejects.
   */
  async resolve(digests: readonly Digest[]): Promise<boolean> {
    const { alarm, nowMs } = this.#deps;
    if (this.#uploads.get().newest === null) return true;
    if (nowMs() < this.#retryMs) return false;
    const run = this.#running.then(() => this.#resolve(digests));
    this.#running = run.catch(() => undefined);
    try {
      await run;
      return true;
    } catch (error) {
      console.warn("index: cannot resolve places, will retry", String(error));
      this.#uploads.set({ ...this.#uploads.get(), isWalkDue: true });
      this.#retryMs = nowMs() + RETRY_MS;
      await alarm.setBy(this.#retryMs);
      return false;
    }
  }

  async #resolve(digests: readonly Digest[]): Promise<void> {
    const { tables, isPaused } = this.#deps;
    const { newest } = this.#uploads.get();
    if (newest === null || isPaused()) return;
    const stacks = digests.flatMap((digest): readonly IssueStack[] =>
      listUnresolved(tables.issues.get(digest)?.stacks, newest).map((key) => ({ digest, key })),
    );
    if (stacks.length === 0) return;
    const resolved = await this.#ask(stacks);
    // A job that erases or rebuilds issues must not see changes.
    if (isPaused()) return;
    const byIssue = Map.groupBy(resolved, ({ digest }) => digest);
    tables.transaction(() => {
      for (const [digest, answers] of byIssue) this.#save(digest, answers, newest);
    });
  }

  /** One call for all stacks of a build. */
  async #ask(stacks: readonly IssueStack[]): Promise<readonly ResolvedStack[]> {
    const merged = mergeRequests(stacks.map(({ key }) => toResolveRequest(key)));
    const answers = await Promise.all(
      merged.map(async (one) => {
        const answer = await this.#deps.sourceMaps.resolveStacks(one.request);
        return [...splitResponse(one, answer)];
      }),
    );
    return answers.flat().flatMap(([index, [frames = []]]) => {
      const stack = stacks[index];
      if (stack === undefined) return [];
      const answer = toStackResolution(stack.key, frames);
      return { ...stack, answer, words: toSearchWords(frames) };
    });
  }

  #save(digest: Digest, resolved: readonly ResolvedStack[], upload: number): void {
    const { issues, search } = this.#deps.tables;
    const issue = issues.get(digest);
    if (issue?.stacks === undefined) return;
    const answers = resolved.map(({ answer }) => answer);
    const stacks = applyStackResolutions(issue.stacks, answers, upload);
    const place = selectPlace(stacks, issue.release);
    issues.save({ ...issue, place, stacks });
    for (const words of new Set(resolved.map((one) => one.words)))
      if (words !== "") search.addText(digest, words);
  }
}

const SAVE = upsert("known_uploads", ["id"], ["newest", "walk_due"]);

interface KnownUploads {
  /** The number of the newest upload; null without uploads. */
  readonly newest: number | null;
  /** True while the newest issues are not yet resolved with it. */
  readonly isWalkDue: boolean;
}

/**
 * SQLite table with the newest upload of source maps that the index knows, as one row. Unresolved
 * stacks are tried again after each upload. Synchronous.
 */
class KnownUploadsTable {
  readonly #sql: SqlStorage;
  #cached: KnownUploads | undefined;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  get(): KnownUploads {
    this.#cached ??= this.#read();
    return this.#cached;
  }

  #read(): KnownUploads {
    const query = "SELECT newest, walk_due AS walkDue FROM known_uploads";
    const [row] = this.#sql.exec<{ newest: number | null; walkDue: number }>(query);
    return { newest: row?.newest ?? null, isWalkDue: row?.walkDue === 1 };
  }

  set(uploads: KnownUploads): void {
    this.#cached = uploads;
    this.#sql.exec(SAVE, 1, uploads.newest, uploads.isWalkDue ? 1 : 0);
  }
}
