/** The row with the usage of public and page reports in the current hour of one shard. */

import type { PublicUsage } from "../../core/sampling/public-budget.ts";

export class PublicUsageRow {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS public_usage(
        id INTEGER PRIMARY KEY, hour INTEGER NOT NULL,
        reportBodies INTEGER NOT NULL, reportChars INTEGER NOT NULL,
        personBodies INTEGER NOT NULL, personChars INTEGER NOT NULL,
        pageBodies INTEGER NOT NULL, pageChars INTEGER NOT NULL,
        rollupChars INTEGER NOT NULL, pageRollupChars INTEGER NOT NULL,
        ids INTEGER NOT NULL, pageIds INTEGER NOT NULL);`);
  }

  /** The usage as last written; undefined if there was none. */
  read(): PublicUsage | undefined {
    const query = `SELECT hour, reportBodies, reportChars, personBodies, personChars,
      pageBodies, pageChars, rollupChars, pageRollupChars, ids, pageIds FROM public_usage`;
    return this.#sql.exec<Record<keyof PublicUsage, number>>(query).toArray()[0];
  }

  /** Replaces the row. */
  write(usage: PublicUsage): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO public_usage VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      usage.hour,
      usage.reportBodies,
      usage.reportChars,
      usage.personBodies,
      usage.personChars,
      usage.pageBodies,
      usage.pageChars,
      usage.rollupChars,
      usage.pageRollupChars,
      usage.ids,
      usage.pageIds,
    );
  }
}
