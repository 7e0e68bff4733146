/**
 * The tallies of one project, a row for each name and day, in the object of its index. Every method is synchronous.
 */
import { limits } from "../core/limits.ts";
import {
  type DayTallies,
  otherOf,
  type TallyName,
  type TallyOnDay,
  TallySheet,
} from "../core/tally.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class TallyTable {
  readonly #sql: SqlStorage;
  readonly #groups = new Map<string, Group>();

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
  add({ day, tallies }: DayTallies): void {
    for (const [name, count] of tallies) {
      if (this.#addTo(day, name, count)) continue;
      const group = this.#groupOf(day, name);
      if (group.names >= limits.maxTallyNamesPerDay) this.#fold(group);
      this.#insert(day, name, count);
      group.names += 1;
    }
  }

  /** Every number since a day, `2026-11-21`, that day included. */
  since(day: string): readonly TallyOnDay[] {
    return this.#sql
      .exec<{ day: string; name: string; n: number }>(
        "SELECT day, name, n FROM tally WHERE day >= ?",
        day,
      )
      .toArray()
      .map((row) => ({ day: row.day, name: JSON.parse(row.name) as TallyName, count: row.n }));
  }

  /** Forgets the days before this one. */
  forget(day: string): void {
    this.#sql.exec("DELETE FROM tally WHERE day < ?", day);
    this.#groups.clear();
  }

  /** Holds nothing in memory any more: what was written is rolled back. */
  cool(): void {
    this.#groups.clear();
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM tally");
    this.#groups.clear();
  }

  /** False when the day has no such name yet. */
  #addTo(day: string, name: TallyName, count: number): boolean {
    const query = "UPDATE tally SET n = n + ? WHERE day = ? AND name = ?";
    return this.#sql.exec(query, count, day, JSON.stringify(name)).rowsWritten > 0;
  }

  #insert(day: string, name: TallyName, count: number): void {
    const query = "INSERT INTO tally(day, name, n) VALUES (?, ?, ?)";
    this.#sql.exec(query, day, JSON.stringify(name), count);
  }

  /** How many names there are of a day and a first word; counted once, then kept up. */
  #groupOf(day: string, [first = ""]: TallyName): Group {
    const key = `${day} ${first}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (this.#groups.size >= MAX_GROUPS) this.#groups.clear();
    const from = `["${first}"`;
    const query = "SELECT count(*) AS n FROM tally WHERE day = ? AND name >= ? AND name < ?";
    const { n } = this.#sql.exec<{ n: number }>(query, day, from, `${from}\uffff`).one();
    const group = { day, from, names: n };
    this.#groups.set(key, group);
    return group;
  }

  /** Adds up the smaller half of a group's names as other. */
  #fold(group: Group): void {
    const { day, from } = group;
    const smaller = this.#sql
      .exec<{ name: string; n: number }>(
        "SELECT name, n FROM tally WHERE day = ? AND name >= ? AND name < ? ORDER BY n LIMIT ?",
        day,
        from,
        `${from}\uffff`,
        limits.maxTallyNamesPerDay / 2,
      )
      .toArray();
    const others = new TallySheet();
    for (const { name, n } of smaller) {
      this.#sql.exec("DELETE FROM tally WHERE day = ? AND name = ?", day, name);
      others.add(otherOf(JSON.parse(name) as TallyName), n);
    }
    group.names -= smaller.length;
    for (const [name, count] of others.take()) {
      if (this.#addTo(day, name, count)) continue;
      this.#insert(day, name, count);
      group.names += 1;
    }
  }
}

/** The names of one day with the same first word. */
interface Group {
  readonly day: string;
  /** Where they begin in the table's order. */
  readonly from: string;
  names: number;
}

const MAX_GROUPS = 100;
