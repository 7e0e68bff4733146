/**
 * Tells visitors that an error is fixed: once, after they have confirmed their address.
 *
 *     ask ─▶ question by mail ─▶ confirm ─▶ the receipt says "fixed" ─▶ message ─▶ deleted
 *
 * The link of the question ends the request too, before and after the confirmation.
 * A visitor gets at most one message. Its row is marked before the mail is sent, and its address
 * deleted as soon as the service answers. If the object stops in between, nobody knows whether the mail was
 * sent; the row is deleted, and no second one follows.
 */
import { Buffer } from "node:buffer";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import {
  type DeliveryResult,
  getRetryDelayMs,
} from "../../core/alerts/destinations/delivery-result.ts";
import type { EmailBody } from "../../core/alerts/formats/mail/email-body.ts";
import type { FixProgress } from "../../core/issue/fix-progress.ts";
import type {
  VisitorLink,
  VisitorLinkState,
  VisitorRequest,
} from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { toMailbox } from "../../core/visitors/mailbox.ts";
import { getVisitor } from "../../core/visitors/visitor-language.ts";
import { createFixedMail, createQuestionMail } from "../../core/visitors/visitor-mail.ts";
import { createVisitorLink } from "./action-links.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { DueVisitor } from "./tables/visitor-table.ts";

/** The fixes are looked at again after this time, if the index does not answer. */
const RETRY_MS = 60_000;
const TOKEN_BYTES = 16;
/** The service has answered that it did not take the mail. */
const REFUSED = /\bE_[A-Z_]+/;

interface VisitorDeps {
  readonly tables: Pick<AlertTables, "visitors">;
  readonly settings: Pick<SenderSettings, "get">;
  /** The origin that the configuration states. */
  readonly origin: string | undefined;
  readonly hasMail: () => boolean;
  readonly readProgress: (issues: readonly Digest[]) => Promise<readonly (FixProgress | null)[]>;
  readonly send: (address: string, mail: EmailBody) => Promise<DeliveryResult>;
  readonly random: () => number;
  readonly nowMs: () => number;
}

export class VisitorRequests {
  readonly #deps: VisitorDeps;
  #running: Promise<void> | null = null;
  /** When the fixes are looked at. */
  #lookMs = 0;

  constructor(deps: VisitorDeps) {
    this.#deps = deps;
  }

  /**
   * Takes a request, whose question is sent by the alarm. False over a limit, which no address
   * changes: a request for a known one counts, and is answered, like any other.
   */
  ask(request: VisitorRequest): boolean {
    const { tables, settings, origin, nowMs } = this.#deps;
    const { digest, issue, address, network, language, path } = request;
    const { visitors } = tables;
    const askedMs = nowMs();
    const sinceMs = askedMs - DAY_MS;
    visitors.expire(askedMs, sinceMs);
    const networkHash = network === undefined ? "" : this.#hash("network", network);
    const addressHash = this.#hash("address", toMailbox(address));
    const counts = visitors.count({ issue, networkHash, addressHash, sinceMs });
    const isAllowed =
      counts.kept < alertLimits.maxVisitors &&
      counts.ofIssue < alertLimits.maxVisitorsOfIssue &&
      counts.asked < alertLimits.maxVisitorRequests &&
      (networkHash === "" || counts.ofNetwork < alertLimits.maxVisitorRequestsOfNetwork);
    if (!isAllowed) return false;
    const base = origin ?? settings.get().origin ?? request.origin;
    const visitor = {
      ...{ digest, issue, address, addressHash, networkHash, language, askedMs },
      url: `${base}${path}`,
      untilMs: askedMs + alertLimits.visitorLinkMs,
    };
    const isNew = counts.ofAddress < alertLimits.maxVisitorRequestsOfAddress;
    if (!isNew || !visitors.add(visitor)) visitors.addSilent(visitor, createToken());
    return true;
  }

  /** The state of the request that the link of a question belongs to; null for another link. */
  readLink(link: VisitorLink): VisitorLinkState | null {
    return this.#findLink(link)?.state ?? null;
  }

  /** The visitor of a valid link waits from now on. False for another link. */
  confirm(link: VisitorLink): boolean {
    const found = this.#findLink(link);
    if (found === undefined) return false;
    this.#deps.tables.visitors.confirm(found.id, this.#deps.nowMs() + alertLimits.visitorWaitMs);
    return true;
  }

  /** Ends the request of a valid link, and deletes its address. False for another link. */
  withdraw(link: VisitorLink): boolean {
    const found = this.#findLink(link);
    if (found === undefined) return false;
    // The limits of its network and of the project go on.
    this.#deps.tables.visitors.forget(found.id, createToken());
    return true;
  }

