/** SQLite table of a project's counters, one row per name and UTC day. Synchronous. */
import { limits } from "../../../core/limits.ts";
import type { ErrorHour } from "../../../core/overview/error-columns.ts";
import {
  CounterBatch,
  type CounterName,
  type DailyCounter,
  type DailyCounters,
  getCounterGroup,
  toOverflowName,
} from "../../../core/stats/counters.ts";

export class CounterTable {
  readonly #sql: SqlStorage;
  readonly #groups = new Map<string, CounterGroup>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /**
   * Adds to a day's counters. A day has at most `limits.maxCounterNamesPerDay` names of a group
   * (`getCounterGroup`), so that invented release names cannot fill the table: above the limit, the
   * smaller half is merged into "other".
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

  /** Every counter since a day (inclusive), such as `2026-11-21`. */
  listSince(day: string): readonly DailyCounter[] {
    return this.#sql
      .exec<{ day: string; name: string; total: number }>(
        "SELECT day, name, total FROM counter WHERE day >= ?",
        day,
      )
      .toArray()
      .map(({ day, name, total }) => ({
        day,
        name: JSON.parse(name) as CounterName,
        count: total,
      }));
  }

  /** The errors, without noise, by hour and trust level, as days counted them since `day`. */
  listErrorHours(day: string): readonly ErrorHour[] {
    const query = `SELECT name ->> 3 AS hour, name ->> 4 AS trust, sum(total) AS count
      FROM (SELECT DISTINCT day FROM counter WHERE day >= ?) AS one
      CROSS JOIN json_each('["accepted", "counted"]') AS outcome
      CROSS JOIN counter ON counter.day = one.day
        AND counter.name > '["' || outcome.value || '","error","","'
        AND counter.name < '["' || outcome.value || '","error","","~'
      GROUP BY 1, 2`;
    return this.#sql.exec<{ hour: string; trust: string; count: number }>(query, day).toArray();
  }

  /** The counters of some days whose names begin with `first`. Reads no others. */
  listOf(first: string, days: readonly string[]): readonly DailyCounter[] {
    const prefix = JSON.stringify([first]).slice(0, -1);
    return this.#sql
      .exec<{ day: string; name: string; total: number }>(
        `SELECT counter.day, counter.name, counter.total FROM json_each(?) AS one
         CROSS JOIN counter ON counter.day = one.value AND counter.name >= ? AND counter.name < ?`,
        ...[JSON.stringify(days), prefix, `${prefix}\uffff`],
      )
      .toArray()
      .map(({ day, name, total }) => ({
        day,
        name: JSON.parse(name) as CounterName,
        count: total,
      }));
  }

  /** At most `limit` counters after one of a day, in order; `name` is the JSON of a name. */
  listAfter(
    { day, name }: { readonly day: string; readonly name: string },
    limit: number,
  ): readonly { readonly day: string; readonly name: string }[] {
    return this.#sql
      .exec<{ day: string; name: string }>(
        "SELECT day, name FROM counter WHERE (day, name) > (?, ?) ORDER BY day, name LIMIT ?",
        ...[day, name, limit],
      )
      .toArray();
  }

  /** Adds a counter of a day to the one with another name, and removes it. */
  rename(day: string, from: CounterName, to: CounterName): void {
    const query = "DELETE FROM counter WHERE day = ? AND name = ? RETURNING total";
    const [row] = this.#sql.exec<{ total: number }>(query, day, JSON.stringify(from)).toArray();
    this.#groups.clear();
    if (row !== undefined) this.add({ day, counters: [[to, row.total]] });
  }

  /** The first day with sessions in an environment; undefined if there is none. */
  findFirstSessionDay(environment: string): string | undefined {
    const query = `SELECT min(day) AS day FROM counter WHERE ${IS_SESSION_OF}`;
    return this.#sql.exec<{ day: string | null }>(query, environment).one().day ?? undefined;
  }

  removeSessions(environment: string): void {
    this.#sql.exec(`DELETE FROM counter WHERE ${IS_SESSION_OF}`, environment);
    this.#groups.clear();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#groups.clear();
  }

  /** False if the day has no such name yet. */
  #increment(day: string, name: CounterName, count: number): boolean {
    const query = "UPDATE counter SET total = total + ? WHERE day = ? AND name = ?";
    return this.#sql.exec(query, count, day, JSON.stringify(name)).rowsWritten > 0;
  }

  #insert(day: string, name: CounterName, count: number): void {
    const query = "INSERT INTO counter(day, name, total) VALUES (?, ?, ?)";
    this.#sql.exec(query, day, JSON.stringify(name), count);
  }

  /** The group of a name, with its number of names: read once, then updated in memory. */
  #getGroup(day: string, name: CounterName): CounterGroup {
    const prefix = JSON.stringify(getCounterGroup(name)).slice(0, -1);
    const key = `${day} ${prefix}`;
    const cached = this.#groups.get(key);
    if (cached !== undefined) return cached;
    if (this.#groups.size >= MAX_GROUPS) this.#groups.clear();
    const query = "SELECT count(*) AS n FROM counter WHERE day = ? AND name >= ? AND name < ?";
    const { n } = this.#sql.exec<{ n: number }>(query, day, prefix, `${prefix}\uffff`).one();
    const group = { day, prefix, nameCount: n };
    this.#groups.set(key, group);
    return group;
  }

  /** Merges the smaller half of a group's names into "other". */
  #mergeIntoOther(group: CounterGroup): void {
    const { day, prefix } = group;
    const smaller = this.#sql
      .exec<{ name: string; total: number }>(
        `SELECT name, total FROM counter WHERE day = ? AND name >= ? AND name < ?
         ORDER BY total LIMIT ?`,
        day,
        prefix,
        `${prefix}\uffff`,
        limits.maxCounterNamesPerDay / 2,
      )
      .toArray();
    const others = new CounterBatch();
    for (const { name, total } of smaller) {
      this.#sql.exec("DELETE FROM counter WHERE day = ? AND name = ?", day, name);
      others.add(toOverflowName(JSON.parse(name) as CounterName), total);
    }
    group.nameCount -= smaller.length;
    for (const [name, count] of others.drain()) {
      if (this.#increment(day, name, count)) continue;
      this.#insert(day, name, count);
      group.nameCount += 1;
    }
  }
}

/** A day's names of one group. */
interface CounterGroup {
  readonly day: string;
  /** The beginning of their JSON. */
  readonly prefix: string;
  nameCount: number;
}

const MAX_GROUPS = 100;

/** An SQL condition on a name such as `["session","server","web@2.0.0","production","crashed"]`. */
const IS_SESSION_OF = "name ->> 0 = 'session' AND name ->> 3 = ?";
