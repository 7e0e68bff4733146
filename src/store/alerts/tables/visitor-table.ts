/**
 * SQLite table of the visitors who want to be told when an error is fixed. Addresses are encrypted,
 * and found again by their keyed hashes. A row goes with its message, its issue, or its time.
 * Synchronous.
 *
 *     asked ─▶ mailed ─▶ waiting ─▶ sending ─▶ told
 *
 * A row that is `silent` stands for a request that leads to no mail, so that limits count it like
 * any other. So does one that is `told` or was ended, which has no address any more, on the day of its
 * request.
 */
import type { VisitorLinkState } from "../../../core/ports/alerts-port.ts";
import { isSealed } from "../../../core/secrets/sealed-text.ts";
import { DAY_MS } from "../../../core/utc-time.ts";
import { containsText } from "../../redact-text.ts";
import type { SecretBox, SecretOwner } from "../secrets/secret-box.ts";

type VisitorState = "asked" | "mailed" | "waiting" | "sending" | "silent" | "told";

/** A request, as it is added. */
interface NewVisitor {
  readonly digest: string;
  readonly issue: string;
  readonly addressHash: string;
  readonly address: string;
  /** Empty if the network is unknown. */
  readonly networkHash: string;
  readonly language: string;
  /** The receipt. */
  readonly url: string;
  readonly askedMs: number;
  readonly untilMs: number;
}

/** A request that a mail is due for. */
export interface DueVisitor {
  readonly id: number;
  readonly digest: string;
  /** Undefined if no key opens it. */
  readonly address: string | undefined;
  readonly language: string;
  readonly url: string;
  readonly attempts: number;
}

interface CountedBy {
  readonly issue: string;
  readonly networkHash: string;
  readonly addressHash: string;
  readonly sinceMs: number;
}

interface VisitorCounts {
  /** All requests, and those for the issue. */
  readonly kept: number;
  readonly ofIssue: number;
  /** Those since `sinceMs`: all, from the network and for the address. */
  readonly asked: number;
  readonly ofNetwork: number;
  readonly ofAddress: number;
}

type DueRow = {
  id: number;
  digest: string;
  address_hash: string;
  address: string;
  language: string;
  url: string;
  attempts: number;
};

const DUE_COLUMNS = "id, digest, address_hash, address, language, url, attempts";

export class VisitorTable {
  readonly #sql: SqlStorage;
  readonly #box: SecretBox;

  constructor(storage: DurableObjectStorage, box: SecretBox) {
    this.#sql = storage.sql;
    this.#box = box;
  }

  /** The requests that limits count, in one read of the table. */
  count({ issue, networkHash, addressHash, sinceMs }: CountedBy): VisitorCounts {
    const query = `SELECT count(*) AS kept, total(issue = ?1) AS ofIssue,
        total(asked_ms > ?4) AS asked, total(asked_ms > ?4 AND network_hash = ?2) AS ofNetwork,
        total(asked_ms > ?4 AND address_hash = ?3) AS ofAddress FROM visitor`;
    return this.#sql
      .exec<VisitorCounts & Record<string, number>>(
        query,
        ...[issue, networkHash, addressHash, sinceMs],
      )
      .one();
  }

  /** Adds a request that a mail is due for. False if the address waits for the issue already. */
  add(visitor: NewVisitor): boolean {
    const { addressHash, address } = visitor;
    const sealed = this.#box.seal(address, toOwner(addressHash));
    return this.#insert({ ...visitor, address: sealed }, "asked");
  }

  /** Adds a request without its address. `uniqueHash` is that of no address. */
  addSilent(visitor: NewVisitor, uniqueHash: string): void {
    this.#insert({ ...visitor, address: "", addressHash: uniqueHash }, "silent");
  }

