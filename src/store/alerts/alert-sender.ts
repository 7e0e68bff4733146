/**
 * AlertSender: the Durable Object that sends the alerts of one project.
 *
 *     ProjectIndex ─▶ AlertIntake: each number once ─▶ inbox
 *                       └─▶ a message per destination, or a summary of many alerts
 *     alarm ─▶ MessageSender ─▶ render from the index ─▶ send ─▶ log, retry or give up
 *
 * It stores no reported text: it renders messages when it sends them. An object that lost its
 * storage restores the settings from KV.
 */
import { DurableObject } from "cloudflare:workers";
import { type Bindings, readAlertDelivery, readStoreSettings } from "../../config.ts";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { DeliveryResult } from "../../core/alerts/delivery-result.ts";
import type { Destination } from "../../core/alerts/destination.ts";
import type { NumberedAlert } from "../../core/alerts/due-alert.ts";
import type { AlertFailure, AlertPreferences } from "../../core/alerts/preferences.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import { summarizeDestination } from "../../core/alerts/summarize-destination.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { AlertInbox, AlertSettings, SignedAction } from "../../core/ports/alerts-port.ts";
import type { SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { ok, type Result } from "../../core/result.ts";
import type { AlertErasure, AlertSenderRpc, ProjectFacts, RuleSet } from "../rpc/alerts-rpc.ts";
import { createRegistryStub, createSourceMapsStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import { verifyAction } from "./action-links.ts";
import {
  enableDestination,
  limitSize,
  putDestination,
  putRule,
  removeDestination,
  removeRule,
  rotateSecret,
  setPreferences,
  setRepository,
} from "./edit-settings.ts";
import { ProjectChecks } from "./project-checks.ts";
import { readHealth } from "./read-health.ts";
import { MessageRenderer } from "./render-delivery.ts";
import { type DeliveryContext, deliver } from "./send/deliver.ts";
import { MessageSender } from "./send-messages.ts";
import { SenderSettings, type SettingsChange } from "./sender-settings.ts";
import { AlertTables, toTestPrefix } from "./tables/alert-tables.ts";
import type { StoredSettings } from "./tables/settings-table.ts";
import { AlertIntake } from "./take-alerts.ts";

const RETRY_MS = 5_000;
/** Messages on the page of the inbox. */
const LISTED_MESSAGES = 50;

/** One object per project, named by the project's id: `1`. */
export class AlertSender extends DurableObject<Bindings> implements AlertSenderRpc {
  readonly #project: string;
  readonly #tables: AlertTables;
  readonly #alarm: SharedAlarm;
  readonly #settings: SenderSettings;
  readonly #intake: AlertIntake;
  readonly #renderer: MessageRenderer;
  readonly #sender: MessageSender;
  readonly #checks: ProjectChecks;
  #hasSetAlarm = false;
  /** The writes of deliveries to the index. */
  #recording: Promise<unknown> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const project = ctx.id.name ?? "";
    const { location } = readStoreSettings(env);
    const { origin, isLocalOpen } = readAlertDelivery(env);
    const stubOptions = { project, ...omitUndefined({ location }) };
    const index = () => createStubs(this.env, stubOptions).index();
    this.#project = project;
    this.#tables = new AlertTables(ctx.storage);
    this.#alarm = new SharedAlarm(ctx.storage, Date.now);
    this.#settings = new SenderSettings({
      project,
      table: this.#tables.settings,
      kv: () => this.env.KV,
      pushRules: (rules) => index().setAlertRules(rules),
    });
    this.#intake = new AlertIntake({
      project,
      tables: this.#tables,
      settings: this.#settings,
      nowMs: Date.now,
      createId: () => crypto.randomUUID(),
    });
    this.#renderer = new MessageRenderer({
      project,
      settings: this.#settings,
      ...{ origin, isLocalOpen },
      readIssues: async (digests) =>
        (await index().readAlertedIssues(digests)) as readonly (Issue | null)[],
      readRegistry: async () => createRegistryStub(this.env, location).readIfNewer(-1),
      nowMs: Date.now,
    });
    this.#checks = new ProjectChecks({
      table: this.#tables.checks,
      getRules: () => this.#settings.get().rules,
      readFacts: async () => (await index().readProjectFacts()) as ProjectFacts,
      readUploads: async () =>
        (await createSourceMapsStub(this.env, stubOptions).summarize()) as SourceMapSummary,
      addAlerts: (triggers, remember) => this.#intake.addProjectAlerts(triggers, remember),
      nowMs: Date.now,
    });
    this.#sender = new MessageSender({
      tables: this.#tables,
      settings: this.#settings,
      render: (delivery, destination) => this.#renderer.renderFor(delivery, destination),
      deliver: ({ settings }, message) => deliver(settings, message, this.#createDelivery()),
      onDelivered: (destination, message, atMs) => {
        const digests = message.issues.map(({ digest }) => digest);
        // Other members do not see the names of personal destinations.
        if (digests.length === 0 || destination.person !== undefined) return;
        const sent = { atMs, message: message.id, to: [destination.name] };
        const recorded = index()
          .recordSentAlert(digests, sent)
          .catch((error: unknown) => console.warn("alerts: delivery not recorded", String(error)));
        this.#recording = Promise.all([this.#recording, recorded]);
      },
      onDisabled: (destination) => this.#intake.addDisabled(destination),
      nowMs: Date.now,
      random: Math.random,
    });
  }

  // Calls of the index.

  async take(alerts: readonly NumberedAlert[], rulesVersion: number): Promise<RuleSet | null> {
    await this.#requireReady();
    const { version, rules } = this.#settings.get();
    this.#intake.take(alerts);
    await this.#wake();
    return rulesVersion === version ? null : { version, rules };
  }

  async erase(erasure: AlertErasure): Promise<void> {
    if ("text" in erasure) this.#tables.eraseText(erasure.text);
    else this.#tables.eraseIssues(erasure.digests);
  }

  async wipe(): Promise<readonly string[]> {
    this.#tables.wipe();
    return [await this.#settings.wipe()];
  }

  async waitUntilIdle(): Promise<void> {
    await this.#sender.waitUntilIdle();
    await this.#recording;
    await this.#settings.waitUntilIdle();
  }

  // Settings.

  async readSettings(): Promise<AlertSettings> {
    await this.#requireReady();
    const { rules, destinations, vapid, origin, repository } = this.#settings.get();
    return {
      rules,
      destinations: destinations.map(summarizeDestination),
      pushKey: vapid.publicKey,
      health: readHealth(this.#tables, Date.now()),
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
    return this.#edit((settings) => {
      const edited = putDestination(settings, destination, allowedTargets, origin);
      if (edited.ok) this.#tables.destinations.forgetFailures(destination.id);
      return edited;
    });
  }

  async enableDestination(id: string, person?: string): Promise<boolean> {
    return this.#editKnown((settings) => {
      const change = enableDestination(settings, id, person);
      if (change !== null) this.#tables.destinations.forgetFailures(id);
      return change;
    });
  }

  async rotateSecret(id: string, secret: string): Promise<boolean> {
    return this.#editKnown((settings) => rotateSecret(settings, id, secret, Date.now()));
  }

  async deleteDestination(id: string): Promise<void> {
    await this.#edit((settings) => {
      this.#tables.transaction(() => {
        this.#tables.deliveries.removeDestination(id);
        this.#tables.destinations.remove(id);
      });
      return ok(removeDestination(settings, id));
    });
  }

  async saveRepository(text: string, origin: string): Promise<Result<void, AlertFailure>> {
    return this.#edit(() => setRepository(text, origin));
  }

  async sendTest(destination: string): Promise<DeliveryResult | "too-many" | null> {
    await this.#requireReady();
    const isKnown = this.#settings.get().destinations.some(({ id }) => id === destination);
    if (!isKnown) return null;
    const sinceMs = Date.now() - alertLimits.testWindowMs;
    if (this.#tables.countTests(this.#project, sinceMs) >= alertLimits.maxTests) return "too-many";
    const id = this.#tables.deliveries.add({
      ...{ destination, kind: "test", dueMs: Date.now() },
      message: `${toTestPrefix(this.#project)}${crypto.randomUUID().slice(0, 8)}`,
      contents: { alerts: [], more: 0 },
    });
    return this.#sender.sendNow(id);
  }

  async listDeliveries() {
    return this.#tables.attempts.list().map(({ delayMs: _, ...attempt }) => attempt);
  }

  async listHeldBack() {
    return this.#tables.held.list();
  }

  async sendAgain(message: string): Promise<boolean> {
    await this.#requireReady();
    const isKnown = this.#tables.deliveries.sendAgain(message, Date.now());
    if (isKnown) await this.#wake();
    return isKnown;
  }

  // The alerts of each person.

  async readInbox(person: string): Promise<AlertInbox> {
    await this.#requireReady();
    const alerts = this.#tables.inbox.list(LISTED_MESSAGES);
    const messages = await this.#renderer.renderEach(alerts);
    return { messages, unread: this.#tables.inbox.countUnread(person) };
  }

  async countUnread(person: string): Promise<number> {
    return this.#tables.inbox.countUnread(person);
  }

  async markRead(person: string, upTo: string): Promise<void> {
    this.#tables.inbox.markRead(person, upTo);
  }

  async readPreferences(person: string): Promise<AlertPreferences> {
    await this.#requireReady();
    const { preferences, destinations } = this.#settings.get();
    const own = destinations.filter((one) => one.person === person).map(({ id }) => id);
    return preferences[person] ?? { destinations: own, onlyAssigned: false };
  }

  async savePreferences(person: string, preferences: AlertPreferences): Promise<void> {
    await this.#edit((settings) => ok(setPreferences(settings, person, preferences)));
  }

  async verifyAction(action: SignedAction): Promise<boolean> {
    await this.#requireReady();
    const { actionKey } = this.#settings.get();
    return verifyAction({ project: this.#project, actionKey }, action, Date.now());
  }

  // Lifecycle.

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  override async alarm(): Promise<void> {
    this.#alarm.onFired();
    let retryMs: number | undefined;
    try {
      await this.#settings.requireReady();
      const copied = this.#settings.isOutdated ? this.#settings.copy() : Promise.resolve();
      const checked = this.#checks.run().then(() => this.#sender.run());
      await Promise.all([copied, this.#sender.run(), checked]);
    } catch (error) {
      console.warn("alerts: work failed, will retry", String(error));
      retryMs = Date.now() + RETRY_MS;
    }
    await this.#setAlarm(retryMs).catch((error: unknown) => {
      console.error("alerts: cannot set the alarm", String(error));
    });
  }

  /** Sets the alarm for the next work; not before `retryMs` after a failure. */
  async #setAlarm(retryMs = 0): Promise<void> {
    const copyMs = this.#settings.isOutdated ? Date.now() : undefined;
    for (const dueMs of [copyMs, this.#sender.getDueMs(), this.#checks.getDueMs()])
      if (dueMs !== undefined) await this.#alarm.setBy(Math.max(dueMs, retryMs));
  }

  /** Sets the alarm for new work. Messages do not wait for those of other destinations. */
  async #wake(): Promise<void> {
    await this.#setAlarm();
    if (this.#sender.isBusy) this.ctx.waitUntil(this.#sender.run().then(() => this.#setAlarm()));
  }

  /** Rejects if the settings cannot be read from KV. */
  async #requireReady(): Promise<void> {
    await this.#settings.requireReady();
    if (this.#hasSetAlarm) return;
    this.#hasSetAlarm = true;
    await this.#setAlarm();
  }

  /** Stores the change that `edit` makes. */
  async #edit(
    edit: (settings: StoredSettings) => Result<SettingsChange, AlertFailure>,
  ): Promise<Result<void, AlertFailure>> {
    await this.#requireReady();
    const settings = this.#settings.get();
    const edited = edit(settings);
    const limited = edited.ok ? limitSize(settings, edited.value) : edited;
    if (!limited.ok) return limited;
    this.#settings.change(limited.value);
    await this.#wake();
    return ok(undefined);
  }

  /** Stores the change that `edit` makes. False if `edit` finds nothing to change. */
  async #editKnown(edit: (settings: StoredSettings) => SettingsChange | null): Promise<boolean> {
    let isKnown = false;
    await this.#edit((settings) => {
      const change = edit(settings);
      isKnown = change !== null;
      return ok(change ?? {});
    });
    return isKnown;
  }

  #createDelivery(): DeliveryContext {
    const { vapid, origin: savedOrigin } = this.#settings.get();
    const { origin = savedOrigin, ...configured } = readAlertDelivery(this.env);
    const ownHost = origin === undefined ? undefined : new URL(origin).host;
    const call: typeof fetch = (input, init) => fetch(input, init);
    return { ...configured, fetch: call, nowMs: Date.now(), vapid, ...omitUndefined({ ownHost }) };
  }
}
