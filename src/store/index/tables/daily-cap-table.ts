/**
 * SQLite table of daily caps: how much of a cap a UTC day has used. In a table, so that a restart
 * does not reset it. Synchronous.
 */

/**
 * The name of a cap on new issues, aliases of public or page reports, or facet rows of public
 * ones.
 */
type CapName = "issue" | "page-issue" | "alias" | "facet";

export class DailyCapTable {
  readonly #sql: SqlStorage;
  /** A copy of the rows that were read last, so that a used-up cap costs nothing. */
  readonly #used = new Map<string, number>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS daily_cap(
      day TEXT NOT NULL, name TEXT NOT NULL, used INTEGER NOT NULL,
      PRIMARY KEY(day, name)) WITHOUT ROWID`);
  }

  /** Takes up to `wanted` of what the day has left of `max`; returns how many it took. */
  take(day: string, name: CapName, max: number, wanted = 1): number {
    const used = this.#getUsed(day, name);
    const taken = Math.max(0, Math.min(wanted, max - used));
    if (taken > 0) this.#save(day, name, used + taken);
    return taken;
  }

  /** Deletes the days before this one. */
  deleteExpired(day: string): void {
    this.#sql.exec("DELETE FROM daily_cap WHERE day < ?", day);
    this.#used.clear();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#used.clear();
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM daily_cap");
    this.#used.clear();
  }

  #getUsed(day: string, name: CapName): number {
    const cached = this.#used.get(`${day} ${name}`);
    if (cached !== undefined) return cached;
    const query = "SELECT used FROM daily_cap WHERE day = ? AND name = ?";
    const [row] = this.#sql.exec<{ used: number }>(query, day, name);
    this.#remember(day, name, row?.used ?? 0);
    return row?.used ?? 0;
  }

  #save(day: string, name: CapName, used: number): void {
    const query = "INSERT OR REPLACE INTO daily_cap(day, name, used) VALUES (?, ?, ?)";
    this.#sql.exec(query, day, name, used);
    this.#remember(day, name, used);
  }

  #remember(day: string, name: CapName, used: number): void {
    if (this.#used.size >= MAX_CACHED_ROWS) this.#used.clear();
    this.#used.set(`${day} ${name}`, used);
  }
}

const MAX_CACHED_ROWS = 100;
