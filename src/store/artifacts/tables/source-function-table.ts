/**
 * SQLite table of the functions of sources, by map and source. A row is written when a frame first
 * needs it, and deleted with its map. Not in the record in KV: it can be read again. Synchronous.
 */
import { decodeText, parseJsonText } from "../../../core/decode/parse-json.ts";
import {
  decodeFunctionTable,
  type FunctionTable,
} from "../../../core/symbolication/names/function-table.ts";
import { NAMES_VERSION } from "../../../core/symbolication/parse-functions.ts";
import { rawDeflate } from "./raw-deflate.ts";

/** The largest inflated row. */
const MAX_BYTES = 4 * 1024 * 1024;

export class SourceFunctionTable {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS source_functions(
         hash TEXT NOT NULL, source INTEGER NOT NULL, version INTEGER NOT NULL, functions BLOB,
         PRIMARY KEY(hash, source)) WITHOUT ROWID`,
    );
  }

  /**
   * The functions of a source; null if it has none that can be read. Undefined if it was not read,
   * or by another version.
   */
  get(hash: string, source: number): FunctionTable | null | undefined {
    const [row] = this.#storage.sql
      .exec<{ functions: ArrayBuffer | null }>(
        "SELECT functions FROM source_functions WHERE hash = ? AND source = ? AND version = ?",
        hash,
        source,
        NAMES_VERSION,
      )
      .toArray();
    if (row === undefined || row.functions === null) return row && null;
    const bytes = rawDeflate.inflate(new Uint8Array(row.functions), MAX_BYTES);
    return (bytes && decodeFunctionTable(parseJsonText(decodeText(bytes)))) ?? undefined;
  }

  put(hash: string, source: number, functions: FunctionTable | null): void {
    const json = functions && new TextEncoder().encode(JSON.stringify(functions));
    const insert = "INSERT OR REPLACE INTO source_functions VALUES (?, ?, ?, ?)";
    const bytes = json && rawDeflate.deflate(json);
    this.#storage.sql.exec(insert, hash, source, NAMES_VERSION, bytes);
  }

  delete(hash: string): void {
    this.#storage.sql.exec("DELETE FROM source_functions WHERE hash = ?", hash);
  }

  wipe(): void {
    this.#storage.sql.exec("DELETE FROM source_functions");
  }
}
