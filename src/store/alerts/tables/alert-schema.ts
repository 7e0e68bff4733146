/** The SQLite tables of AlertSender, and its migrations. */
import { markOutdated, outdatedCopies } from "../../kv/copy-queue.ts";
import { ALERT_SETTINGS_COPY } from "../../kv/keys.ts";
import type { Schema } from "../../sqlite/database.ts";
import { documents, since, type Table, table, value } from "../../sqlite/table.ts";

/** The newest entries of a log, in slots that are used in turn. */
function newestRows(name: string): Table {
  return table(name, { slot: "INTEGER", n: "INTEGER NOT NULL", entry: "TEXT NOT NULL" }, ["slot"], {
    wipe: "reported",
    expire: { by: "NewestRowsTable.add" },
    erase: { by: "AlertTables.eraseText" },
  });
}

function sendRepository(sql: SqlStorage): void {
  sql.exec(
    "UPDATE settings SET pushed_version = 0 WHERE json_extract(body, '$.repository') IS NOT NULL",
  );
}

export const ALERT_SCHEMA: Schema = {
  object: "AlertSender",
  tables: [
    table(
      "settings",
      {
        id: "INTEGER",
        body: "TEXT NOT NULL",
        saved_version: "INTEGER NOT NULL",
        pushed_version: "INTEGER NOT NULL",
      },
      ["id"],
      // SenderSettings deletes the settings with their copy in KV.
      {
        copy: ALERT_SETTINGS_COPY.kind,
        wipe: "never",
        expire: "never",
        erase: { by: "AlertSender.erase" },
      },
    ),
    table(
      "inbox",
      {
        seq: "INTEGER",
        id: "TEXT NOT NULL",
        digest: "TEXT",
        trust: "TEXT NOT NULL",
        alert: "TEXT NOT NULL",
        // Earlier alerts of the same burst.
        others: since(4, "TEXT"),
      },
      ["seq"],
      {
        wipe: "reported",
        expire: { by: "InboxTable.add" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    table("read_mark", { person: "TEXT", seq: "INTEGER NOT NULL" }, ["person"], {
      wipe: "reported",
      expire: "never",
      erase: "no text",
    }),
    table(
      "notice",
      {
        seq: "INTEGER",
        id: "TEXT NOT NULL",
        name: "TEXT NOT NULL",
        digest: "TEXT NOT NULL",
        at_ms: "INTEGER NOT NULL",
        is_read: "INTEGER NOT NULL",
        notice: "TEXT NOT NULL",
      },
      ["seq"],
      {
        since: 4,
        indexes: { notice_name: "(name, seq)" },
        wipe: "reported",
        expire: { by: "NoticeTable.add" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    // Alerts up to this number may still arrive after a wipe.
    table("taken", { id: "INTEGER", n: "INTEGER NOT NULL" }, ["id"], {
      wipe: "never",
      expire: "never",
      erase: "no text",
    }),
    table(
      "delivery",
      {
        id: "INTEGER",
        destination: "TEXT NOT NULL",
        kind: "TEXT NOT NULL",
        message: "TEXT NOT NULL",
        contents: "TEXT NOT NULL",
        due_ms: "INTEGER NOT NULL",
        attempts: "INTEGER NOT NULL",
        is_failed: "INTEGER NOT NULL",
      },
      ["id"],
      {
        wipe: "reported",
        expire: { by: "DeliveryTable.setFailed" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    table("destination_state", { id: "TEXT", body: "TEXT NOT NULL" }, ["id"], {
      wipe: "reported",
      expire: "never",
      erase: "no text",
    }),
    newestRows("attempt"),
    newestRows("held"),
    value("project_check", { wipe: "reported", expire: "never", erase: "no text" }),
    // Addresses are hashes.
    table(
      "confirmation",
      { id: "INTEGER", at_ms: "INTEGER NOT NULL", address: "TEXT NOT NULL" },
      ["id"],
      { wipe: "reported", expire: { by: "ConfirmationTable.add" }, erase: "no text" },
    ),
    table(
      "deleted_destination",
      { undo_id: "TEXT", until_ms: "INTEGER NOT NULL", body: "TEXT NOT NULL" },
      ["undo_id"],
      {
        wipe: "reported",
        expire: { by: "DeletedDestinationTable.takeExpired" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    table(
      "next_summary",
      { destination: "TEXT", every: "TEXT NOT NULL", due_ms: "INTEGER NOT NULL" },
      ["destination"],
      { wipe: "reported", expire: "never", erase: "no text" },
    ),
    table(
      "tracker_message",
      {
        id: "INTEGER",
        tracker: "TEXT NOT NULL",
        digest: "TEXT NOT NULL",
        uuid: "TEXT NOT NULL",
        body: "TEXT NOT NULL",
        at_ms: "INTEGER NOT NULL",
        due_ms: "INTEGER NOT NULL",
        attempts: "INTEGER NOT NULL",
        is_failed: "INTEGER NOT NULL",
      },
      ["id"],
      {
        since: 2,
        wipe: "reported",
        expire: { by: "TrackerMessageTable.add" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    // Ids of deliveries, and hashes of their bodies.
    table(
      "hook_delivery",
      { seq: "INTEGER", tracker: "TEXT NOT NULL", delivery: "TEXT NOT NULL" },
      ["seq"],
      {
        since: 2,
        indexes: { hook_delivery_name: "UNIQUE (tracker, delivery)" },
        wipe: "reported",
        expire: { by: "HookDeliveryTable.add" },
        erase: "no text",
      },
    ),
    documents("tracker_state", {
      since: 2,
      wipe: "reported",
      expire: "never",
      erase: { by: "AlertTables.eraseText" },
    }),
    // Of a deployment without ERRATA_SERVER_KEY.
    value("secret_key", { since: 3, wipe: "reported", expire: "never", erase: "no text" }),
    // Addresses are encrypted, and found by their keyed hashes. They have no copy in KV.
    table(
      "visitor",
      {
        id: "INTEGER",
        digest: "TEXT NOT NULL",
        issue: "TEXT NOT NULL",
        address_hash: "TEXT NOT NULL",
        address: "TEXT NOT NULL",
        network_hash: "TEXT NOT NULL",
        language: "TEXT NOT NULL",
        url: "TEXT NOT NULL",
        token_hash: "TEXT NOT NULL",
        state: "TEXT NOT NULL",
        asked_ms: "INTEGER NOT NULL",
        until_ms: "INTEGER NOT NULL",
        due_ms: "INTEGER NOT NULL",
        attempts: "INTEGER NOT NULL",
      },
      ["id"],
      {
        since: 6,
        indexes: { visitor_address: "UNIQUE (issue, address_hash)" },
        wipe: "reported",
        expire: { by: "VisitorTable.expire" },
        erase: { by: "AlertTables.eraseText" },
      },
    ),
    outdatedCopies(2, "reported"),
  ],
  migrations: [
    { id: 1 },
    { id: 2, repair: (sql) => markOutdated(sql, ALERT_SETTINGS_COPY) },
    { id: 3 },
    { id: 4 },
    // The rules are sent again, with the repository: the index has it now.
    { id: 5, repair: sendRepository },
    { id: 6 },
  ],
  floor: 1,
};
