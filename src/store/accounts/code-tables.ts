/**
 * SQLite tables of the codes of OAuth and of refresh tokens, by their SHA-256 in hex. Synchronous,
 * so a code is used once, however many requests bring it.
 */

import { toClientNetwork } from "../../core/client-network.ts";
import { limits } from "../../core/limits.ts";
import { type DeviceCode, PENDING_CODE, type PendingCode } from "../../core/oauth/pending-codes.ts";
import { upsert } from "../sqlite/table.ts";

const SAVE_CODE = upsert("pending_code", ["hash"], ["user_code", "address", "forget_ms", "body"]);
const SAVE_TOKEN = upsert("refresh_token", ["hash"], ["grant_id", "issued_ms", "is_replaced"]);

/** A stored code. */
export interface FoundCode<Code extends PendingCode = PendingCode> {
  readonly hash: string;
  readonly code: Code;
}

interface CodeRow extends Record<string, SqlStorageValue> {
  hash: string;
  body: string;
}

/** A refresh token. */
export interface RefreshToken {
  readonly grant: string;
  /** True if a newer one was issued for it. */
  readonly isReplaced: boolean;
}

export class CodeTables {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds or changes a code. `userCode` is that of a device. It is forgotten at `forgetMs`. */
  saveCode(
    { hash, code }: FoundCode,
    { userCode, forgetMs }: { readonly userCode?: string | undefined; readonly forgetMs: number },
  ): void {
    const network = code.kind === "device" ? toClientNetwork(code.address) : "";
    this.#sql.exec(SAVE_CODE, hash, userCode ?? null, network, forgetMs, PENDING_CODE.encode(code));
  }

  findCode(hash: string): FoundCode | undefined {
    return this.#read("SELECT hash, body FROM pending_code WHERE hash = ?", hash);
  }

  findDevice(userCode: string): FoundCode<DeviceCode> | undefined {
    const found = this.#read("SELECT hash, body FROM pending_code WHERE user_code = ?", userCode);
    return found?.code.kind === "device" ? { ...found, code: found.code } : undefined;
  }

  #read(query: string, value: string): FoundCode | undefined {
    const [row] = this.#sql.exec<CodeRow>(query, value).toArray();
    const code = row && PENDING_CODE.parseOrNull(JSON.parse(row.body));
    return row && code ? { hash: row.hash, code } : undefined;
  }

  /** The devices that wait for a person: all, and those of the network of an address. */
  countDevices(address: string): { readonly all: number; readonly ofNetwork: number } {
    const query = `SELECT count(*) AS "all", count(CASE WHEN address = ? THEN 1 END) AS ofNetwork
      FROM pending_code WHERE user_code IS NOT NULL`;
    const network = toClientNetwork(address);
    return this.#sql.exec<{ all: number; ofNetwork: number }>(query, network).one();
  }

  /** Deletes the codes that need not be remembered any more. */
  forgetOld(nowMs: number): void {
    this.#sql.exec("DELETE FROM pending_code WHERE forget_ms <= ?", nowMs);
  }

  findRefreshToken(hash: string): RefreshToken | undefined {
    const query =
      "SELECT grant_id AS id, is_replaced AS replaced FROM refresh_token WHERE hash = ?";
    const [row] = this.#sql.exec<{ id: string; replaced: number }>(query, hash).toArray();
    return row && { grant: row.id, isReplaced: row.replaced !== 0 };
  }

  /** Adds the refresh token of a grant. The others of the grant are replaced by it. */
  addRefreshToken(hash: string, grant: string, nowMs: number): void {
    this.#sql.exec("UPDATE refresh_token SET is_replaced = 1 WHERE grant_id = ?", grant);
    this.#sql.exec(SAVE_TOKEN, hash, grant, nowMs, 0);
    this.#sql.exec(
      `DELETE FROM refresh_token WHERE grant_id = ?1 AND is_replaced = 1 AND hash NOT IN (
         SELECT hash FROM refresh_token WHERE grant_id = ?1 ORDER BY issued_ms DESC, hash LIMIT ?2)`,
      grant,
      limits.maxReplacedRefreshTokens,
    );
  }

  /** Deletes the refresh tokens of all other grants. */
  keepRefreshTokensOf(grants: readonly string[]): void {
    this.#sql.exec(
      "DELETE FROM refresh_token WHERE grant_id NOT IN (SELECT value FROM json_each(?))",
      JSON.stringify(grants),
    );
  }
}
