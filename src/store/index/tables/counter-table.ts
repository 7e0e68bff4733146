/**
 * The tallies of one project, a row for each name and day, in the object of its index. Every method is synchronous.
 */
import { limits } from "../../../core/limits.ts";
import {
  CounterBatch,
  type CounterName,
  type DailyCounter,
  type DailyCounters,
  toOverflowName,
} from "../../../core/stats/counters.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class CounterTable {
  readonly #sql: SqlStorage;
  readonly #groups = new Map<string, CounterGroup>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS tally(
        day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(day, name)) WITHOUT ROWID;`);
  }

  /**
   * Adds to the numbers of a day. A day has at most `limits.maxTallyNamesPerDay` names with the same first word, whatever senders
   * call their releases: then the smaller half of them is added up as "other", and the frequent ones stay.
   */
  add({ day, counters }: DailyCounters): void {
    for (const [name, count] of counters) {
      if (this.#increment(day, name, count)) continue;
      const group = this.#getGroup(day, name);
      if (group.nameCount >= limits.maxCounterNamesPerDay) this.#mergeIntoOther(group);
      this.#insert(day, name, count);
      group.nameCount += 1;
    }
  }

  /** Every number since a day, `2026-11-21`, that day included. */
  listSince(day: string): readonly DailyCounter[] {
    return this.#sql
      .exec<{ day: string; name: string; n: number }>(
        "SELECT day, name, n FROM tally WHERE day >= ?",
        day,
      )
      .toArray()
      .map((row) => ({ day: row.day, name: JSON.parse(row.name) as CounterName, count: row.n }));
  }

  /** Forgets the days before this one. */
  deleteExpired(day: string): void {
    this.#sql.exec("DELETE FROM tally WHERE day < ?", day);
    this.#groups.clear();
  }

  /** Holds nothing in memory any more: what was written is rolled back. */
  clearCache(): void {
    this.#groups.clear();
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM tally");
    this.#groups.clear();
  }

  /** False when the day has no such name yet. */
  #increment(day: string, name: CounterName, count: number): boolean {
    const query = "UPDATE tally SET n = n + ? WHERE day = ? AND name = ?";
    return this.#sql.exec(query, count, day, JSON.stringify(name)).rowsWritten > 0;
  }

  #insert(day: string, name: CounterName, count: number): void {
    const query = "INSERT INTO tally(day, name, n) VALUES (?, ?, ?)";
    this.#sql.exec(query, day, JSON.stringify(name), count);
  }

  /** How many names there are of a day and a first word; counted once, then kept up. */
  #getGroup(day: string, [first = ""]: CounterName): CounterGroup {
    const key = `${day} ${first}`;
    const cached = this.#groups.get(key);
    if (cached !== undefined) return cached;
    if (this.#groups.size >= MAX_GROUPS) this.#groups.clear();
    const prefix = `["${first}"`;
    const query = "SELECT count(*) AS n FROM tally WHERE day = ? AND name >= ? AND name < ?";
    const { n } = this.#sql.exec<{ n: number }>(query, day, prefix, `${prefix}\uffff`).one();
    const group = { day, prefix: prefix, nameCount: n };
    this.#groups.set(key, group);
    return group;
  }

  /** Adds up the smaller half of a group's names as other. */
  #mergeIntoOther(group: CounterGroup): void {
    const { day, prefix } = group;
    const smaller = this.#sql
      .exec<{ name: string; n: number }>(
        "SELECT name, n FROM tally WHERE day = ? AND name >= ? AND name < ? ORDER BY n LIMIT ?",
        day,
        prefix,
        `${prefix}\uffff`,
        limits.maxCounterNamesPerDay / 2,
      )
      .toArray();
    const others = new CounterBatch();
    for (const { name, n } of smaller) {
      this.#sql.exec("DELETE FROM tally WHERE day = ? AND name = ?", day, name);
      others.add(toOverflowName(JSON.parse(name) as CounterName), n);
    }
    group.nameCount -= smaller.length;
    for (const [name, count] of others.drain()) {
      if (this.#increment(day, name, count)) continue;
      this.#insert(day, name, count);
      group.nameCount += 1;
    }
  }
}

/** The names of one day with the same first word. */
interface CounterGroup {
  readonly day: string;
  /** Where they begin in the table's order. */
  readonly prefix: string;
  nameCount: number;
}

const MAX_GROUPS = 100;
