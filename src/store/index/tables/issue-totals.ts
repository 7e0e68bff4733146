/** SQLite table of the number of issues, and of noise issues, so that no list counts its rows. */
export class IssueTotals {
  readonly #sql: SqlStorage;
  /** Changes that are not written yet, by `noise`. */
  readonly #changes = new Map<number, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(isNoise: boolean): number {
    const query = "SELECT total FROM issue_total WHERE noise = ?";
    return this.#sql.exec<{ total: number }>(query, isNoise ? 1 : 0).toArray()[0]?.total ?? 0;
  }

  /** Stored by `save`. */
  add(noise: number, change: number): void {
    this.#changes.set(noise, (this.#changes.get(noise) ?? 0) + change);
  }

  save(): void {
    const query = `INSERT INTO issue_total(noise, total) VALUES (?1, ?2)
      ON CONFLICT(noise) DO UPDATE SET total = total + ?2`;
    for (const [noise, change] of this.#changes)
      if (change !== 0) this.#sql.exec(query, noise, change);
    this.#changes.clear();
  }

  /** Forgets what is not stored. */
  clearChanges(): void {
    this.#changes.clear();
  }
}
