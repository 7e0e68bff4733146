/**
 * SQLite table of the key of a deployment that configures none, as one row (version 1). It has no
 * copy in KV. Synchronous.
 */
import { defineStored } from "../../../core/schema/stored.ts";
import {
  code,
  type StoredValue,
  storedObject,
  version1,
} from "../../../core/schema/stored-object.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("secret_key", ["id"], ["body"]);

/** 32 bytes, base64url. */
const schema = storedObject({ v: version1, key: code() });

const SECRET_KEY = defineStored<StoredValue<typeof schema>>({
  name: "the record of the key",
  version: 1,
  schema,
});

export class SecretKeyTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Undefined if none was created. */
  get(): string | undefined {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM secret_key");
    return row === undefined ? undefined : SECRET_KEY.parse(JSON.parse(row.body)).key;
  }

  save(key: string): void {
    this.#sql.exec(SAVE, 1, SECRET_KEY.encode({ v: 1, key }));
  }
}
