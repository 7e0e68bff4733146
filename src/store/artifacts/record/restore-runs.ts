/**
 * Reads the record from KV when the object starts empty. Until it is complete, the object answers
 * no request, because the answer would lack uploads.
 */
import { toArtifactPrefix } from "../../kv/keys.ts";
import { upsert } from "../../sqlite/table.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { ArtifactDeps } from "../tables/artifact-tables.ts";
import type { RecordRestore } from "./record-restore.ts";

const SAVE = upsert("restore_run", ["id"], ["blocking", "cursor", "due_ms", "until_ms"]);

const KV_TIMEOUT_MS = 5_000;
/** Calls to KV in one run. An invocation may make 1,000. */
const OPERATIONS_PER_RUN = 200;
/** KV's list may miss a key for this long after it was written. */
const LIST_DELAY_MS = 3_600_000;
/** KV's list may have a key this long before reads of the key find its value. */
const RETRY_MISSING_MS = 120_000;
const MAX_RETRIES_MS = 2 * LIST_DELAY_MS;

type State = {
  /** 1 while the object is incomplete. */
  blocking: number;
  cursor: string | null;
  /** When the next run is due; null if none is. */
  due_ms: number | null;
  /** No run is repeated after this time. */
  until_ms: number;
};

export class RestoreRuns {
  readonly #deps;

  constructor(
    deps: ArtifactDeps & {
      readonly restore: RecordRestore;
    },
  ) {
    this.#deps = deps;
  }

  /** True if the object has read its record. One query, because every call checks it. */
  get isReady(): boolean {
    return this.#getState()?.blocking === 0;
  }

  /** False in an object that has never read KV. Then call `initialize`. */
  get isInitialized(): boolean {
    return this.#getState() !== undefined;
  }

  /** True while the object reads its record for the first time. */
  get isBlocking(): boolean {
    return this.#getState()?.blocking === 1;
  }

  /** When `run` is due, in ms; undefined if it is not. */
  get dueMs(): number | undefined {
    return this.#getState()?.due_ms ?? undefined;
  }

  /** Finds out whether KV has a record. Rejects if KV does not answer. */
  async initialize(): Promise<void> {
    const { project, kv, nowMs } = this.#deps;
    const list = kv().list({ prefix: toArtifactPrefix(project), limit: 1 });
    const { keys } = await withTimeout(list, KV_TIMEOUT_MS);
    if (this.isInitialized) return;
    const isLost = keys.length > 0;
    this.#setState({
      blocking: isLost ? 1 : 0,
      cursor: null,
      due_ms: isLost ? nowMs() : null,
      until_ms: nowMs() + MAX_RETRIES_MS,
    });
  }

  /** Everything in KV is obsolete, so nothing is read. */
  skip(): void {
    this.#setState({ blocking: 0, cursor: null, due_ms: null, until_ms: 0 });
  }

  /** Continues a restore that is due. Rejects if KV fails; the next run repeats the step. */
  async run(): Promise<void> {
    const { restore, nowMs } = this.#deps;
    for (let operations = 0; operations < OPERATIONS_PER_RUN; ) {
      const state = this.#getState();
      if (state === undefined || state.due_ms === null || state.due_ms > nowMs()) return;
      const part = await restore.runStep(state.cursor ?? undefined);
      operations += part.operations;
      if (part.cursor !== undefined) {
        this.#setState({ ...state, cursor: part.cursor });
        continue;
      }
      const isMissing = part.missing !== undefined && part.missing > 0;
      const repeatMs = isMissing ? RETRY_MISSING_MS : state.blocking === 1 ? LIST_DELAY_MS : null;
      const isLate = repeatMs === null || nowMs() + repeatMs > state.until_ms;
      const due = isLate ? null : nowMs() + repeatMs;
      this.#setState({ ...state, blocking: 0, cursor: null, due_ms: due });
    }
  }

  #getState(): State | undefined {
    return this.#deps.storage.sql
      .exec<State>("SELECT blocking, cursor, due_ms, until_ms FROM restore_run")
      .toArray()[0];
  }

  #setState({ blocking, cursor, due_ms, until_ms }: State): void {
    this.#deps.storage.sql.exec(SAVE, 1, blocking, cursor, due_ms, until_ms);
  }
}
