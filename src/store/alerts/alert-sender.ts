/**
 * AlertSender: the Durable Object that sends the alerts of one project.
 *
 *     ProjectIndex ─▶ AlertIntake: each number once ─▶ inbox
 *                       └─▶ a message per destination, or a summary of many alerts
 *     alarm ─▶ MessageSender ─▶ render ─▶ send ─▶ log, retry or give up
 *
 * It stores no reported text: it renders messages when it sends them. An object that lost its
 * storage restores the settings from KV.
 */
import type { Bindings } from "../../bindings.ts";
import { readAlertDelivery } from "../../config.ts";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { toTestPrefix } from "../../core/alerts/alert-message.ts";
import type { AlertFailure } from "../../core/alerts/decode.ts";
import type { DeliveryResult } from "../../core/alerts/destinations/delivery-result.ts";
import {
  type Destination,
  summarizeDestination,
  toConfirmedSettings,
} from "../../core/alerts/destinations/destinations.ts";
import type { NumberedAlert } from "../../core/alerts/due-alert.ts";
import type { SummaryChoice } from "../../core/alerts/periods/summary-period.ts";
import type { AlertPreferences } from "../../core/alerts/preferences.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import type { FollowedIssue } from "../../core/alerts/tracker-news.ts";
import { limits } from "../../core/limits.ts";
import type {
  AlertInbox,
  AlertMarks,
  AlertSettings,
  DeliveryAttempt,
  HeldBackAlert,
  InboxReader,
  SignedAction,
  SignedAddress,
  VisitorLink,
  VisitorLinkState,
  VisitorRequest,
} from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";
import { ok, type Result } from "../../core/result.ts";
import type { TrackerSummary } from "../../core/trackers/tracker.ts";
import type { TrackerInput } from "../../core/trackers/trackers.ts";
import { StoredObject } from "../sqlite/object.ts";
import { verifyAction, verifyAddressLink } from "./action-links.ts";
import {
  confirmAddress,
  enableDestination,
  eraseFromSettings,
  limitSize,
  putDestination,
  putRule,
  removeDestination,
  removePerson,
  removeRule,
  restoreDestination,
  rotateSecret,
  setPreferences,
  setSummary,
} from "./edit-settings.ts";
import type { SentFacts } from "./message-renderer.ts";
import { hasFailing, readHealth, readPause } from "./read-health.ts";
import { createParts } from "./sender-parts.ts";
import type { AlertSettingsChange, RuleSet } from "./sender-settings.ts";
import { ALERT_SCHEMA } from "./tables/alert-schema.ts";
import type { NoticeReader } from "./tables/notice-table.ts";
import type { StoredSettings } from "./tables/settings-table.ts";
import type {
  HookAnswer,
  HookDelivery,
  SavedOrRefused,
  TrackerCheck,
  TrackerCreation,
  TrackerDesk,
} from "./trackers/tracker-desk.ts";

const RETRY_MS = 5_000;
/** Messages, and notices, on the page of the inbox. */
const LISTED_MESSAGES = 50;

/** Issues, or a text, that the object erases. */
type AlertErasure = { readonly digests: readonly Digest[] } | { readonly text: string };

/**
 * One object per project, named by the project's id: `1`. Its methods reject while it cannot read
 * its settings from KV.
 */
export class AlertSender extends StoredObject {
  readonly #created: ReturnType<typeof createParts> | undefined;
  #hasSetAlarm = false;
  #isInAlarm = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, ALERT_SCHEMA);
    if (this.isReady) this.#created = createParts(ctx, () => this.env, this.database);
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  // Calls of the index.

  /**
   * Takes alerts of the index, each number once. Resolves when they are durable. The result has the
   * rules if their version is not `rulesVersion`. With `facts`, messages that are sent at once need
   * no call to the index; an index of the release before sends none.
   */
  async take(
    alerts: readonly NumberedAlert[],
    rulesVersion: number,
    facts?: SentFacts,
  ): Promise<RuleSet | null> {
    await this.#requireReady();
    const { version } = this.#parts.settings.get();
    if (facts !== undefined) this.#parts.renderer.keepFacts(facts);
    this.#parts.intake.take(alerts);
    await this.#wake();
    return rulesVersion === version ? null : this.#parts.settings.getRuleSet();
  }

