/**
 * AlertSender: the Durable Object that sends the alerts of one project.
 *
 *     ProjectIndex ─▶ AlertIntake: each number once ─▶ inbox
 *                       └─▶ a message per destination, or a summary of many alerts
 *     alarm ─▶ MessageSender ─▶ render from the index ─▶ send ─▶ log, retry or give up
 *
 * It stores no reported text: it renders messages when it sends them. An object that lost its
 * storage restores the settings from KV. Its parts are composed in `alert-sender-parts.ts`.
 */
import type { Bindings } from "../../bindings.ts";
import { readAlertDelivery } from "../../config.ts";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { toTestPrefix } from "../../core/alerts/alert-message.ts";
import type { DeliveryResult } from "../../core/alerts/delivery-result.ts";
import type { Destination } from "../../core/alerts/destination.ts";
import { toConfirmedSettings } from "../../core/alerts/destination.ts";
import type { NumberedAlert } from "../../core/alerts/due-alert.ts";
import { summarizeDestination } from "../../core/alerts/kinds/kinds.ts";
import type { SummaryChoice } from "../../core/alerts/periods/summary-period.ts";
import type { AlertFailure, AlertPreferences } from "../../core/alerts/preferences.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type {
  AlertInbox,
  AlertMarks,
  AlertSettings,
  SignedAction,
  SignedAddress,
} from "../../core/ports/alerts-port.ts";
import { ok, type Result } from "../../core/result.ts";
import type { AlertErasure, AlertSenderRpc, RuleSet } from "../rpc/alerts-rpc.ts";
import { StoredObject } from "../sqlite/object.ts";
import { verifyAction, verifyAddressLink } from "./action-links.ts";
import { createAlertSenderParts } from "./alert-sender-parts.ts";
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
  setRepository,
  setSummary,
} from "./edit-settings.ts";
import { hasFailing, readHealth, readPause } from "./read-health.ts";
import type { AlertSettingsChange } from "./sender-settings.ts";
import { ALERT_SCHEMA } from "./tables/alert-schema.ts";
import type { StoredSettings } from "./tables/settings-table.ts";

const RETRY_MS = 5_000;
/** Messages on the page of the inbox. */
const LISTED_MESSAGES = 50;

/** One object per project, named by the project's id: `1`. */
export class AlertSender extends StoredObject implements AlertSenderRpc {
  readonly #created: ReturnType<typeof createAlertSenderParts> | undefined;
  #hasSetAlarm = false;
  #isInAlarm = false;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, ALERT_SCHEMA);
    if (this.isReady) this.#created = createAlertSenderParts(ctx, () => this.env, this.database);
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  // Calls of the index.

  async take(alerts: readonly NumberedAlert[], rulesVersion: number): Promise<RuleSet | null> {
    await this.#requireReady();
    const { version, rules } = this.#parts.settings.get();
    this.#parts.intake.take(alerts);
    await this.#wake();
    return rulesVersion === version ? null : { version, rules };
  }

  async erase(erasure: AlertErasure): Promise<void> {
    if ("digests" in erasure) return this.#parts.tables.eraseIssues(erasure.digests);
    const { text } = erasure;
    this.#parts.tables.eraseText(text);
    const isChanged = await this.#editKnown((settings) => eraseFromSettings(settings, text));
    // The erasure ends when KV and the index have the settings without the text.
    if (isChanged) await this.#parts.settings.copy();
  }

  async wipe(): Promise<readonly string[]> {
    this.#parts.tables.wipe();
    return [await this.#parts.settings.wipe()];
  }

  async waitUntilIdle(): Promise<void> {
    await this.#parts.sender.waitUntilIdle();
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
      ...omitUndefined({ origin, repository }),
    };
  }

  async saveRule(rule: AlertRule, origin: string): Promise<Result<void, AlertFailure>> {
    return this.#edit((settings) => putRule(settings, rule, origin));
  }

  async deleteRule(id: string): Promise<void> {
    await this.#edit((settings) => ok(removeRule(settings, id)));
  }

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

