/** The SQLite tables of SourceMaps, and its migrations. */
import { markOutdated, outdatedCopies } from "../../kv/copy-queue.ts";
import { RELEASES_COPY } from "../../kv/keys.ts";
import { WRITE_BUDGET } from "../../kv/write-budget.ts";
import type { Schema } from "../../sqlite/database.ts";
import { table } from "../../sqlite/table.ts";

export const ARTIFACT_SCHEMA: Schema = {
  object: "SourceMaps",
  tables: [
    table(
      "upload",
      {
        n: "INTEGER",
        id: "TEXT NOT NULL UNIQUE",
        checksum: "TEXT NOT NULL",
        release: "TEXT",
        dist: "TEXT",
        tool: "TEXT",
        name: "TEXT",
        url: "TEXT",
        uploaded_ms: "INTEGER NOT NULL",
        state: "TEXT NOT NULL",
        problem: "TEXT",
        chunks: "TEXT NOT NULL",
        used_ms: "INTEGER",
        saved: "INTEGER NOT NULL",
        attempts: "INTEGER NOT NULL",
      },
      ["n"],
      {
        indexes: { upload_release: "(release)" },
        wipe: "reported",
        expire: { by: "UploadRetention.run" },
        erase: { kept: "The preview names the uploads with the text. Their owner deletes them." },
      },
    ),
    table(
      "file",
      {
        upload: "INTEGER NOT NULL",
        n: "INTEGER NOT NULL",
        kind: "TEXT NOT NULL",
        url: "TEXT NOT NULL",
        name: "TEXT NOT NULL",
        debug_id: "TEXT",
        other_debug_id: "TEXT",
        map_url: "TEXT",
        map_hash: "TEXT",
        refusal: "TEXT",
        bytes: "INTEGER NOT NULL",
        sources: "INTEGER",
        with_text: "INTEGER",
        problems: "TEXT",
        entry: "TEXT",
        done: "INTEGER NOT NULL",
        attempts: "INTEGER NOT NULL",
      },
      ["upload", "n"],
      {
        indexes: {
          file_url: "(url, upload)",
          file_name: "(name, upload)",
          file_debug_id: "(debug_id, upload) WHERE debug_id IS NOT NULL",
          file_other_debug_id: "(other_debug_id, upload) WHERE other_debug_id IS NOT NULL",
          file_map: "(map_hash) WHERE map_hash IS NOT NULL",
        },
        isBig: true,
        wipe: "reported",
        expire: { with: "upload" },
        erase: { kept: "It belongs to an upload." },
      },
    ),
    table(
      "chunk",
      {
        sha1: "TEXT PRIMARY KEY",
        size: "INTEGER NOT NULL",
        at_ms: "INTEGER NOT NULL",
        bytes: "BLOB NOT NULL",
        expected: "INTEGER NOT NULL DEFAULT 0",
      },
      ["sha1"],
      {
        isWithoutRowid: false,
        wipe: "reported",
        expire: { by: "ChunkTable.deleteUnused" },
        erase: { kept: "It belongs to an upload." },
      },
    ),
    table(
      "map",
      {
        hash: "TEXT",
        bytes: "INTEGER NOT NULL",
        facts: "TEXT NOT NULL",
        at_ms: "INTEGER NOT NULL",
      },
      ["hash"],
      { wipe: "reported", expire: { with: "upload" }, erase: { kept: "It belongs to an upload." } },
    ),
    table(
      "map_part",
      { hash: "TEXT NOT NULL", part: "INTEGER NOT NULL", bytes: "BLOB NOT NULL" },
      [],
      {
        indexes: { map_part_order: "UNIQUE (hash, part)" },
        wipe: "reported",
        expire: { with: "map" },
        erase: { kept: "It belongs to an upload." },
      },
    ),
    table(
      "source_functions",
      {
        hash: "TEXT NOT NULL",
        source: "INTEGER NOT NULL",
        version: "INTEGER NOT NULL",
        functions: "BLOB",
      },
      ["hash", "source"],
      { wipe: "reported", expire: { with: "map" }, erase: { kept: "It belongs to an upload." } },
    ),
    table(
      "pack",
      { name: "TEXT", version: "INTEGER NOT NULL", saved: "INTEGER NOT NULL" },
      ["name"],
      { wipe: "reported", expire: { with: "map" }, erase: "no text" },
    ),
    table(
      "pack_slice",
      {
        hash: "TEXT NOT NULL",
        first: "INTEGER NOT NULL",
        count: "INTEGER NOT NULL",
        pack: "TEXT NOT NULL",
      },
      ["hash", "first"],
      {
        indexes: { pack_slice_pack: "(pack)" },
        wipe: "reported",
        expire: { with: "map" },
        erase: "no text",
      },
    ),
    table("deleted_key", { key: "TEXT", deleted_ms: "INTEGER" }, ["key"], {
      wipe: "reported",
      expire: { by: "PackTable.onDeleted" },
      erase: "no text",
    }),
    table(
      "release",
      { version: "TEXT", created_ms: "INTEGER NOT NULL", body: "TEXT NOT NULL" },
      ["version"],
      {
        indexes: { release_order: "(created_ms)" },
        copy: RELEASES_COPY.kind,
        wipe: "reported",
        expire: { by: "ReleaseFactsTable.change" },
        erase: { by: "eraseFromReleaseFacts" },
      },
    ),
    outdatedCopies(2, "reported"),
    // Tells release 0.1.0, after a rollback, that KV may lack the facts of releases.
    table(
      "release_change",
      { id: "INTEGER", version: "INTEGER NOT NULL", due_ms: "INTEGER" },
      ["id"],
      { wipe: "reported", expire: "never", erase: "no text" },
    ),
    table("failure", { n: "INTEGER", at_ms: "INTEGER NOT NULL", detail: "TEXT NOT NULL" }, ["n"], {
      wipe: "reported",
      expire: { by: "FailureTable.add" },
      erase: { by: "eraseFromReleaseFacts" },
    }),
    table(
      "inflation",
      { sender: "TEXT", hour: "INTEGER NOT NULL", bytes: "INTEGER NOT NULL" },
      ["sender"],
      { wipe: "reported", expire: { by: "InflationTable.charge" }, erase: "no text" },
    ),
    table("upload_sender", { upload: "TEXT", sender: "TEXT NOT NULL" }, ["upload"], {
      wipe: "reported",
      expire: { by: "InflationTable.charge" },
      erase: "no text",
    }),
    table("page_host", { host: "TEXT PRIMARY KEY", at_ms: "INTEGER NOT NULL" }, ["host"], {
      isWithoutRowid: false,
      wipe: "reported",
      expire: { by: "PageHostTable.add" },
      erase: { by: "eraseFromReleaseFacts" },
    }),
    table("scratch", { n: "INTEGER", bytes: "BLOB NOT NULL" }, ["n"], {
      wipe: "reported",
      expire: { by: "createScratchTable" },
      erase: { kept: "It is emptied after each file." },
    }),
    table(
      "announced",
      {
        id: "INTEGER",
        has_content: "INTEGER NOT NULL",
        newest_upload: "INTEGER",
        at_ms: "INTEGER NOT NULL",
      },
      ["id"],
      { wipe: "never", expire: "never", erase: "no text" },
    ),
    table("sweep", { id: "INTEGER", at_ms: "INTEGER NOT NULL" }, ["id"], {
      wipe: "never",
      expire: "never",
      erase: "no text",
    }),
    table(
      "restore_run",
      {
        id: "INTEGER",
        blocking: "INTEGER NOT NULL",
        cursor: "TEXT",
        due_ms: "INTEGER",
        until_ms: "INTEGER NOT NULL",
      },
      ["id"],
      { wipe: "never", expire: "never", erase: "no text" },
    ),
    table("found_key", { key: "TEXT", missing: "INTEGER NOT NULL" }, ["key"], {
      wipe: "never",
      expire: { by: "RecordRestore.runStep" },
      erase: "no text",
    }),
    WRITE_BUDGET,
  ],
  migrations: [
    {
      id: 1,
      prepare(sql) {
        // Tables that were stored before scripts had a second id lack its column and index.
        const query = "SELECT name FROM pragma_table_info('file')";
        const columns = sql.exec<{ name: string }>(query).toArray();
        if (columns.length === 0 || columns.some(({ name }) => name === "other_debug_id")) return;
        sql.exec("ALTER TABLE file ADD COLUMN other_debug_id TEXT");
      },
    },
    { id: 2, repair: (sql) => markOutdated(sql, RELEASES_COPY) },
  ],
  floor: 1,
};
