/**
 * The base class of Errata's Durable Objects. An object whose data belongs to another version of
 * the code answers `getVersion`, refuses everything else, and changes no byte.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../../bindings.ts";
import { readRelease, readStoreSettings } from "../../config.ts";
import { limits } from "../../core/limits.ts";
import type { ObjectVersion } from "../../core/stats/object-version.ts";
import { DAY_MS, toDayNumber } from "../../core/utc-time.ts";
import { Database, type Schema, UnavailableData } from "./database.ts";

/** Data that cannot be used is looked at again after this time. */
const RETRY_MS = 3_600_000;
/** A failed migration or turn is tried again after this time: the migration in a new object. */
const RESTART_MS = 60_000;
/** The rows of a turn of a backfill change until it takes this time: a request waits for some. */
const TURN_MS = 5;
/** Requests between two turns do not wait. */
const PAUSE_MS = 5;
const FIRST_ROWS = 500;
const MIN_ROWS = 50;
const MAX_ROWS = 2_000;
/** After so many turns, the parts of the object get their alarm. */
const TURNS_PER_ALARM = 50;
const NEXT_ALARM_MS = 5;

export abstract class StoredObject extends DurableObject<Bindings> {
  protected readonly database: Database;
  readonly #openedMs: number;
  #settings: ReturnType<typeof readStoreSettings> | undefined;
  #rowsPerTurn = FIRST_ROWS;
  /** After a failed turn, the next one is not before. */
  #retryMs = 0;

  /** `storage` is that of the object, or one that counts its rows. */
  constructor(
    ctx: DurableObjectState,
    env: Bindings,
    schema: Schema,
    storage: DurableObjectStorage = ctx.storage,
  ) {
    super(ctx, env);
    this.#openedMs = Date.now();
    const release = readRelease(env);
    this.database = new Database(storage, schema, { release, nowMs: this.#openedMs });
    const { state } = this.database;
    if (!this.isReady)
      console.error(`the data of ${schema.object} cannot be used`, JSON.stringify(state));
    const wakeMs = this.isReady ? this.#getTurnMs() : this.#openedMs + RETRY_MS;
    // The parts, which may remember their alarm, do not exist yet.
    if (wakeMs !== undefined)
      ctx.blockConcurrencyWhile(() => setStoredAlarmBy(ctx.storage, wakeMs));
  }

  /** The versions of the code and the data. The only call that every version answers. */
  getVersion(): ObjectVersion {
    return this.database.describe();
  }

  /** True if the data may be used. Otherwise create no parts that read it. */
  protected get isReady(): boolean {
    return this.database.state.kind === "ready";
  }

  /**
   * The parts of the object, which exist if the data may be used. Throws otherwise. A failed
   * migration is tried again after a minute.
   */
  protected requireData<T>(parts: T | undefined): T {
    if (parts !== undefined) return parts;
    this.#restartIfFailed();
    throw new UnavailableData(this.database.schema.object, this.database.state);
  }

  #restartIfFailed(): void {
    const isOver = Date.now() - this.#openedMs >= RESTART_MS;
    if (this.database.state.kind === "failed" && isOver)
      this.ctx.abort("A failed migration is tried again.");
  }

  override async alarm(): Promise<void> {
    if (!this.isReady) {
      await this.ctx.storage.setAlarm(Date.now() + RETRY_MS);
      // A log that only receives reports gets no call that would.
      this.#restartIfFailed();
      return;
    }
    try {
      await this.#fill();
    } catch (error) {
      // The parts need their alarm, and the platform gives up on one that throws repeatedly.
      console.error(`${this.database.schema.object}: cannot fill a column`, String(error));
      this.#retryMs = Date.now() + RESTART_MS;
    }
    await this.onAlarm();
    const turnMs = this.#getTurnMs();
    if (turnMs !== undefined) await this.setAlarmBy(turnMs);
  }

  /** Resolves when no work of earlier calls is in progress. */
  abstract waitUntilIdle(): Promise<void>;

  /** The work of an alarm, with data that is ready. */
  protected abstract onAlarm(): Promise<void>;

  /**
   * Sets the alarm to `atMs`, unless it fires earlier. An object whose parts remember the time of
   * their alarm overrides this, or they would replace it by a later one.
   */
  protected setAlarmBy(atMs: number): Promise<void> {
    return setStoredAlarmBy(this.ctx.storage, atMs);
  }

  /** Runs turns of backfills between the requests, while the day has rows left. */
  async #fill(): Promise<void> {
    for (let turn = 0; turn < TURNS_PER_ALARM && this.database.hasBackfill; turn++) {
      const beganMs = Date.now();
      const left = this.#countRowsLeft(beganMs);
      if (left <= 0) return;
      this.database.runTurn(Math.min(this.#rowsPerTurn, left), toDayNumber(beganMs));
      // The platform's clock stands still during a turn.
      await scheduler.wait(PAUSE_MS);
      const tookMs = Date.now() - beganMs - PAUSE_MS;
      const factor = tookMs > 2 * TURN_MS ? 1 / 2 : tookMs < TURN_MS ? 5 / 4 : 1;
      const rows = Math.round(this.#rowsPerTurn * factor);
      this.#rowsPerTurn = Math.min(Math.max(rows, MIN_ROWS), MAX_ROWS);
    }
  }

  /** When the next turn of a backfill is due; undefined if none is left. */
  #getTurnMs(): number | undefined {
    if (!this.database.hasBackfill) return undefined;
    const nowMs = Date.now();
    if (this.#countRowsLeft(nowMs) <= 0) return (toDayNumber(nowMs) + 1) * DAY_MS;
    return Math.max(nowMs + NEXT_ALARM_MS, this.#retryMs);
  }

  /** The rows that backfills may still write today: most are for reports. */
  #countRowsLeft(nowMs: number): number {
    this.#settings ??= readStoreSettings(this.env);
    const { rowScale } = this.#settings;
    const allowed = Math.ceil(limits.maxBackfillRowsPerDay * rowScale);
    return allowed - this.database.countWritten(toDayNumber(nowMs));
  }
}

async function setStoredAlarmBy(storage: DurableObjectStorage, atMs: number): Promise<void> {
  const setMs = await storage.getAlarm();
  if (setMs === null || setMs > atMs) await storage.setAlarm(atMs);
}
