/** SQLite table of the checks of the project, as one row. Synchronous. */

/** When each finding caused an alert, by its key, ms. */
export type AlertedFindings = Readonly<Record<string, number>>;

interface CheckState {
  readonly dueMs?: number;
  readonly alerted?: AlertedFindings;
}

export class CheckTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS project_check(id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    );
  }

  get(): CheckState {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM project_check");
    return row === undefined ? {} : (JSON.parse(row.body) as CheckState);
  }

  save(state: CheckState): void {
    const insert = "INSERT OR REPLACE INTO project_check VALUES (1, ?)";
    this.#sql.exec(insert, JSON.stringify(state));
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM project_check");
  }
}