  async enableDestination(id: string, person?: string): Promise<boolean> {
    return this.#editKnown((settings) => {
      const change = enableDestination(settings, id, person);
      if (change !== null) this.#startAgain(id);
      return change;
    });
  }

  async setSummary(id: string, every: SummaryChoice, person?: string): Promise<boolean> {
    return this.#editKnown((settings) => setSummary(settings, id, every, person));
  }

  async rotateSecret(id: string, secret: string): Promise<boolean> {
    return this.#editKnown((settings) => rotateSecret(settings, id, secret, Date.now()));
  }

  async deleteDestination(id: string, undoId?: string): Promise<void> {
    const { tables } = this.#parts;
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

  async restoreDestination(undoId: string, person?: string): Promise<boolean> {
    await this.#requireReady();
    const { tables } = this.#parts;
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

  /** Deletes the messages to destinations whose deletion can no longer be undone. */
  #forgetDeleted(): void {
    const { tables } = this.#parts;
    tables.transaction(() => {
      for (const id of tables.deletedDestinations.takeExpired(Date.now()))
        tables.deliveries.removeDestination(id);
    });
  }

  async saveRepository(text: string, origin: string): Promise<Result<void, AlertFailure>> {
    return this.#edit(() => setRepository(text, origin));
  }

  async sendTest(destination: string): Promise<DeliveryResult | "too-many" | null> {
    await this.#requireReady();
    const known = this.#parts.settings.get().destinations.find(({ id }) => id === destination);
    if (known === undefined) return null;
    if (toConfirmedSettings(known) === null) {
      const isAsked = (await this.#parts.confirmations.ask(destination)) > 0;
      const asked = isAsked
        ? "Errata has sent the link again."
        : "Open the link in the mail first.";
      return { kind: "failed", answer: `The address is not confirmed. ${asked}` };
    }
    const sinceMs = Date.now() - alertLimits.testWindowMs;
    if (this.#parts.tables.countTests(this.#parts.project, sinceMs) >= alertLimits.maxTests)
      return "too-many";
    const id = this.#parts.tables.deliveries.add({
      ...{ destination, kind: "test", dueMs: Date.now() },
      message: `${toTestPrefix(this.#parts.project)}${crypto.randomUUID().slice(0, 8)}`,
      contents: { alerts: [], more: 0 },
    });
    return this.#parts.sender.sendNow(id);
  }

  async listDeliveries() {
    return this.#parts.tables.attempts.list().map(({ delayMs: _, ...attempt }) => attempt);
  }

  async listHeldBack() {
    return this.#parts.tables.held.list();
  }

  async sendAgain(message: string): Promise<boolean> {
    await this.#requireReady();
    const { deliveries, destinations } = this.#parts.tables;
    const queued = deliveries.sendAgain(message, Date.now());
    for (const id of queued) destinations.endPause(id);
    if (queued.length > 0) await this.#wake();
    return queued.length > 0;
  }

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

  async readInbox(person: string): Promise<AlertInbox> {
    await this.#requireReady();
    const alerts = this.#parts.tables.inbox.list(LISTED_MESSAGES);
    const messages = await this.#parts.renderer.renderEach(alerts);
    return { messages, ...(await this.readMarks(person)) };
  }

  async readMarks(person: string): Promise<AlertMarks> {
    const { tables } = this.#parts;
    // Every page asks, so this does not read the settings from KV if the object has none.
    const destinations = tables.settings.get()?.destinations ?? [];
    return {
      unread: tables.inbox.countUnread(person),
      isFailing: hasFailing(tables, destinations, person),
    };
  }

  async markRead(person: string, upTo: string): Promise<void> {
    this.#parts.tables.inbox.markRead(person, upTo);
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

  async verifyAddress(link: SignedAddress): Promise<boolean> {
    await this.#requireReady();
    const { actionKey } = this.#parts.settings.get();
    return verifyAddressLink({ project: this.#parts.project, actionKey }, link, Date.now());
  }

  async confirmAddress(link: SignedAddress): Promise<boolean> {
    if (!(await this.verifyAddress(link))) return false;
    await this.#editKnown((settings) => confirmAddress(settings, link.address));
    return true;
  }

  async removePerson(person: string): Promise<void> {
    await this.#editKnown((settings) => removePerson(settings, person));
  }

  async verifyAction(action: SignedAction): Promise<boolean> {
    await this.#requireReady();
    const { actionKey } = this.#parts.settings.get();
    return verifyAction({ project: this.#parts.project, actionKey }, action, Date.now());
  }

  // Lifecycle.

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  protected override async onAlarm(): Promise<void> {
    this.#parts.alarm.onFired();
    this.#isInAlarm = true;
    let retryMs: number | undefined;
    try {
      await this.#parts.settings.requireReady();
      this.#forgetDeleted();
      this.#parts.summaries.run();
      const copied = this.#parts.settings.isOutdated
        ? this.#parts.settings.copy()
        : Promise.resolve();
      const checked = this.#parts.checks.run().then(() => this.#parts.sender.run());
      await Promise.all([copied, this.#parts.sender.run(), checked]);
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
    const copyMs = this.#parts.settings.isOutdated ? Date.now() : undefined;
    const forgetMs = this.#parts.tables.deletedDestinations.getDueMs();
    const works = [this.#parts.sender, this.#parts.checks, this.#parts.summaries].map((part) =>
      part.getDueMs(),
    );
    for (const dueMs of [copyMs, forgetMs, ...works])
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