  #findLink({ digest, token }: VisitorLink) {
    return this.#deps.tables.visitors.findLink(digest, hashToken(token), this.#deps.nowMs());
  }

  /** Sends what is due, a limited number of mails. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  /** When the next work is due, ms; undefined if nobody waits. */
  getDueMs(): number | undefined {
    const { tables, hasMail } = this.#deps;
    const times = tables.visitors.getTimes();
    if (times === undefined) return undefined;
    const { askedMs, endMs, isWaiting } = times;
    return hasMail() ? Math.min(endMs, askedMs, isWaiting ? this.#lookMs : Infinity) : endMs;
  }

  async #runAll(): Promise<void> {
    const { tables, hasMail, nowMs } = this.#deps;
    const { visitors } = tables;
    const startedMs = nowMs();
    visitors.expire(startedMs, startedMs - DAY_MS);
    // Nothing is being sent now.
    visitors.removeSending();
    if (!hasMail()) return;
    const asked = visitors.listAsked(startedMs, alertLimits.maxVisitorMailsPerAlarm);
    await Promise.all([...asked.map((visitor) => this.#question(visitor)), this.#tellFixed()]);
  }

  /** Asks a visitor whether the address is right. */
  async #question(visitor: DueVisitor): Promise<void> {
    const { id, digest, address, language, url, attempts } = visitor;
    const { visitors } = this.#deps.tables;
    if (address === undefined) return visitors.remove(id);
    const token = createToken();
    visitors.setMailed(id, hashToken(token));
    const link = createVisitorLink(url, token);
    const mail = createQuestionMail({ digest, visitor: getVisitor(language), link });
    const result = await this.#deps.send(address, mail);
    const dueMs = this.#findRetry(result, attempts);
    // Otherwise the row stays until the link ends: it limits the mails to the address.
    if (dueMs !== undefined) visitors.retry(id, "asked", dueMs);
    else if (result.kind !== "delivered" && REFUSED.test(result.answer)) visitors.silence(id);
  }

  /** Tells the visitors of the issues that are fixed, and forgets those of erased ones. */
  async #tellFixed(): Promise<void> {
    const { tables, readProgress, nowMs } = this.#deps;
    const { visitors } = tables;
    if (nowMs() < this.#lookMs) return;
    const issues = visitors.listIssues();
    if (issues.length === 0) return;
    let progress: readonly (FixProgress | null)[];
    try {
      progress = await readProgress(issues);
    } catch (error) {
      console.warn("alerts: fixes unavailable, will retry", String(error));
      this.#lookMs = nowMs() + RETRY_MS;
      return;
    }
    const startedMs = nowMs();
    const max = alertLimits.maxVisitorMailsPerAlarm;
    const due: DueVisitor[] = [];
    for (const [n, issue] of issues.entries()) {
      if (progress[n] === null) visitors.erase(issue);
      if (progress[n] === "fixed" && due.length <= max)
        due.push(...visitors.listWaiting(issue, startedMs, max + 1 - due.length));
    }
    // With more than one alarm may send, the next one goes on.
    this.#lookMs = due.length > max ? startedMs : startedMs + alertLimits.lookAtFixesMs;
    await Promise.all(due.slice(0, max).map((visitor) => this.#tell(visitor)));
  }

  async #tell(visitor: DueVisitor): Promise<void> {
    const { id, digest, address, language, url, attempts } = visitor;
    const { visitors } = this.#deps.tables;
    if (address === undefined) return visitors.remove(id);
    visitors.setSending(id);
    const mail = createFixedMail({ digest, visitor: getVisitor(language), link: url });
    const dueMs = this.#findRetry(await this.#deps.send(address, mail), attempts);
    // Its limits go on, so that nobody gets mails again and again for what is fixed already.
    if (dueMs === undefined) visitors.forget(id, createToken());
    else visitors.retry(id, "waiting", dueMs);
  }

  /**
   * When a mail may be sent again; undefined if not. Only a service that says so has not taken it:
   * without an answer, a second mail might be one too many.
   */
  #findRetry(result: DeliveryResult, attempts: number): number | undefined {
    if (result.kind !== "retry" || !REFUSED.test(result.answer ?? "")) return undefined;
    if (attempts + 1 >= alertLimits.maxVisitorMailAttempts) return undefined;
    const { random, nowMs } = this.#deps;
    const delayMs = getRetryDelayMs(attempts + 1, random(), result.afterMs);
    return delayMs === null ? undefined : nowMs() + delayMs;
  }

  /** Equal texts have equal hashes, which only this project can compute. */
  #hash(kind: "address" | "network", text: string): string {
    const key = Buffer.from(this.#deps.settings.get().actionKey, "base64url");
    return createHmac("sha256", key).update(`errata-visitor\n${kind}\n${text}`).digest("base64url");
  }
}

function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
