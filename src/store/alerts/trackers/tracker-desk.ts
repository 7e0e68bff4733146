/**
 * The connections to trackers of a project: their settings, what members ask of them, the webhooks
 * that they send, and the walk over followed issues that finds what no webhook said.
 */
import type { TargetRules } from "../../../core/alerts/destinations/destination-kind.ts";
import { formatWebhookSecret } from "../../../core/alerts/destinations/webhook.ts";
import type { FollowedIssue } from "../../../core/alerts/tracker-news.ts";
import { parseJson } from "../../../core/decode/parse-json.ts";
import { toHex } from "../../../core/hex.ts";
import type { IssueTracker } from "../../../core/issue/tracker-link.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { isSealed, LOST_SECRET } from "../../../core/secrets/sealed-text.ts";
import {
  type Tracker,
  type TrackerSummary,
  trackerLimits,
} from "../../../core/trackers/tracker.ts";
import type { TrackerEvent } from "../../../core/trackers/tracker-event.ts";
import type { Exchange, TrackerFailure } from "../../../core/trackers/tracker-kind.ts";
import { getTrackerKind, readTracker, type TrackerInput } from "../../../core/trackers/trackers.ts";
import { HOUR_MS, MINUTE_MS } from "../../../core/utc-time.ts";
import type { AlertTables } from "../tables/alert-tables.ts";
import type { StoredSettings } from "../tables/settings-table.ts";
import type { TrackerSender } from "./tracker-sender.ts";
import { MAX_AGE_MS, verifyHook } from "./verify-hook.ts";

/** The walk reads all its issues in a day, in this many parts. */
const WALKS_PER_DAY = 4;
const WALK_MS = (24 / WALKS_PER_DAY) * HOUR_MS;
const READ_PER_WALK = trackerLimits.maxReadPerDay / WALKS_PER_DAY;
/** The state of an issue that people open is read at most once in this time. */
const REFRESH_MS = 10 * MINUTE_MS;
const MAX_REFRESHED = 500;
/** The name of the walk's row; connections have ids of hexadecimal digits. */
const WALK = "walk";
const MAX_DELIVERY_CHARS = 200;

/** Why a connection was not saved; `detail` is a sentence for the form. */
export interface TrackerRefusal {
  readonly reason: "invalid" | "too-many";
  readonly detail: string;
}

/** A connection after a change; `secret` only if it is new. */
export interface SavedTracker {
  readonly tracker: TrackerSummary;
  readonly secret?: string;
}

export type SavedOrRefused = Promise<
  Result<SavedTracker, TrackerRefusal | { readonly reason: "unknown" }>
>;

/** What became of a new issue: `waiting` is created when the tracker answers again. */
export type TrackerCreation =
  | { readonly kind: "created"; readonly tracker: IssueTracker }
  | { readonly kind: "waiting" | "refused"; readonly detail: string }
  | { readonly kind: "unknown-tracker" | "unknown-digest" | "linked" };

/** Whether a tracker accepts the token and knows the project. */
export interface TrackerCheck {
  readonly ok: boolean;
  /** The name of the project there, or what is wrong; it quotes the tracker. */
  readonly detail: string;
  /** What is wrong, in words of Errata. An object of the release before has none. */
  readonly reason?: string;
  /** The status of an answer that says so. */
  readonly status?: number;
}

/** The answer to a webhook. */
export type HookAnswer = "accepted" | "unknown" | "unsigned" | "not-json" | "full";

/** A webhook: its headers by lower-case names, and its body. */
export interface HookDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The settings of the object. */
export interface TrackerSettings {
  get(): StoredSettings;
  change(change: Partial<Pick<StoredSettings, "trackers" | "origin">>): void;
}

interface DeskDeps {
  readonly tables: AlertTables;
  readonly settings: TrackerSettings;
  readonly sender: TrackerSender;
  readonly getRules: () => TargetRules;
  readonly call: <T>(tracker: Tracker, exchange: Exchange<T>) => Promise<Result<T, TrackerFailure>>;
  /** Calls of the index, which reject. */
  readonly readTracker: (digest: Digest) => Promise<IssueTracker | null | undefined>;
  readonly listFollowed: (after: Digest, limit: number) => Promise<readonly FollowedIssue[]>;
  readonly tellProofs: () => Promise<void>;
  readonly applyEvents: (tracker: Tracker, events: readonly TrackerEvent[]) => Promise<void>;
  readonly nowMs: () => number;
}

