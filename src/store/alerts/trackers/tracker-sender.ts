/**
 * Sends what waits for trackers, and tells the index what they say. A message stays in its table
 * until the tracker, or the index, has accepted it. Before an attempt that follows another one, the
 * sender asks the tracker whether the earlier one had an effect, so that nothing is created or
 * written twice.
 */

import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { AlertedFacts } from "../../../core/alerts/alerted-facts.ts";
import { getRetryDelayMs } from "../../../core/alerts/destinations/delivery-result.ts";
import type { NewTrackerLink } from "../../../core/issue/tracker-link.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toProofText, toRegressionText, toTrackerDraft } from "../../../core/trackers/draft.ts";
import { type Tracker, trackerLimits } from "../../../core/trackers/tracker.ts";
import type { TrackerEvent } from "../../../core/trackers/tracker-event.ts";
import {
  andThen,
  type Exchange,
  type TrackerFailure,
  type TrackerItem,
} from "../../../core/trackers/tracker-kind.ts";
import type { TrackerText } from "../../../core/trackers/tracker-text.ts";
import { getTrackerKind } from "../../../core/trackers/trackers.ts";
import type { AlertTables } from "../tables/alert-tables.ts";
import type { TrackerMessage, TrackerWork } from "../tables/tracker-tables.ts";

/** When an attempt is repeated whose end is unknown, because the object stopped. */
const LOST_MS = 60_000;

/** What the sender needs of the project. Calls of the index reject. */
export interface TrackerSenderDeps {
  readonly tables: AlertTables;
  readonly findTracker: (id: string) => Tracker | undefined;
  readonly call: <T>(tracker: Tracker, exchange: Exchange<T>) => Promise<Result<T, TrackerFailure>>;
  readonly readIssue: (digest: Digest) => Promise<AlertedFacts | null>;
  /** Links an issue in the index. */
  readonly link: (digest: Digest, link: NewTrackerLink, by: string | undefined) => Promise<unknown>;
  readonly applyEvents: (tracker: Tracker, events: readonly TrackerEvent[]) => Promise<void>;
  /** The page of an issue. */
  readonly toIssueUrl: (digest: Digest) => string;
  readonly nowMs: () => number;
  readonly random: () => number;
}

/** How an attempt ended: `gone` if the issue or the connection no longer exists. */
export type Attempt = Result<
  TrackerItem | undefined,
  TrackerFailure | { readonly reason: "gone"; readonly detail: string }
>;

export class TrackerSender {
  readonly #deps: TrackerSenderDeps;
  readonly #calls = new Map<number, Promise<Attempt>>();

  constructor(deps: TrackerSenderDeps) {
    this.#deps = deps;
  }

  /** When the next message is due, ms; undefined if none waits. */
  getDueMs(): number | undefined {
    return this.#deps.tables.trackerMessages.getDueMs();
  }

  /** Sends what is due: the connections at the same time, the messages of each in order. */
  async run(): Promise<void> {
    const { tables, nowMs } = this.#deps;
    const due = tables.trackerMessages.listDue(nowMs()).slice(0, trackerLimits.maxMessagesPerAlarm);
    const byTracker = Map.groupBy(due, ({ tracker }) => tracker);
    const runs = [...byTracker.values()].map(async (messages) => {
      for (const { id } of messages) await this.sendNow(id);
    });
    await Promise.all(runs);
  }

  /** Sends one message. Concurrent calls share an attempt. Never rejects. */
  sendNow(id: number): Promise<Attempt> {
    const known = this.#calls.get(id);
    if (known !== undefined) return known;
    const call = this.#attempt(id).finally(() => this.#calls.delete(id));
    this.#calls.set(id, call);
    return call;
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.#calls.values());
  }

  async #attempt(id: number): Promise<Attempt> {
    const { tables, findTracker, nowMs } = this.#deps;
    const message = tables.trackerMessages.get(id);
    const tracker = message && findTracker(message.tracker);
    if (message === undefined || tracker === undefined) {
      tables.trackerMessages.remove(id);
      return fail({ reason: "gone", detail: "The connection was removed." });
    }
    tables.trackerMessages.startAttempt(id, nowMs() + LOST_MS);
    let result: Attempt;
    try {
      result = await this.#perform(message, tracker);
    } catch (error) {
      console.warn("trackers: the index is unavailable, will retry", String(error));
      result = fail({ reason: "unavailable", detail: "The issue cannot be read." });
    }
    tables.transaction(() => this.#record(message, tracker, result));
    return result;
  }

