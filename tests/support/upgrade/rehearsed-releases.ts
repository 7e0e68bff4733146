/**
 * A small store as of four releases, for tests of upgrades: release 1 as it began, 2 adds a column
 * and reads a renamed member, 3 writes that member and fills an index, 4 drops a table.
 */
import * as v from "valibot";
import { defineStored, type StoredFormat } from "#src/core/schema/stored.ts";
import {
  type Backfill,
  Database,
  type Migration,
  type Schema,
} from "#src/store/sqlite/database.ts";
import { documents, since, table, upsert } from "#src/store/sqlite/table.ts";

export type Release = 1 | 2 | 3 | 4;

export interface RehearsedIssue {
  readonly digest: string;
  readonly atMs: number;
  readonly assignee?: string;
}

interface RehearsedDecision {
  readonly v: number;
  readonly state: "open" | "resolved" | "muted";
  readonly fixedIn?: string;
}

const rules = { wipe: "reported", expire: "never", erase: "no text" } as const;

/** Fills a column of some issues from their summaries. Writes only rows that differ. */
function fillColumn(
  column: string,
  compute: (summary: { assignee?: string }) => string | number | null,
): Backfill {
  return (sql, after, limit) => {
    const rows = sql
      .exec<{ id: number; summary: string; old: string | number | null }>(
        `SELECT id, summary, ${column} AS old FROM issue WHERE id > ? ORDER BY id LIMIT ?`,
        ...[Number(after ?? 0), limit],
      )
      .toArray();
    for (const { id, summary, old } of rows) {
      const next = compute(JSON.parse(summary));
      if (next !== old) sql.exec(`UPDATE issue SET ${column} = ? WHERE id = ?`, next, id);
    }
    return { visited: rows.length, next: rows.length < limit ? null : String(rows.at(-1)?.id) };
  };
}

const MIGRATIONS: readonly Migration[] = [
  { id: 1 },
  { id: 2, backfill: fillColumn("assignee", ({ assignee }) => assignee ?? null) },
  { id: 3, backfill: fillColumn("shape", () => 3), oldest: 2 },
  { id: 4, migrate: (sql) => void sql.exec("DROP TABLE IF EXISTS cache"), oldest: 3 },
];

/** What code of a release declares. */
export function createSchema(release: Release): Schema {
  const cache = documents("cache", rules);
  return {
    object: "Rehearsal",
    tables: [
      table(
        "issue",
        {
          id: "INTEGER",
          digest: "TEXT NOT NULL UNIQUE",
          at_ms: "INTEGER NOT NULL",
          summary: "TEXT NOT NULL",
          ...(release >= 2 && { assignee: since(2, "TEXT") }),
          ...(release >= 3 && { shape: since(3, "INTEGER") }),
        },
        ["id"],
        {
          ...rules,
          isBig: true,
          indexes: {
            issue_by_time: "(at_ms)",
            ...(release >= 3 && {
              issue_by_assignee: since(3, "(assignee, at_ms) WHERE shape >= 3"),
            }),
          },
        },
      ),
      documents("decision", rules),
      table("line", { seq: "INTEGER", body: "TEXT NOT NULL" }, ["seq"], {
        ...rules,
        isFrozen: true,
      }),
      ...(release < 4 ? [cache] : []),
    ],
    migrations: MIGRATIONS.slice(0, release),
    floor: 1,
  };
}

const state = v.picklist(["open", "resolved", "muted"]);

function createDecisionFormat(release: Release): StoredFormat<RehearsedDecision> {
  if (release === 1)
    return defineStored({
      name: "the decision",
      version: 1,
      // Release 1 calls the member `release`.
      schema: v.looseObject({ v: v.number(), state }),
    });
  return defineStored({
    name: "the decision",
    version: 2,
    writes: release >= 3 ? 2 : 1,
    schema: v.looseObject({ v: v.number(), state, fixedIn: v.optional(v.string()) }),
    up: { 1: ({ release: fixedIn, ...rest }) => ({ ...rest, ...(fixedIn ? { fixedIn } : {}) }) },
    down: { 2: ({ fixedIn, ...rest }) => ({ ...rest, ...(fixedIn ? { release: fixedIn } : {}) }) },
  });
}

const DECISION = upsert("decision", ["name"], ["body"]);

/** The code of a release, on a storage. */
export class RehearsedStore {
  readonly database: Database;
  readonly #sql: SqlStorage;
  readonly #release: Release;
  readonly #decisions: StoredFormat<RehearsedDecision>;

  /** Opens the database itself, unless an object has opened it. */
  constructor(storage: DurableObjectStorage, release: Release, opened?: Database) {
    this.#sql = storage.sql;
    this.#release = release;
    this.#decisions = createDecisionFormat(release);
    const opening = { release: `0.${release}.0`, nowMs: release };
    this.database = opened ?? new Database(storage, createSchema(release), opening);
  }

  saveIssue({ digest, atMs, assignee }: RehearsedIssue): void {
    const columns = {
      at_ms: atMs,
      summary: JSON.stringify({ assignee }),
      ...(this.#release >= 2 && { assignee: assignee ?? null }),
      ...(this.#release >= 3 && { shape: 3 }),
    };
    const save = upsert("issue", ["digest"], Object.keys(columns));
    this.#sql.exec(save, digest, ...Object.values(columns));
  }

  listOf(assignee: string): readonly string[] {
    const { database } = this;
    const isIndexed = this.#release >= 3 && database.isFinished(2) && database.isFinished(3);
    const where = isIndexed ? "shape >= 3 AND assignee" : "summary ->> 'assignee'";
    const query = `SELECT digest FROM issue WHERE ${where} = ? ORDER BY digest`;
    return this.#sql
      .exec<{ digest: string }>(query, assignee)
      .toArray()
      .map(({ digest }) => digest);
  }

  /** `fixedIn` is the release that resolved the issue, under either name of the member. */
  decide(name: string, decided: RehearsedDecision["state"], fixedIn?: string): void {
    const member = this.#release === 1 ? { release: fixedIn } : { fixedIn };
    const body = { v: this.#decisions.version, state: decided, ...member };
    this.#sql.exec(DECISION, name, this.#decisions.encode(body as RehearsedDecision));
  }

  getDecision(name: string): Omit<RehearsedDecision, "v"> | undefined {
    const query = "SELECT body FROM decision WHERE name = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, name).toArray();
    if (row === undefined) return undefined;
    const { v: _, ...decision } = this.#decisions.parse(JSON.parse(row.body));
    const { release, ...rest } = decision as { release?: string } & Omit<RehearsedDecision, "v">;
    return release === undefined ? rest : { ...rest, fixedIn: release };
  }

  /** Every version may append. */
  append(body: string): void {
    this.#sql.exec("INSERT INTO line(body) VALUES (?)", body);
  }

  /** All content, as text. */
  dump(): string {
    const tables = ["issue", "decision", "line"];
    return tables
      .map((name) => JSON.stringify(this.#sql.exec(`SELECT * FROM ${name}`).toArray()))
      .join("\n");
  }
}