export class TrackerDesk {
  readonly #deps;
  readonly #refreshed = new Map<Digest, number>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  find(id: string): Tracker | undefined {
    return this.#list().find((one) => one.id === id);
  }

  #list(): readonly Tracker[] {
    return this.#deps.settings.get().trackers ?? [];
  }

  list(): readonly TrackerSummary[] {
    return this.#list().map((one) => this.#summarize(one));
  }

  #summarize({ token, secret, createdMs: _createdMs, ...shown }: Tracker): TrackerSummary {
    const { tables, nowMs } = this.#deps;
    const { calledMs, receivedMs, problem } = tables.trackerStates.get(shown.id);
    const counts = tables.trackerMessages.count(shown.id);
    const hasLost = isSealed(token) || (secret !== undefined && isSealed(secret));
    const lost = hasLost ? { atMs: nowMs(), detail: LOST_SECRET } : undefined;
    const state = { ...counts, calledMs, receivedMs, problem: lost ?? problem };
    return { ...shown, hasSecret: secret !== undefined && !isSealed(secret), state };
  }

  /** Creates or replaces a connection. */
  save(
    id: string | undefined,
    input: TrackerInput,
    origin = this.#deps.settings.get().origin,
  ): Result<SavedTracker, TrackerRefusal | { readonly reason: "unknown" }> {
    const { settings, tables, getRules, nowMs } = this.#deps;
    const known = id === undefined ? undefined : this.find(id);
    if (id !== undefined && known === undefined) return fail({ reason: "unknown" });
    const others = this.#list().filter((one) => one.id !== id);
    const { maxTrackers } = trackerLimits;
    if (known === undefined && others.length >= maxTrackers)
      return fail({ reason: "too-many", detail: `A project has at most ${maxTrackers} trackers.` });
    const created = { id: createId(), createdMs: nowMs(), secret: createSecret() };
    const { ownHost } = getRules();
    const host = origin === undefined ? ownHost : new URL(origin).host;
    // Issues in a tracker link to Errata.
    if (host === undefined)
      return fail({ reason: "invalid", detail: "Enter the origin of Errata." });
    const rules = { ...getRules(), ownHost: host };
    const read = readTracker(input, known, created, rules);
    if (!read.ok) return read;
    const tracker = read.value;
    settings.change({ trackers: [...others, tracker].toSorted(byAge), ...(origin && { origin }) });
    tables.trackerStates.change(tracker.id, { problem: undefined });
    const isNewSecret = tracker.secret === created.secret;
    const shown = isNewSecret ? { secret: created.secret } : {};
    return ok({ tracker: this.#summarize(tracker), ...shown });
  }

  /** Removes a connection and what waits for it. Links stay as plain links. */
  remove(id: string): boolean {
    const { settings, tables } = this.#deps;
    if (this.find(id) === undefined) return false;
    settings.change({ trackers: this.#list().filter((one) => one.id !== id) });
    tables.transaction(() => {
      tables.trackerMessages.removeTracker(id);
      tables.trackerStates.remove(id);
    });
    return true;
  }

  /** Replaces the secret of the webhook. Undefined if the service creates it. */
  rotateSecret(id: string): string | undefined {
    const known = this.find(id);
    if (known === undefined || getTrackerKind(known.kind).createsSecret) return undefined;
    const secret = createSecret();
    const trackers = this.#list().map((one) => (one.id === id ? { ...one, secret } : one));
    this.#deps.settings.change({ trackers });
    return secret;
  }

  /** Reads the project from the tracker: its name, or why that failed. Null if it is unknown. */
  async check(id: string): Promise<TrackerCheck | null> {
    const { call, tables, nowMs } = this.#deps;
    const tracker = this.find(id);
    if (tracker === undefined) return null;
    const checked = await call(tracker, getTrackerKind(tracker.kind).check(tracker));
    const atMs = nowMs();
    if (checked.ok) tables.trackerStates.change(id, { calledMs: atMs, problem: undefined });
    else tables.trackerStates.change(id, { problem: { atMs, detail: checked.detail } });
    if (checked.ok) return { ok: true, detail: checked.value };
    const { detail, own: reason = detail, status } = checked;
    return { ok: false, detail, reason, ...(status !== undefined && { status }) };
  }

  /** Sends everything that waits for a connection or has failed. False if it is unknown. */
  sendAgain(id: string): boolean {
    if (this.find(id) === undefined) return false;
    this.#deps.tables.trackerMessages.sendAgain(id, this.#deps.nowMs());
    return true;
  }

  /** Creates an issue for one of Errata, once, however often it is asked for. */
  async createIssue(digest: Digest, id: string, by: string | undefined): Promise<TrackerCreation> {
    const { tables, sender, nowMs } = this.#deps;
    const { trackerMessages } = tables;
    if (this.find(id) === undefined) return { kind: "unknown-tracker" };
    const linked = await this.#deps.readTracker(digest);
    if (linked === null) return { kind: "unknown-digest" };
    if (linked !== undefined)
      return linked.tracker === id ? { kind: "created", tracker: linked } : { kind: "linked" };
    const known = trackerMessages.findCreation(digest);
    if (known === undefined && trackerMessages.isFull())
      return { kind: "refused", detail: "Too many messages wait for trackers." };
    const work = { do: "create", by } as const;
    const uuid = crypto.randomUUID();
    const message = known?.id ?? trackerMessages.add({ tracker: id, digest, uuid, work }, nowMs());
    const attempt = await sender.sendNow(message);
    if (attempt.ok && attempt.value !== undefined) {
      const { url, label, item } = attempt.value;
      return { kind: "created", tracker: { url, label, item, tracker: known?.tracker ?? id } };
    }
    if (attempt.ok || attempt.reason === "gone") return { kind: "unknown-digest" };
    if (attempt.reason === "unavailable") return { kind: "waiting", detail: attempt.detail };
    // Nothing was created, and the person knows.
    trackerMessages.remove(message);
    return { kind: "refused", detail: attempt.detail };
  }

  /**
   * Takes a webhook. Its events are durable when the promise resolves. A delivery counts once, by
   * its id and by its body: the id is not signed.
   */
  async receiveHook(id: string, { headers, body }: HookDelivery): Promise<HookAnswer> {
    const { tables, nowMs } = this.#deps;
    const tracker = this.find(id);
    if (tracker === undefined) return "unknown";
    const kind = getTrackerKind(tracker.kind);
    const readHeader = (name: string) => headers[name];
    const delivery = { readHeader, body };
    const { secret } = tracker;
    if (secret === undefined || isSealed(secret)) return "unsigned";
    if (!(await verifyHook(kind.signatures, delivery, secret, nowMs()))) return "unsigned";
    const json = parseJson(body, trackerLimits.maxHookBytes);
    if (!json.ok) return "not-json";
    const sentMs = kind.readSentMs?.(json.value);
    if (sentMs !== undefined && Math.abs(nowMs() - sentMs) > MAX_AGE_MS) return "unsigned";
    const name = kind.deliveryHeaders.map(readHeader).find((one) => one !== undefined);
    const hash = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", body)));
    const names = [hash, ...(name === undefined ? [] : [name.slice(0, MAX_DELIVERY_CHARS)])];
    const events = kind.toEvents(tracker, readHeader, json.value);
    return tables.transaction(() => {
      const { trackerMessages, trackerStates, hookDeliveries } = tables;
      if (events.length === 0 || hookDeliveries.hasAny(id, names)) return "accepted";
      if (trackerMessages.isFull()) return "full";
      hookDeliveries.add(id, names);
      trackerStates.change(id, { receivedMs: nowMs() });
      const work = { do: "events", events } as const;
      trackerMessages.add({ tracker: id, digest: "", uuid: crypto.randomUUID(), work }, nowMs());
      return "accepted";
    });
  }

  /** Reads the state of an issue that somebody opens, at most once in ten minutes. */
  async refresh(issue: FollowedIssue): Promise<void> {
    const { nowMs } = this.#deps;
    const known = this.#refreshed.get(issue.digest) ?? 0;
    if (nowMs() - known < REFRESH_MS) return;
    if (this.#refreshed.size >= MAX_REFRESHED) this.#refreshed.clear();
    this.#refreshed.set(issue.digest, nowMs());
    await this.#readState(issue);
  }

  async #readState({ digest, tracker: id, item }: FollowedIssue): Promise<void> {
    const { call, tables, applyEvents, nowMs } = this.#deps;
    const tracker = this.find(id);
    // What waits for the tracker would change its state.
    if (tracker === undefined || tables.trackerMessages.hasMessage(digest)) return;
    const atMs = nowMs();
    const read = await call(tracker, getTrackerKind(tracker.kind).read(tracker, item));
    if (!read.ok) return;
    await applyEvents(tracker, [{ kind: "state", item, state: read.value, atMs, isRead: true }]);
  }

  // The walk.

  /** When the next part of the walk is due, ms; undefined without connections. */
  getDueMs(): number | undefined {
    const { tables, nowMs } = this.#deps;
    // The settings may still have to be read from KV.
    const { trackers = [] } = tables.settings.get() ?? {};
    return trackers.length === 0 ? undefined : (tables.trackerStates.get(WALK).dueMs ?? nowMs());
  }

  /** Tells trackers the proofs of fixes, and reads the state of some issues. */
  async run(): Promise<void> {
    const { tables, listFollowed, tellProofs, nowMs } = this.#deps;
    const dueMs = this.getDueMs();
    if (dueMs === undefined || dueMs > nowMs()) return;
    await tellProofs();
    const { after = "" } = tables.trackerStates.get(WALK);
    const issues = await listFollowed(after, READ_PER_WALK);
    const next = issues.length < READ_PER_WALK ? "" : issues.at(-1)?.digest;
    tables.trackerStates.change(WALK, { dueMs: nowMs() + WALK_MS, after: next });
    for (const issue of issues) await this.#readState(issue);
  }
}

const byAge = (a: Tracker, b: Tracker) => a.createdMs - b.createdMs;

function createSecret(): string {
  return formatWebhookSecret(crypto.getRandomValues(new Uint8Array(32)));
}

function createId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
