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
import { upsert } from "../../sqlite/table.ts";
import { rawDeflate } from "./raw-deflate.ts";

const SAVE = upsert("source_functions", ["hash", "source"], ["version", "functions"]);

/** The largest inflated row. */
const MAX_BYTES = 4 * 1024 * 1024;

export class SourceFunctionTable {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
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
    const bytes = json && rawDeflate.deflate(json);
    this.#storage.sql.exec(SAVE, hash, source, NAMES_VERSION, bytes);
  }

  delete(hash: string): void {
    this.#storage.sql.exec("DELETE FROM source_functions WHERE hash = ?", hash);
  }
}