  #insert(visitor: NewVisitor, state: VisitorState): boolean {
    const { digest, issue, addressHash, address, networkHash, language, url } = visitor;
    const { askedMs, untilMs } = visitor;
    const insert = `INSERT INTO visitor(digest, issue, address_hash, address, network_hash,
        language, url, token_hash, state, asked_ms, until_ms, due_ms, attempts)
      VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING RETURNING id`;
    const keys = [digest, issue, addressHash, address, networkHash, language, url];
    return this.#sql.exec(insert, ...keys, state, askedMs, untilMs, askedMs).toArray().length > 0;
  }

  /** The requests whose question is due, oldest first. */
  listAsked(nowMs: number, limit: number): readonly DueVisitor[] {
    return this.#listDue("state = 'asked' AND due_ms <= ?", [nowMs], limit);
  }

  /** The visitors who wait for an issue and can be told now, oldest first. */
  listWaiting(issue: string, nowMs: number, limit: number): readonly DueVisitor[] {
    const values = [issue, nowMs];
    return this.#listDue("state = 'waiting' AND issue = ? AND due_ms <= ?", values, limit);
  }

  #listDue(condition: string, values: (string | number)[], limit: number): readonly DueVisitor[] {
    const query = `SELECT ${DUE_COLUMNS} FROM visitor WHERE ${condition} ORDER BY id LIMIT ?`;
    return [...this.#sql.exec<DueRow>(query, ...values, limit)].map((row) => {
      const { address_hash: addressHash, address, ...rest } = row;
      return { ...rest, address: this.#open(address, addressHash) };
    });
  }

  #open(address: string, addressHash: string): string | undefined {
    const opened = this.#box.open(address, toOwner(addressHash));
    return isSealed(opened) ? undefined : opened;
  }

  /** The issues with confirmed visitors. */
  listIssues(): readonly string[] {
    const query = "SELECT DISTINCT issue FROM visitor WHERE state = 'waiting' ORDER BY issue";
    return [...this.#sql.exec<{ issue: string }>(query)].map(({ issue }) => issue);
  }

  /** Before the question is sent: its link has the token with this hash. */
  setMailed(id: number, tokenHash: string): void {
    this.#sql.exec(
      "UPDATE visitor SET state = 'mailed', token_hash = ? WHERE id = ?",
      tokenHash,
      id,
    );
  }

  /** Before the message is sent. */
  setSending(id: number): void {
    this.#sql.exec("UPDATE visitor SET state = 'sending' WHERE id = ?", id);
  }

  /** The mail was refused: another attempt is due later, unless the row was erased meanwhile. */
  retry(id: number, state: "asked" | "waiting", dueMs: number): void {
    const update = "UPDATE visitor SET state = ?, due_ms = ?, attempts = attempts + 1 WHERE id = ?";
    this.#sql.exec(update, state, dueMs, id);
  }

  /** Deletes the address of a visitor who was told or ended the request. `uniqueHash` is that of no address. */
  forget(id: number, uniqueHash: string): void {
    const update = `UPDATE visitor SET state = 'told', address = '', address_hash = ?,
      token_hash = '', until_ms = min(until_ms, asked_ms + ${DAY_MS}) WHERE id = ?`;
    this.#sql.exec(update, uniqueHash, id);
  }

  /** The question cannot be sent: deletes the address, whose hash still limits further ones. */
  silence(id: number): void {
    this.#sql.exec("UPDATE visitor SET state = 'silent', address = '' WHERE id = ?", id);
  }

  remove(id: number): void {
    this.#sql.exec("DELETE FROM visitor WHERE id = ?", id);
  }

  /** Removes rows of messages whose outcome nobody knows, because the object stopped. */
  removeSending(): void {
    this.#sql.exec("DELETE FROM visitor WHERE state = 'sending'");
  }

  /** The request of a link; undefined if there is none, or its time is over. */
  findLink(
    digest: string,
    tokenHash: string,
    nowMs: number,
  ): { readonly id: number; readonly state: VisitorLinkState } | undefined {
    const query = `SELECT id, iif(state = 'mailed', 'asked', 'confirmed') AS state FROM visitor
      WHERE token_hash = ? AND digest = ? AND until_ms > ? AND state IN ('mailed', 'waiting')`;
    type Row = { id: number; state: VisitorLinkState };
    return this.#sql.exec<Row>(query, tokenHash, digest, nowMs).toArray()[0];
  }

  /** The visitor waits until `untilMs`; one who waits already still does. */
  confirm(id: number, untilMs: number): void {
    const update = `UPDATE visitor SET state = 'waiting', until_ms = ?, attempts = 0
      WHERE id = ? AND state = 'mailed'`;
    this.#sql.exec(update, untilMs, id);
  }

  /** Deletes the requests whose time is over, and the networks of those before `sinceMs`. */
  expire(nowMs: number, sinceMs: number): void {
    this.#sql.exec("DELETE FROM visitor WHERE until_ms <= ?", nowMs);
    const forget = `UPDATE visitor SET network_hash = ''
      WHERE asked_ms <= ? AND network_hash != ''`;
    this.#sql.exec(forget, sinceMs);
  }

  /** Deletes the requests for an issue, and those with its digest. */
  erase(digest: string): void {
    this.#sql.exec("DELETE FROM visitor WHERE digest = ?1 OR issue = ?1", digest);
  }

  /** Deletes the requests whose address contains a text, and those that no key opens. */
  eraseText(text: string): void {
    const query = "SELECT id, address_hash, address FROM visitor WHERE address != ''";
    const rows = this.#sql.exec<Pick<DueRow, "id" | "address_hash" | "address">>(query).toArray();
    for (const { id, address_hash: addressHash, address } of rows) {
      const opened = this.#open(address, addressHash);
      if (opened === undefined || containsText(opened, text)) this.remove(id);
    }
  }

  /**
   * When a question is due, when the first request ends, and whether a visitor waits or a message
   * was being sent; undefined without a request.
   */
  getTimes():
    | { readonly askedMs: number; readonly endMs: number; readonly isWaiting: boolean }
    | undefined {
    const query = `SELECT min(CASE state WHEN 'asked' THEN due_ms END) AS asked,
      min(until_ms) AS until, max(state IN ('waiting', 'sending')) AS waiting FROM visitor`;
    type Row = { asked: number | null; until: number | null; waiting: number | null };
    const { asked, until, waiting } = this.#sql.exec<Row>(query).one();
    if (until === null) return undefined;
    return { askedMs: asked ?? Infinity, endMs: until, isWaiting: waiting === 1 };
  }
}

function toOwner(addressHash: string): SecretOwner {
  return ["visitor", addressHash, "address"];
}
