/**
 * The base class of Errata's Durable Objects. An object whose data belongs to another version of
 * the code answers `getVersion`, refuses everything else, and changes no byte.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../../bindings.ts";
import { readRelease } from "../../config.ts";
import type { ObjectVersion } from "../../core/stats/object-version.ts";
import { yieldToRequests } from "../yield-to-requests.ts";
import { Database, type Schema, UnavailableData } from "./database.ts";

/** Data that cannot be used is looked at again after this time. */
const RETRY_MS = 3_600_000;
/** A failed migration may be tried again after this time: the object starts anew. */
const RESTART_MS = 60_000;
/** Rows of one turn of a backfill: about 10 ms. */
const ROWS_PER_TURN = 1_000;
const TURNS_PER_ALARM = 50;
/** The free plan writes 100,000 rows a day, and reports come first. */
const NEXT_ALARM_MS = 5;

export abstract class StoredObject extends DurableObject<Bindings> {
  protected readonly database: Database;
  readonly #openedMs: number;

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
    if (this.database.hasBackfill || !this.isReady)
      ctx.blockConcurrencyWhile(() => this.#wakeBy(Date.now() + NEXT_ALARM_MS));
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
    const isOver = Date.now() - this.#openedMs >= RESTART_MS;
    if (this.database.state.kind === "failed" && isOver)
      this.ctx.abort("A failed migration is tried again.");
    throw new UnavailableData(this.database.schema.object, this.database.state);
  }

  override async alarm(): Promise<void> {
    if (!this.isReady) {
      await this.ctx.storage.setAlarm(Date.now() + RETRY_MS);
      return;
    }
    for (let turn = 0; turn < TURNS_PER_ALARM && this.database.hasBackfill; turn++) {
      if (turn > 0) await yieldToRequests();
      this.database.runTurn(ROWS_PER_TURN);
    }
    await this.onAlarm();
    if (this.database.hasBackfill) await this.#wakeBy(Date.now() + NEXT_ALARM_MS);
  }

  /** Resolves when no work of earlier calls is in progress. */
  abstract waitUntilIdle(): Promise<void>;

  /** The work of an alarm, with data that is ready. */
  protected abstract onAlarm(): Promise<void>;

  async #wakeBy(atMs: number): Promise<void> {
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || setMs > atMs) await this.ctx.storage.setAlarm(atMs);
  }
}
