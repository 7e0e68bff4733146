/** Access to the index: once it is known to be complete, and with all acknowledged reports. */
import type { AlertDispatcher } from "./alerts/alert-dispatcher.ts";
import type { ProjectJobs } from "./jobs/project-jobs.ts";
import type { PlaceResolver } from "./places/place-resolver.ts";
import type { ReadBarrier } from "./read-barrier.ts";
import type { SnapshotScheduler } from "./snapshots/snapshot-scheduler.ts";
import type { ChangeResult, DirtyKeys } from "./state/dirty-keys.ts";
import type { IndexTables } from "./state/index-tables.ts";

interface IndexAccessDeps {
  readonly tables: IndexTables;
  readonly barrier: ReadBarrier;
  readonly snapshots: SnapshotScheduler;
  readonly places: PlaceResolver;
  readonly jobs: ProjectJobs;
  readonly dispatcher: AlertDispatcher;
  readonly nowMs: () => number;
  /** Keeps the object alive for work that nothing waits for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The access to one project's index. */
export class IndexAccess {
  readonly #deps: IndexAccessDeps;

  constructor(deps: IndexAccessDeps) {
    this.#deps = deps;
  }

  /** Runs a query once the logs have sent every acknowledged row and all of them are stored. */
  async read<T>(query: (tables: IndexTables) => T): Promise<T> {
    await this.waitForLogs();
    const { tables, nowMs } = this.#deps;
    tables.writeForQuery(nowMs());
    return query(tables);
  }

  /** Makes a change once the logs have sent every acknowledged row, then writes its snapshots. */
  async write<T>(change: (tables: IndexTables, nowMs: number) => ChangeResult<T>): Promise<T> {
    await this.waitForLogs();
    this.#deps.tables.writeStaged();
    const { tables, dispatcher, waitUntil, nowMs } = this.#deps;
    const { result, dirtyKeys } = change(tables, nowMs());
    if (dirtyKeys !== undefined) this.saveSnapshots(dirtyKeys);
    // A decision can close the incidents of pagers.
    if (!tables.alerts.isEmpty()) waitUntil(dispatcher.prepare().then(() => dispatcher.run()));
    return result;
  }

  /** Resolves when the logs have sent every acknowledged row; some may be staged. */
  async waitForLogs(): Promise<void> {
    await this.requireInitialized();
    await this.#deps.barrier.wait();
  }

  /** Writes snapshots to KV later. */
  saveSnapshots(dirtyKeys: DirtyKeys): void {
    const { snapshots, waitUntil } = this.#deps;
    snapshots.markDirty(dirtyKeys);
    waitUntil(snapshots.write());
  }

  /** Rejects while the index is empty and KV does not answer whether the project has data. */
  async requireInitialized(): Promise<void> {
    const { shardProgress } = this.#deps.tables;
    if (shardProgress.isInitialized()) return;
    await this.initialize();
    if (!shardProgress.isInitialized()) throw new Error("cannot read the project's keys from KV");
  }

  /** Starts a rebuild if the index lacks data of KV, then continues interrupted work. */
  async initialize(): Promise<void> {
    await this.#deps.jobs.detectLostState();
    this.resume();
  }

  /** Continues interrupted work. */
  resume(): void {
    const { tables, snapshots, places, jobs, dispatcher, waitUntil } = this.#deps;
    waitUntil(snapshots.resume());
    waitUntil(places.resume());
    if (!tables.alerts.isEmpty()) waitUntil(dispatcher.run());
    if (jobs.hasJobs) waitUntil(jobs.run());
  }
}
