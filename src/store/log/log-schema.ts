/** The SQLite tables of ReportLog, and its migrations. */
import { WRITE_BUDGET } from "../kv/write-budget.ts";
import type { Schema } from "../sqlite/database.ts";
import { table } from "../sqlite/table.ts";

export const LOG_SCHEMA: Schema = {
  object: "ReportLog",
  tables: [
    table(
      "log_row",
      {
        seq: "INTEGER",
        chunk: "INTEGER NOT NULL",
        hour: "TEXT NOT NULL",
        first_line: "INTEGER NOT NULL",
        line_count: "INTEGER NOT NULL",
        body: "TEXT NOT NULL",
        extra_ids: "BLOB",
        is_imported: "INTEGER NOT NULL",
      },
      ["seq"],
      {
        isBig: true,
        wipe: "reported",
        expire: { by: "LogTable.deleteFinishedRows" },
        erase: { by: "LogMaintenance.eraseFromChunk" },
      },
    ),
    table(
      "log_chunk",
      {
        chunk: "INTEGER",
        hour: "TEXT NOT NULL",
        first_seq: "INTEGER NOT NULL",
        is_closed: "INTEGER NOT NULL DEFAULT 0",
      },
      ["chunk"],
      { wipe: "reported", expire: { with: "log_row" }, erase: "no text" },
    ),
    table(
      "chunk",
      {
        chunk: "INTEGER",
        hour: "TEXT NOT NULL",
        line_count: "INTEGER NOT NULL",
        uploaded_ms: "INTEGER NOT NULL",
        expires_ms: "INTEGER NOT NULL",
        ids: "BLOB NOT NULL",
        extra_ids: "BLOB",
        trace_ids: "BLOB",
      },
      ["chunk"],
      { wipe: "reported", expire: { by: "CatalogSweep" }, erase: "no text" },
    ),
    table(
      "id_run",
      {
        run: "INTEGER",
        expiryDay: "INTEGER NOT NULL",
        entryCount: "INTEGER NOT NULL",
        sliceBits: "INTEGER NOT NULL",
        chunkCount: "INTEGER NOT NULL",
        lineCount: "INTEGER NOT NULL",
        firstChunk: "INTEGER NOT NULL",
        lastChunk: "INTEGER NOT NULL",
        newestMs: "INTEGER NOT NULL",
        expiresMs: "INTEGER NOT NULL",
        isDropped: "INTEGER NOT NULL",
      },
      ["run"],
      { wipe: "reported", expire: { by: "CatalogSweep" }, erase: "no text" },
    ),
    table("run_chunks", { run: "INTEGER", chunks: "BLOB NOT NULL" }, ["run"], {
      wipe: "reported",
      expire: { with: "id_run" },
      erase: "no text",
    }),
    table("id_block", { block: "INTEGER", entries: "BLOB NOT NULL" }, ["block"], {
      isBig: true,
      wipe: "reported",
      expire: { with: "id_run" },
      erase: "no text",
    }),
    table(
      "erased_line",
      {
        chunk: "INTEGER NOT NULL",
        line: "INTEGER NOT NULL",
        is_removed: "INTEGER NOT NULL",
        replacement: "TEXT",
      },
      ["chunk", "line"],
      {
        isBig: true,
        wipe: "reported",
        expire: { by: "CatalogSweep" },
        // A replacement is the line without the erased text.
        erase: { by: "LogMaintenance.eraseFromChunk" },
      },
    ),
    table("log_state", { name: "TEXT", value: "INTEGER NOT NULL" }, ["name"], {
      wipe: "never",
      expire: "never",
      erase: "no text",
    }),
    table(
      "public_usage",
      {
        id: "INTEGER",
        hour: "INTEGER NOT NULL",
        reportBodies: "INTEGER NOT NULL",
        reportChars: "INTEGER NOT NULL",
        personBodies: "INTEGER NOT NULL",
        personChars: "INTEGER NOT NULL",
        pageBodies: "INTEGER NOT NULL",
        pageChars: "INTEGER NOT NULL",
        rollupChars: "INTEGER NOT NULL",
        pageRollupChars: "INTEGER NOT NULL",
        ids: "INTEGER NOT NULL",
        pageIds: "INTEGER NOT NULL",
      },
      ["id"],
      { wipe: "never", expire: "never", erase: "no text" },
    ),
    WRITE_BUDGET,
    // Rows that a version wrote which may not read the other tables. The next version that may
    // appends them.
    table("parked_append", { id: "INTEGER", part: "TEXT NOT NULL" }, ["id"], {
      isFrozen: true,
      wipe: "reported",
      expire: { by: "ReportLog.appendParked" },
      erase: { by: "ReportLog.appendParked" },
    }),
  ],
  migrations: [{ id: 1 }],
  floor: 1,
};
