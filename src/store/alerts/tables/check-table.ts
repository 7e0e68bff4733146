/** SQLite table of the checks of the project, as one row. Synchronous. */
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("project_check", ["id"], ["body"]);

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
  }

  get(): CheckState {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM project_check");
    return row === undefined ? {} : (JSON.parse(row.body) as CheckState);
  }

  save(state: CheckState): void {
    this.#sql.exec(SAVE, 1, JSON.stringify(state));
  }
}
