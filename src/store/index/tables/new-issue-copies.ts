/**
 * SQLite table of new issues whose snapshots KV does not have: ranges of their ids. The issues of a
 * batch have consecutive ids, so a storm of new issues adds a row for each batch rather than two for
 * each issue. Synchronous.
 */
import { CopyRank, type CopyRef } from "../../kv/copy-queue.ts";
import type { CopyReserve } from "../../kv/copy-writer.ts";

/** Fewer issues wait in the queue, in which they can be found. */
const MIN_ISSUES = 4;

/** An issue by both of its keys. */
interface NewIssue {
  readonly id: number;
  readonly digest: string;
}

type Range = { first_id: number; last_id: number };

export class NewIssueCopies implements CopyReserve {
  readonly #sql: SqlStorage;
  readonly #nowMs: () => number;
  /** The last id that was listed, by rank. */
  readonly #listed = new Map<CopyRank, number>();

  constructor(storage: DurableObjectStorage, nowMs: () => number) {
    this.#sql = storage.sql;
    this.#nowMs = nowMs;
  }

  /** Adds the issues with neighboring ids. Returns the others, which belong into the queue. */
  add(issues: readonly NewIssue[], rank: CopyRank): readonly NewIssue[] {
    const insert = `INSERT INTO new_issue_copies(first_id, last_id, rank, since_ms)
      VALUES (?, ?, ?, ?)`;
    const runs = listRuns(issues.toSorted((a, b) => a.id - b.id));
    return runs.flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)];
      if (first === undefined || last === undefined || run.length < MIN_ISSUES) return run;
      this.#sql.exec(insert, first.id, last.id, rank, this.#nowMs());
      return [];
    });
  }

  getNextDueMs(rank: CopyRank): number | null {
    const query = "SELECT since_ms AS ms FROM new_issue_copies WHERE rank = ? LIMIT 1";
    return this.#sql.exec<{ ms: number }>(query, rank).toArray()[0]?.ms ?? null;
  }

  list(rank: CopyRank, count: number): readonly CopyRef[] {
    for (let range = this.#getFirst(rank); range !== undefined; range = this.#getFirst(rank)) {
      const end = Math.min(range.last_id, range.first_id + count - 1);
      const query = "SELECT digest FROM issue WHERE id BETWEEN ? AND ?";
      const rows = this.#sql.exec<{ digest: string }>(query, range.first_id, end).toArray();
      this.#listed.set(rank, end);
      if (rows.length > 0) return rows.map(({ digest }) => ({ kind: "issue", name: digest }));
      // Issues that are gone need no copy.
      this.removeListed(rank);
    }
    return [];
  }

  removeListed(rank: CopyRank): void {
    const [range, end] = [this.#getFirst(rank), this.#listed.get(rank) ?? 0];
    if (range === undefined || end < range.first_id) return;
    const isRange = "rank = ? AND first_id = ?";
    const first = range.first_id;
    if (end >= range.last_id)
      this.#sql.exec(`DELETE FROM new_issue_copies WHERE ${isRange}`, rank, first);
    else {
      const update = `UPDATE new_issue_copies SET first_id = ? WHERE ${isRange}`;
      this.#sql.exec(update, end + 1, rank, first);
    }
  }

  #getFirst(rank: CopyRank): Range | undefined {
    const query = `SELECT first_id, last_id FROM new_issue_copies
      WHERE rank = ? ORDER BY first_id LIMIT 1`;
    return this.#sql.exec<Range>(query, rank).toArray()[0];
  }

  /** True if the snapshot of an issue waits that more than page reports changed. */
  has(id: number): boolean {
    const query = `SELECT last_id FROM new_issue_copies
      WHERE rank IN (${CopyRank.new}, ${CopyRank.changed}) AND first_id <= ?
      ORDER BY first_id DESC LIMIT 1`;
    const [row] = this.#sql.exec<{ last_id: number }>(query, id);
    return row !== undefined && row.last_id >= id;
  }

  /** The number of ids, and the time since which the first one waits, in ms; null for none. */
  getBacklog(): { readonly count: number; readonly oldestMs: number | null } {
    return this.#sql
      .exec<{ count: number; oldestMs: number | null }>(
        `SELECT coalesce(sum(last_id - first_id + 1), 0) AS count, min(since_ms) AS oldestMs
         FROM (SELECT * FROM new_issue_copies LIMIT ${MAX_COUNTED_RANGES})`,
      )
      .one();
  }
}

/** The status counts a thousand issues, which fewer ranges have. */
const MAX_COUNTED_RANGES = 250;

/** Issues with consecutive ids, together. `issues` are in the order of their ids. */
function listRuns(issues: readonly NewIssue[]): readonly (readonly NewIssue[])[] {
  const runs: NewIssue[][] = [];
  for (const issue of issues) {
    const run = runs.at(-1);
    if (run !== undefined && issue.id === (run.at(-1)?.id ?? 0) + 1) run.push(issue);
    else runs.push([issue]);
  }
  return runs;
}