  async #perform(message: TrackerMessage, tracker: Tracker): Promise<Attempt> {
    const { applyEvents } = this.#deps;
    const { work } = message;
    switch (work.do) {
      case "create":
        return this.#create(message, tracker, work);
      case "link":
        return this.#link(message, tracker, work);
      case "events":
        await applyEvents(tracker, work.events);
        return ok(undefined);
      case "close":
      case "reopen":
      case "prove":
        return this.#tell(message, tracker, work);
    }
  }

  async #create(
    message: TrackerMessage,
    tracker: Tracker,
    { by }: Extract<TrackerWork, { do: "create" }>,
  ): Promise<Attempt> {
    const { readIssue, call, toIssueUrl, tables } = this.#deps;
    const { digest, uuid, attempts } = message;
    const issue = await readIssue(digest);
    if (issue === null) return fail({ reason: "gone", detail: "The issue no longer exists." });
    const kind = getTrackerKind(tracker.kind);
    const draft = toTrackerDraft(issue, toIssueUrl(digest), uuid);
    const create = () => kind.create(tracker, draft);
    const created = await call(
      tracker,
      attempts === 0
        ? create()
        : andThen(kind.find(tracker, draft), function* (found) {
            return found === undefined ? yield* create() : ok(found);
          }),
    );
    if (!created.ok) return created;
    const link: TrackerWork = { do: "link", by, created: created.value };
    // From here on, only the index has to hear of it.
    tables.trackerMessages.setWork(message.id, link);
    return this.#link(message, tracker, link);
  }

  async #link(
    { digest }: TrackerMessage,
    { id: tracker }: Tracker,
    { created, by }: Extract<TrackerWork, { do: "link" }>,
  ): Promise<Attempt> {
    await this.#deps.link(digest, { ...created, tracker }, by);
    return ok(created);
  }

  /** Sets the state, and then adds the comment, if there is one. */
  async #tell(
    { digest, uuid, attempts, atMs }: TrackerMessage,
    tracker: Tracker,
    work: Extract<TrackerWork, { do: "close" | "reopen" | "prove" }>,
  ): Promise<Attempt> {
    const { call } = this.#deps;
    const kind = getTrackerKind(tracker.kind);
    const { item } = work;
    const text = await this.#write(digest, work, uuid);
    const told = await call(
      tracker,
      (function* (): Exchange<void> {
        if (work.do !== "prove") {
          const set = yield* kind.setState(tracker, item, work.do === "close" ? "closed" : "open");
          if (!set.ok || text === undefined) return set;
        }
        if (text === undefined) return ok(undefined);
        const sinceMs = atMs - LOST_MS;
        const has =
          attempts === 0 ? ok(false) : yield* kind.hasComment(tracker, item, { ...text, sinceMs });
        if (!has.ok) return has;
        return has.value ? ok(undefined) : yield* kind.comment(tracker, item, text);
      })(),
    );
    return told.ok ? ok(undefined) : told;
  }

  /** The comment of a regression or a proof. */
  async #write(
    digest: Digest,
    work: Extract<TrackerWork, { do: "close" | "reopen" | "prove" }>,
    uuid: string,
  ): Promise<TrackerText | undefined> {
    const { readIssue, toIssueUrl } = this.#deps;
    const url = toIssueUrl(digest);
    if (work.do === "prove") return toProofText(digest, work.proof, url, uuid);
    if (work.do === "close" || work.cause === "decided") return undefined;
    const issue = await readIssue(digest);
    return issue === null ? undefined : toRegressionText(issue, work.release, url, uuid);
  }

  /** Stores the outcome. Call inside a transaction. */
  #record({ id, attempts, work }: TrackerMessage, tracker: Tracker, result: Attempt): void {
    const { tables, nowMs, random } = this.#deps;
    const { trackerMessages, trackerStates } = tables;
    const atMs = nowMs();
    // Events concern the index alone.
    const isCall = work.do !== "events";
    if (result.ok || result.reason === "gone") {
      trackerMessages.remove(id);
      if (isCall && result.ok)
        trackerStates.change(tracker.id, { calledMs: atMs, problem: undefined });
      return;
    }
    if (isCall) trackerStates.change(tracker.id, { problem: { atMs, detail: result.detail } });
    const afterMs = result.reason === "unavailable" ? result.retryAfterMs : undefined;
    const pauseMs = afterMs && Math.min(afterMs, alertLimits.maxPauseMs);
    const delayMs =
      result.reason === "refused" ? null : getRetryDelayMs(attempts + 1, random(), pauseMs);
    // The index accepts events at any time later.
    const nextMs = delayMs ?? (isCall ? null : alertLimits.maxPauseMs);
    if (nextMs === null) trackerMessages.setFailed(id);
    else trackerMessages.setDue(id, atMs + nextMs);
  }
}
