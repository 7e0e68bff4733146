/** The row with the usage of public and page reports in the current hour of one shard. */

import type { PublicUsage } from "../../core/sampling/public-budget.ts";
import { upsert } from "../sqlite/table.ts";

const SAVE = upsert(
  "public_usage",
  ["id"],
  [
    "hour",
    "reportBodies",
    "reportChars",
    "personBodies",
    "personChars",
    "pageBodies",
    "pageChars",
    "rollupChars",
    "pageRollupChars",
    "ids",
    "pageIds",
  ],
);

export class PublicUsageRow {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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
      SAVE,
      0,
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
