/**
 * The settings of the object: rules, destinations, preferences and keys. KV has a copy. An object
 * without settings restores them from it before it answers.
 */
import { Buffer } from "node:buffer";
import { toAgentDestination } from "../../core/alerts/destinations/destinations.ts";
import type { AgentDestination } from "../../core/alerts/hand-off.ts";
import { type AlertRule, DEFAULT_RULE } from "../../core/alerts/rule.ts";
import { toAlertSettingsKey } from "../kv/keys.ts";
import { withTimeout } from "../with-timeout.ts";
import { createVapidKeys } from "./send/push-request.ts";
import {
  ALERT_SETTINGS,
  type SettingsTable,
  type StoredSettings,
} from "./tables/settings-table.ts";

const KV_TIMEOUT_MS = 5_000;

/** What the index knows of the settings. The version increases with every change. */
export interface RuleSet {
  readonly version: number;
  readonly rules: readonly AlertRule[];
  /** The destinations that lead to agents. */
  readonly agents?: readonly AgentDestination[];
}

/** The parts of the settings that a change replaces. */
export type AlertSettingsChange = Partial<Omit<StoredSettings, "v" | "version">>;

export class SenderSettings {
  readonly #deps;
  #restoring: Promise<void> | null = null;
  #copying: Promise<void> | null = null;

  constructor(deps: {
    readonly project: string;
    readonly table: SettingsTable;
    readonly kv: () => KVNamespace;
    /** Sends the rules to the index. */
    readonly pushRules: (rules: RuleSet) => Promise<void>;
  }) {
    this.#deps = deps;
  }

  /** Rejects while KV does not answer whether the project has settings. */
  async requireReady(): Promise<void> {
    if (this.#deps.table.get() !== undefined) return;
    this.#restoring ??= this.#restore().finally(() => {
      this.#restoring = null;
    });
    await this.#restoring;
  }

  /** Call after `requireReady`. */
  get(): StoredSettings {
    const settings = this.#deps.table.get();
    if (settings === undefined) throw new Error("the alert settings are being read from KV");
    return settings;
  }

  /** What the index knows of the settings. */
  getRuleSet(): RuleSet {
    const { version, rules, destinations } = this.get();
    return { version, rules, agents: destinations.flatMap((one) => toAgentDestination(one) ?? []) };
  }

  change(change: AlertSettingsChange): void {
    const before = this.get();
    this.#deps.table.save({ ...before, ...change, version: before.version + 1 });
  }

  /** True if KV or the index lacks the settings. */
  get isOutdated(): boolean {
    const { table } = this.#deps;
    const version = table.get()?.version ?? 0;
    const { saved, pushed } = table.getCopies();
    return saved !== version || pushed !== version;
  }

  /** Writes the settings to KV and sends the rules to the index. Rejects if one of them fails. */
  copy(): Promise<void> {
    this.#copying ??= this.#copyAll().finally(() => {
      this.#copying = null;
    });
    return this.#copying;
  }

  async waitUntilIdle(): Promise<void> {
    await this.#copying?.catch(() => undefined);
  }

  /** Deletes the settings, here and in KV. Resolves to the key. */
  async wipe(): Promise<string> {
    const { project, table, kv } = this.#deps;
    const key = toAlertSettingsKey(project);
    // Fresh settings are stored so that no later call reads the record that is being deleted.
    const fresh = await createSettings();
    await this.waitUntilIdle();
    table.wipe();
    table.save(fresh, { isRecorded: true });
    table.setPushed(fresh.version);
    await withTimeout(kv().delete(key), KV_TIMEOUT_MS);
    return key;
  }

  async #restore(): Promise<void> {
    const { project, table, kv } = this.#deps;
    const record = await withTimeout(kv().get(toAlertSettingsKey(project), "json"), KV_TIMEOUT_MS);
    const settings = record === null ? await createSettings() : ALERT_SETTINGS.parse(record);
    table.save(settings, { isRecorded: true });
    // The index of a project without settings has the default rule.
    if (record === null) table.setPushed(settings.version);
  }

  /** The loop also copies changes that were made during a copy. */
  async #copyAll(): Promise<void> {
    while (this.isOutdated) await this.#copy();
  }

  async #copy(): Promise<void> {
    const { project, table, kv, pushRules } = this.#deps;
    const { version } = this.get();
    const { saved, pushed } = table.getCopies();
    if (saved !== version) {
      const value = ALERT_SETTINGS.encode(this.get());
      await withTimeout(kv().put(toAlertSettingsKey(project), value), KV_TIMEOUT_MS);
      table.setSaved(version);
    }
    if (pushed === version) return;
    await withTimeout(pushRules(this.getRuleSet()), KV_TIMEOUT_MS);
    table.setPushed(version);
  }
}

async function createSettings(): Promise<StoredSettings> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  return {
    ...({ v: 1, version: 1 } as const),
    rules: [DEFAULT_RULE],
    destinations: [],
    preferences: {},
    vapid: await createVapidKeys(),
    actionKey: Buffer.from(key).toString("base64url"),
  };
}
