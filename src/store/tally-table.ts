/**
 * The tallies of one project, a row for each name and day, in the object of its index. Every method is synchronous.
 */
import { limits } from "../core/limits.ts";
import type { DayTallies, TallyName, TallyOnDay } from "../core/tally.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class TallyTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS tally(
        day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(day, name)) WITHOUT ROWID;`);
  }

  /**
   * Adds to the numbers of a day. A day has at most `limits.maxTallyNamesPerDay` names with the same first word, whatever senders
   * call their releases: what comes then counts as "other".
   */
  add({ day, tallies }: DayTallies): void {
    for (const [name, count] of tallies) {
      if (this.#addTo(day, name, count)) continue;
      const kept = this.#isFull(day, name) ? otherOf(name) : name;
      if (kept === name || !this.#addTo(day, kept, count)) this.#insert(day, kept, count);
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

  #isFull(day: string, [first = ""]: TallyName): boolean {
    const query = "SELECT count(*) AS n FROM tally WHERE day = ? AND name >= ? AND name < ?";
    const from = `["${first}"`;
    const { n } = this.#sql.exec<{ n: number }>(query, day, from, `${from}\uffff`).one();
    return n >= limits.maxTallyNamesPerDay;
  }
}

/** What a name counts under when its day is full: `session other other crashed`, `counted other`. */
function otherOf([first = "", ...rest]: TallyName): TallyName {
  if (rest.length < 2) return [first, "other"];
  return [first, ...rest.slice(1).map(() => "other"), rest.at(-1) ?? ""];
}