  /** Erases all data about an issue or a text. */
  async erase(erasure: AlertErasure): Promise<void> {
    this.#parts.renderer.forgetFacts();
    if ("digests" in erasure) return this.#parts.tables.eraseIssues(erasure.digests);
    const { text } = erasure;
    this.#parts.tables.eraseText(text);
    const isChanged = await this.#editKnown((settings) => eraseFromSettings(settings, text));
    // The erasure ends when KV and the index have the settings without the text.
    if (isChanged) await this.#parts.settings.copy();
  }

  /** Deletes everything. Resolves to the KV keys of its record. */
  async wipe(): Promise<readonly string[]> {
    this.#parts.renderer.forgetFacts();
    this.#parts.tables.wipe();
    return [await this.#parts.settings.wipe()];
  }

  /** Resolves when no write to KV and no delivery is in progress. */
  override async waitUntilIdle(): Promise<void> {
    await this.#parts.sender.waitUntilIdle();
    await this.#parts.trackers.sender.waitUntilIdle();
    await this.#parts.visitors.waitUntilIdle();
    await this.#parts.waitForRecording();
    await this.#parts.settings.waitUntilIdle();
  }

  // Settings.

  async readSettings(): Promise<AlertSettings> {
    await this.#requireReady();
    const { rules, destinations, vapid, repository, ...saved } = this.#parts.settings.get();
    const { origin = saved.origin } = readAlertDelivery(this.env);
    return {
      rules,
      destinations: destinations.map((one) => ({
        ...summarizeDestination(one),
        ...readPause(this.#parts.tables, one.id, Date.now()),
      })),
      pushKey: vapid.publicKey,
      health: readHealth(this.#parts.tables, Date.now()),
      origin,
      repository,
    };
  }

  /**
   * Creates or replaces a rule. `origin` is the request's. Links in messages use it unless
   * `ERRATA_URL` is set.
   */
  async saveRule(rule: AlertRule, origin: string): Promise<Result<void, AlertFailure>> {
    return this.#edit((settings) => putRule(settings, rule, origin));
  }

  async deleteRule(id: string): Promise<void> {
    await this.#edit((settings) => ok(removeRule(settings, id)));
  }

  /** Creates or replaces a destination and enables it. `origin`: see `saveRule`. */
  async saveDestination(
    destination: Destination,
    origin: string,
  ): Promise<Result<void, AlertFailure>> {
    const { allowedTargets } = readAlertDelivery(this.env);
    const saved = await this.#edit((settings) => {
      const edited = putDestination(settings, destination, allowedTargets, origin);
      if (edited.ok) this.#startAgain(destination.id);
      return edited;
    });
    if (saved.ok) await this.#parts.confirmations.ask(destination.id);
    return saved;
  }

  /** Enables a destination of `person`, or of the project. False if there is none. */
  async enableDestination(id: string, person?: string): Promise<boolean> {
    return this.#editKnown((settings) => {
      const change = enableDestination(settings, id, person);
      if (change !== null) this.#startAgain(id);
      return change;
    });
  }

  /**
   * Sets how often a destination of `person`, or of the project, gets a summary. False if there is
   * none, or its kind gets no summaries.
   */
  async setSummary(id: string, every: SummaryChoice, person?: string): Promise<boolean> {
    return this.#editKnown((settings) => setSummary(settings, id, every, person));
  }

  /**
   * Replaces the secret of a webhook of the project; for a day, both sign. False if there is none.
   */
  async rotateSecret(id: string, secret: string): Promise<boolean> {
    return this.#editKnown((settings) => rotateSecret(settings, id, secret, Date.now()));
  }

  /** Deletes a destination. With `undoId`, it can be restored for `limits.undoRemovalMs`. */
  async deleteDestination(id: string, undoId?: string): Promise<void> {
    const tables = this.#parts.tables;
    await this.#edit((settings) => {
      const change = removeDestination(settings, id);
      const destination = settings.destinations.find((one) => one.id === id);
      tables.transaction(() => {
        if (undoId === undefined) tables.deliveries.removeDestination(id);
        else if (destination !== undefined) {
          const named = settings.rules.flatMap((before, n) => {
            const after = change.rules?.[n];
            return after && before.destinations.includes(id) ? { before, after } : [];
          });
          const deleted = { destination, state: tables.destinations.get(id), rules: named };
          tables.deletedDestinations.add(undoId, Date.now() + limits.undoRemovalMs, deleted);
          tables.deliveries.shelveDestination(id);
        }
        tables.destinations.remove(id);
      });
      return ok(change);
    });
  }

  /**
   * Restores a destination of `person`, or of the project, with its secrets, its messages and its
   * place in rules. False if it is too late, or if others have taken its place.
   */
  async restoreDestination(undoId: string, person?: string): Promise<boolean> {
    await this.#requireReady();
    const tables = this.#parts.tables;
    const deleted = tables.deletedDestinations.get(undoId, Date.now());
    if (deleted === undefined || deleted.destination.person !== person) return false;
    const edited = await this.#edit((settings) => restoreDestination(settings, deleted));
    if (!edited.ok) return false;
    const { id } = deleted.destination;
    tables.transaction(() => {
      tables.deletedDestinations.remove(undoId);
      tables.destinations.save(id, deleted.state);
      tables.deliveries.restoreDestination(id);
    });
    await this.#wake();
    return true;
  }

  /** The name of a destination of the project whose deletion can be undone; null if it cannot. */
  async nameDeleted(undoId: string): Promise<string | null> {
    await this.#requireReady();
    const deleted = this.#parts.tables.deletedDestinations.get(undoId, Date.now());
    return deleted?.destination.person === undefined ? (deleted?.destination.name ?? null) : null;
  }

  /** Deletes the messages to destinations whose deletion can no longer be undone. */
  #forgetDeleted(): void {
    const tables = this.#parts.tables;
    tables.transaction(() => {
      for (const id of tables.deletedDestinations.takeExpired(Date.now()))
        tables.deliveries.removeDestination(id);
    });
  }

  /**
   * Copies the GitHub repository of prefilled issues, `owner/name` or empty for none, from the
   * settings of repositories: an earlier release reads it here.
   */
  async copyRepository(repository: string): Promise<void> {
    await this.#edit(() => ok({ repository: repository || undefined }));
    this.#parts.renderer.forgetRepository();
  }

  /**
   * Sends a test message like any other message and waits for its first attempt. Null for an
   * unknown destination; `too-many` above `alertLimits.maxTests`.
   */
  async sendTest(destination: string): Promise<DeliveryResult | "too-many" | null> {
    await this.#requireReady();
    const known = this.#parts.settings.get().destinations.find(({ id }) => id === destination);
    if (known === undefined) return null;
    if (toConfirmedSettings(known) === null) {
      const isAsked = (await this.#parts.confirmations.ask(destination)) > 0;
      const asked = isAsked
        ? "Errata has sent the link again."
        : "Open the link in the mail first.";
      return { kind: "failed", answer: `The address is not confirmed. ${asked}`, isOwn: true };
    }
    const sinceMs = Date.now() - alertLimits.testWindowMs;
    if (this.#parts.tables.countTests(this.#parts.project, sinceMs) >= alertLimits.maxTests)
      return "too-many";
    const id = this.#parts.tables.deliveries.add({
      destination,
      kind: "test",
      dueMs: Date.now(),
      message: `${toTestPrefix(this.#parts.project)}${crypto.randomUUID().slice(0, 8)}`,
      contents: { alerts: [], more: 0 },
    });
    return this.#parts.sender.sendNow(id);
  }

  /** The last attempts, newest first. */
  async listDeliveries(): Promise<readonly DeliveryAttempt[]> {
    return this.#parts.tables.attempts.list().map(({ delayMs: _, ...attempt }) => attempt);
  }

  /** The last alerts without a message, and the reason, newest first. */
  async listHeldBack(): Promise<readonly HeldBackAlert[]> {
    return this.#parts.tables.held.list();
  }

  /**
   * Queues an undelivered message again, or sends one that waits after a failure. False if it is no
   * longer known.
   */
  async sendAgain(message: string): Promise<boolean> {
    await this.#requireReady();
    const { deliveries, destinations } = this.#parts.tables;
    const queued = deliveries.sendAgain(message, Date.now());
    for (const id of queued) destinations.endPause(id);
    if (queued.length > 0) await this.#wake();
    return queued.length > 0;
  }

  /** Sends everything that waits for a destination after a failure. False for an unknown one. */
  async sendWaiting(destination: string): Promise<boolean> {
    await this.#requireReady();
    const isKnown = this.#parts.settings.get().destinations.some(({ id }) => id === destination);
    if (!isKnown) return false;
    this.#parts.tables.deliveries.release(destination, Date.now());
    this.#parts.tables.destinations.endPause(destination);
    await this.#wake();
    return true;
  }

  // The alerts of each person.

  /** The newest messages for the desk, what concerns a person, and the marks of the person. */
  async readInbox(person: string, reader?: InboxReader): Promise<AlertInbox> {
    await this.#requireReady();
    const { inbox, notices } = this.#parts.tables;
    const own = toNoticeReader(reader);
    const rendered = await this.#parts.renderer.renderInbox(
      inbox.list(LISTED_MESSAGES),
      own === undefined ? [] : notices.list(own, LISTED_MESSAGES),
    );
    return { ...rendered, ...(await this.readMarks(person, reader)) };
  }

  /** The marks of alerts on every page. */
  async readMarks(person: string, reader?: InboxReader): Promise<AlertMarks> {
    const tables = this.#parts.tables;
    const own = toNoticeReader(reader);
    // Every page asks, so this does not read the settings from KV if the object has none.
    const destinations = tables.settings.get()?.destinations ?? [];
    // A migration may have left rules that the index lacks.
    if (this.#parts.settings.hasUnsentRules) await this.#setAlarmOnce();
    return {
      unread: tables.inbox.countUnread(person, reader?.sinceMs),
      unreadNotices: own === undefined ? 0 : tables.notices.countUnread(own),
      isFailing: hasFailing(tables, destinations, person),
    };
  }

  /** Marks all messages up to `upTo` as read. */
  async markRead(person: string, upTo: string): Promise<void> {
    this.#parts.tables.inbox.markRead(person, upTo);
  }

  /**
   * Marks a notice of the reader as read; with `isUpTo`, all older ones too. Resolves to its issue;
   * to null if there is none, or it is not the reader's.
   */
  async markNoticeRead(reader: InboxReader, id: string, isUpTo: boolean): Promise<Digest | null> {
    const own = toNoticeReader(reader);
    if (own === undefined) return null;
    return this.#parts.tables.notices.markRead(own, id, isUpTo) ?? null;
  }

  async readPreferences(person: string): Promise<AlertPreferences> {
    await this.#requireReady();
    const { preferences, destinations } = this.#parts.settings.get();
    const own = destinations.filter((one) => one.person === person).map(({ id }) => id);
    return preferences[person] ?? { destinations: own, onlyAssigned: false };
  }

  async savePreferences(person: string, preferences: AlertPreferences): Promise<void> {
    await this.#edit((settings) => ok(setPreferences(settings, person, preferences)));
  }

  /** True if the link of a confirmation mail is valid. */
  async verifyAddress(link: SignedAddress): Promise<boolean> {
    await this.#requireReady();
    const { actionKey } = this.#parts.settings.get();
    return verifyAddressLink({ project: this.#parts.project, actionKey }, link, Date.now());
  }

  /** Confirms the address of a valid link, which gets alerts from now on. False for another one. */
  async confirmAddress(link: SignedAddress): Promise<boolean> {
    if (!(await this.verifyAddress(link))) return false;
    await this.#editKnown((settings) => confirmAddress(settings, link.address));
    return true;
  }

  /** Deletes the destinations and preferences of a person who is no longer a member. */
  async removePerson(person: string): Promise<void> {
    await this.#editKnown((settings) => removePerson(settings, person));
  }

  /** True if a link of a message asks for this action (`AlertedIssue.links`) and is still valid. */
  async verifyAction(action: SignedAction): Promise<boolean> {
    await this.#requireReady();
    const { actionKey } = this.#parts.settings.get();
    return verifyAction({ project: this.#parts.project, actionKey }, action, Date.now());
  }

  // Visitors.

  /** Takes the request of a visitor to be told of a fix. False over a limit. */
  async askForVisitor(request: VisitorRequest): Promise<boolean> {
    await this.#requireReady();
    const isTaken = this.#parts.visitors.ask(request);
    await this.#setAlarm();
    return isTaken;
  }

  /** The state of the request of a mailed link; null for another link. */
  async readVisitorLink(link: VisitorLink): Promise<VisitorLinkState | null> {
    return this.#parts.visitors.readLink(link);
  }

  /** The visitor of a valid link waits for the fix from now on. False for another link. */
  async confirmVisitor(link: VisitorLink): Promise<boolean> {
    await this.#requireReady();
    const isConfirmed = this.#parts.visitors.confirm(link);
    await this.#setAlarm();
    return isConfirmed;
  }

  /** Ends the request of a valid link, and deletes its address. False for another link. */
  async withdrawVisitor(link: VisitorLink): Promise<boolean> {
    await this.#requireReady();
    return this.#parts.visitors.withdraw(link);
  }

  // Trackers.

  async listTrackers(): Promise<readonly TrackerSummary[]> {
    await this.#requireReady();
    return this.#parts.trackers.desk.list();
  }

  /** Creates or replaces a connection to a tracker. `origin`: see `saveRule`. */
  saveTracker(id: string | undefined, input: TrackerInput, origin?: string): SavedOrRefused {
    return this.#changeTrackers((desk) => desk.save(id, input, origin));
  }

  /** Removes a connection and what waits for it. False if there is none. */
  removeTracker(id: string): Promise<boolean> {
    return this.#changeTrackers((desk) => desk.remove(id));
  }

  /** The new secret of the webhook of a tracker; undefined if its service creates it. */
  rotateTrackerSecret(id: string): Promise<string | undefined> {
    return this.#changeTrackers((desk) => desk.rotateSecret(id));
  }

  /** Reads the project from the tracker. Null if the connection is unknown. */
  checkTracker(id: string): Promise<TrackerCheck | null> {
    return this.#changeTrackers((desk) => desk.check(id));
  }

  /** Sends what waits for a tracker, or has failed. False if the connection is unknown. */
  sendToTracker(id: string): Promise<boolean> {
    return this.#changeTrackers((desk) => desk.sendAgain(id));
  }

  /** Creates an issue in a tracker, once; one that does not answer gets it later. */
  createTrackerIssue(digest: Digest, id: string, by: string | undefined): Promise<TrackerCreation> {
    return this.#changeTrackers((desk) => desk.createIssue(digest, id, by));
  }

  /** Reads the state of an issue in its tracker, at most once in ten minutes. */
  refreshTracker(issue: FollowedIssue): Promise<void> {
    return this.#changeTrackers((desk) => desk.refresh(issue));
  }

  /** Takes a webhook of a tracker. */
  receiveHook(id: string, delivery: HookDelivery): Promise<HookAnswer> {
    return this.#changeTrackers((desk) => desk.receiveHook(id, delivery));
  }

  async #changeTrackers<T>(change: (desk: TrackerDesk) => T | Promise<T>): Promise<T> {
    await this.#requireReady();
    const { desk, sender } = this.#parts.trackers;
    const result = await change(desk);
    if ((sender.getDueMs() ?? Infinity) <= Date.now())
      this.ctx.waitUntil(sender.run().then(() => this.#setAlarm()));
    await this.#setAlarm();
    return result;
  }

  // Lifecycle.

  protected override setAlarmBy(atMs: number): Promise<void> {
    return this.#parts.alarm.setBy(atMs);
  }

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  protected override async onAlarm(): Promise<void> {
    this.#parts.alarm.onFired();
    this.#isInAlarm = true;
    let retryMs: number | undefined;
    try {
      await this.#parts.settings.requireReady();
      this.#forgetDeleted();
      this.#parts.summaries.run();
      const checked = this.#parts.checks.run().then(() => this.#parts.sender.run());
      const { desk, sender } = this.#parts.trackers;
      const followed = sender.run().then(() => desk.run());
      const copied = this.#parts.copies.write({ isAlarm: true });
      const sent = this.#parts.settings.sendRules();
      const told = this.#parts.visitors.run();
      await Promise.all([copied, sent, this.#parts.sender.run(), checked, followed, told]);
    } catch (error) {
      console.warn("alerts: work failed, will retry", String(error));
      retryMs = Date.now() + RETRY_MS;
    }
    this.#isInAlarm = false;
    await this.#setAlarm(retryMs).catch((error: unknown) => {
      console.error("alerts: cannot set the alarm", String(error));
    });
  }

  /** Sets the alarm for the next work; not before `retryMs` after a failure. */
  async #setAlarm(retryMs = 0): Promise<void> {
    const copyMs = this.#parts.copies.getNextMs() ?? undefined;
    const rulesMs = this.#parts.settings.hasUnsentRules ? Date.now() : undefined;
    const forgetMs = this.#parts.tables.deletedDestinations.getDueMs();
    const { sender, checks, summaries, trackers, visitors } = this.#parts;
    const works = [sender, checks, summaries, trackers.sender, trackers.desk, visitors].map(
      (part) => part.getDueMs(),
    );
    for (const dueMs of [copyMs, rulesMs, forgetMs, ...works])
      if (dueMs !== undefined) await this.#parts.alarm.setBy(Math.max(dueMs, retryMs));
  }

  /**
   * Sets the alarm for new work. Messages wait neither for those of other destinations nor for the
   * other work of an alarm, which fires again only after it.
   */
  async #wake(): Promise<void> {
    await this.#setAlarm();
    if (this.#isInAlarm || this.#parts.sender.isBusy)
      this.ctx.waitUntil(this.#parts.sender.run().then(() => this.#setAlarm()));
  }

  /** Prepares a destination that was saved or enabled: queues what it missed while disabled. */
  #startAgain(id: string): void {
    const { destinations, deliveries } = this.#parts.tables;
    destinations.forgetFailures(id);
    deliveries.queueMissed(id, Date.now());
  }

  /** Rejects if the settings cannot be read from KV. */
  async #requireReady(): Promise<void> {
    await this.#parts.settings.requireReady();
    await this.#setAlarmOnce();
  }

  async #setAlarmOnce(): Promise<void> {
    if (this.#hasSetAlarm) return;
    this.#hasSetAlarm = true;
    await this.#setAlarm();
  }

  /** Stores the change that `edit` makes. */
  async #edit(
    edit: (settings: StoredSettings) => Result<AlertSettingsChange, AlertFailure>,
  ): Promise<Result<void, AlertFailure>> {
    await this.#requireReady();
    const settings = this.#parts.settings.get();
    const edited = edit(settings);
    const limited = edited.ok ? limitSize(settings, edited.value) : edited;
    if (!limited.ok) return limited;
    this.#parts.settings.change(limited.value);
    await this.#wake();
    return ok(undefined);
  }

  /** Stores the change that `edit` makes. False if `edit` finds nothing to change. */
  async #editKnown(
    edit: (settings: StoredSettings) => AlertSettingsChange | null,
  ): Promise<boolean> {
    let isKnown = false;
    await this.#edit((settings) => {
      const change = edit(settings);
      isKnown = change !== null;
      return ok(change ?? {});
    });
    return isKnown;
  }
}

function toNoticeReader(reader: InboxReader | undefined): NoticeReader | undefined {
  const { name, sinceMs = 0 } = reader ?? {};
  return name === undefined ? undefined : { name, sinceMs };
}
