/** The SQLite tables of the Registry, and its migrations. The audit log has no erasure of a text. */
import { markOutdated, outdatedCopies } from "../kv/copy-queue.ts";
import { REGISTRY_KEY } from "../kv/keys.ts";
import type { Schema } from "../sqlite/database.ts";
import { since, table } from "../sqlite/table.ts";

/** The registry in KV, whose key has no project. */
export const REGISTRY_COPY = { kind: REGISTRY_KEY, name: "" };

export const REGISTRY_SCHEMA: Schema = {
  object: "Registry",
  tables: [
    table("registry", { id: "INTEGER", body: "TEXT NOT NULL", dirty: "INTEGER NOT NULL" }, ["id"], {
      copy: REGISTRY_COPY.kind,
      wipe: "never",
      expire: "never",
      erase: { kept: "Members change their own words." },
    }),
    table(
      "audit_entry",
      {
        sequence: "INTEGER PRIMARY KEY AUTOINCREMENT",
        at_ms: "INTEGER NOT NULL",
        actor: "TEXT",
        actor_id: "TEXT",
        project: "TEXT NOT NULL",
        action: "TEXT NOT NULL",
        subject: "TEXT",
        details: "TEXT",
        outcome: since(2, "TEXT"),
      },
      ["sequence"],
      {
        indexes: { audit_entry_by_project: "(project, sequence)" },
        wipe: "never",
        expire: { by: "AuditTable.add" },
        erase: { kept: "The log states what members did, in their own words." },
      },
    ),
    table("last_use", { id: "TEXT", at_ms: "INTEGER NOT NULL" }, ["id"], {
      wipe: "never",
      expire: { by: "AuditTable.deleteOtherUses" },
      erase: "no text",
    }),
    outdatedCopies(3, "never"),
    table(
      "pending_code",
      {
        hash: "TEXT",
        user_code: "TEXT",
        address: "TEXT NOT NULL",
        forget_ms: "INTEGER NOT NULL",
        body: "TEXT NOT NULL",
      },
      ["hash"],
      {
        since: 3,
        indexes: {
          pending_code_by_user_code: "(user_code)",
          pending_code_by_forget: "(forget_ms)",
        },
        wipe: "never",
        expire: { by: "CodeTables.forgetOld" },
        erase: { kept: "It is deleted within a day." },
      },
    ),
    table(
      "refresh_token",
      {
        hash: "TEXT",
        grant_id: "TEXT NOT NULL",
        issued_ms: "INTEGER NOT NULL",
        is_replaced: "INTEGER NOT NULL",
      },
      ["hash"],
      {
        since: 3,
        indexes: { refresh_token_by_grant: "(grant_id, issued_ms)" },
        wipe: "never",
        expire: { by: "CodeTables.keepRefreshTokensOf" },
        erase: "no text",
      },
    ),
  ],
  migrations: [{ id: 1 }, { id: 2 }, { id: 3, repair: (sql) => markOutdated(sql, REGISTRY_COPY) }],
  floor: 1,
};
