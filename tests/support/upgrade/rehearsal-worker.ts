/**
 * A Worker with the rehearsed store, as of a release, in objects of the product's base class. An
 * object can stop before any statement of its upgrade, so that a test can kill the process there.
 */
import type { Bindings } from "#src/bindings.ts";
import type { Schema } from "#src/store/sqlite/database.ts";
import { StoredObject } from "#src/store/sqlite/object.ts";
import { describeDatabase, findUndeclared } from "#support/store/check-schema.ts";
import { createSchema, RehearsedStore, type Release } from "./rehearsed-releases.ts";

export interface RehearsalBindings extends Bindings {
  readonly REHEARSAL: DurableObjectNamespace<Rehearsal>;
  /** The release of the code: `1` to `4`. */
  readonly RELEASE: string;
  /**
   * An object and one of its statements: `k7 7`. Before it, the process prints `STOPPED` and stops.
   * With `k7 7 error`, only the statement fails.
   */
  readonly STOP?: string;
  /** Rows of a turn, if fewer than the base class asks for. */
  readonly ROWS_PER_TURN?: string;
}

/** A member of an issue that is as long as a typical summary. */
const FILLER = "x".repeat(600);

export class Rehearsal extends StoredObject {
  readonly #statements: ReturnType<typeof countStatements>;
  readonly #created: RehearsedStore | undefined;
  #onFilled: (() => void)[] = [];

  constructor(ctx: DurableObjectState, env: RehearsalBindings) {
    const release = Number(env.RELEASE) as Release;
    const [name, nth, isError] = env.STOP?.split(" ") ?? [];
    const statements = countStatements(ctx.storage, (count) => {
      if (name !== ctx.id.name || count !== Number(nth)) return;
      if (isError) throw new Error("no space");
      for (console.log("STOPPED"); ; );
    });
    super(
      ctx,
      env,
      limitTurns(createSchema(release), Number(env.ROWS_PER_TURN ?? Number.POSITIVE_INFINITY)),
      statements.storage,
    );
    this.#statements = statements;
    if (this.isReady) this.#created = new RehearsedStore(ctx.storage, release, this.database);
  }

  get #store() {
    return this.requireData(this.#created);
  }

  /** Saves `count` issues; those with an even number are assigned. */
  fill(count: number, assignee: string): void {
    for (let n = 0; n < count; n++)
      this.saveIssue(`I${String(n).padStart(2, "0")}`, n, n % 2 === 0 ? assignee : undefined);
  }

  /** Saves as many issues of a usual size, after those that it has. Call it in release 1. */
  fillMany(count: number): void {
    this.ctx.storage.sql.exec(
      `INSERT INTO issue(digest, at_ms, summary)
       WITH RECURSIVE one(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one LIMIT ?)
       SELECT 'M' || (n + base), n + base, json_object('assignee', 'p' || n % 50, 'text', ?)
       FROM one, (SELECT coalesce(max(id), 0) AS base FROM issue)`,
      ...[count, FILLER],
    );
  }

  saveIssue(digest: string, atMs: number, assignee?: string): void {
    this.#store.saveIssue({ digest, atMs, assignee });
  }

  decide(...args: Parameters<RehearsedStore["decide"]>): void {
    this.#store.decide(...args);
  }

  /** Every version appends, also one that may not read the other tables. */
  append(body: string): void {
    this.ctx.storage.sql.exec("INSERT INTO line(body) VALUES (?)", body);
  }

  /** What members see of the issues of an assignee, and of the decision about an issue. */
  read(assignee: string, digest: string) {
    return { issues: this.#store.listOf(assignee), decision: this.#store.getDecision(digest) };
  }

  /** All content, the tables, and how far the upgrade is. */
  inspect() {
    const { sql } = this.ctx.storage;
    const { atMs: _, ...version } = this.getVersion();
    return {
      version,
      backfills: sql.exec("SELECT id, visited, done FROM schema_backfill ORDER BY id").toArray(),
      content: this.#store.dump(),
      tables: describeDatabase(sql),
      undeclared: findUndeclared(sql, this.database.schema),
    };
  }

  /** Resolves when alarms have finished all backfills. */
  async waitUntilFilled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.database.hasBackfill) return;
    this.#onFilled.push(resolve);
    return promise;
  }

  /** When the next alarm fires, ms; null without one. */
  getAlarm(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  /** The statements that opening and upgrading the database took. */
  countStatements(): number {
    return this.#statements.getCount();
  }

  protected override async onAlarm(): Promise<void> {
    const { hasBackfill } = this.database;
    console.log(`${hasBackfill ? "UNFILLED" : "FILLED"} ${this.ctx.id.name}`);
    if (hasBackfill) return;
    for (const resolve of this.#onFilled) resolve();
  }

  override async waitUntilIdle(): Promise<void> {}
}

/** Every backfill of a schema in turns of at most so many rows. */
function limitTurns(schema: Schema, rows: number): Schema {
  const migrations = schema.migrations.map(({ backfill, ...rest }) => ({
    ...rest,
    backfill: backfill && ((sql, after, limit) => backfill(sql, after, Math.min(limit, rows))),
  })) satisfies Schema["migrations"];
  return { ...schema, migrations };
}

/** A storage that counts its statements, and calls `onStatement` before each. */
function countStatements(storage: DurableObjectStorage, onStatement: (count: number) => void) {
  let count = 0;
  const exec: SqlStorage["exec"] = (query, ...values) => {
    onStatement(++count);
    return storage.sql.exec(query, ...values);
  };
  const counted = {
    sql: { exec },
    transactionSync: (work: () => unknown) => storage.transactionSync(work),
  };
  return { storage: counted as never, getCount: () => count };
}

/** Calls a method of an object: `{"object": "k7", "method": "append", "args": ["first"]}`. */
export default {
  async fetch(request: Request, env: RehearsalBindings): Promise<Response> {
    const { object, method, args } = await request.json<{
      object: string;
      method: string;
      args: readonly unknown[];
    }>();
    try {
      const stub = env.REHEARSAL.getByName(object);
      const result = await Reflect.apply(Reflect.get(stub, method), stub, args);
      return Response.json({ result });
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};
