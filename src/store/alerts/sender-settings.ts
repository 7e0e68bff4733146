/**
 * The settings of the object: rules, destinations, preferences and keys. KV has a copy, in which
 * the secrets are encrypted, as in the row. An object without settings restores them from it before
 * it answers.
 */
import { Buffer } from "node:buffer";
import { toAgentDestination } from "../../core/alerts/destinations/destinations.ts";
import type { AgentDestination } from "../../core/alerts/hand-off.ts";
import { type AlertRule, DEFAULT_RULE } from "../../core/alerts/rule.ts";
import type { CopyWriter } from "../kv/copy-writer.ts";
import { ALERT_SETTINGS_COPY, toCopyKey } from "../kv/keys.ts";
import { withTimeout } from "../with-timeout.ts";
import { createVapidKeys } from "./send/push-request.ts";
import {
  ALERT_SETTINGS,
  type SettingsTable,
  type StoredSettings,
} from "./tables/settings-table.ts";

const PUSH_TIMEOUT_MS = 5_000;

const FIRST_VERSION = 1;

/** What the index knows of the settings. The version increases with every change. */
export interface RuleSet {
  readonly version: number;
  readonly rules: readonly AlertRule[];
  /** The destinations that lead to agents. */
  readonly agents?: readonly AgentDestination[];
  /** The repository of prefilled issues that was set before version 5 of the data. */
  readonly repository?: string | undefined;
}

/** The parts of the settings that a change replaces. */
export type AlertSettingsChange = Partial<Omit<StoredSettings, "v" | "version">>;

export class SenderSettings {
  readonly #deps;
  readonly #key: string;
  #restoring: Promise<void> | null = null;
  #pushing: Promise<void> | null = null;

  constructor(deps: {
    readonly project: string;
    readonly table: SettingsTable;
    readonly copies: CopyWriter;
    /** Sends the rules to the index. */
    readonly pushRules: (rules: RuleSet) => Promise<void>;
  }) {
    this.#deps = deps;
    this.#key = toCopyKey(deps.project, ALERT_SETTINGS_COPY);
  }

  /**
   * Rejects while KV does not answer whether the project has settings. Encrypts the secrets that an
   * earlier release, or another key, stored.
   */
  async requireReady(): Promise<void> {
    const { table } = this.#deps;
    if (table.get() === undefined) await this.#restoreOnce();
    if (table.isOutdated) this.change({});
  }

  async #restoreOnce(): Promise<void> {
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
    const { version, rules, destinations, repository } = this.get();
    const agents = destinations.flatMap((one) => toAgentDestination(one) ?? []);
    return { version, rules, agents, repository };
  }

  change(change: AlertSettingsChange): void {
    const before = this.get();
    this.#deps.table.save({ ...before, ...change, version: before.version + 1 });
    this.#deps.copies.mark(ALERT_SETTINGS_COPY);
  }

  /** The copy in KV. Settings that nobody has changed have none. */
  toCopy(): { readonly key: string; readonly value: StoredSettings | null } {
    const { version } = this.get();
    const stored = this.#deps.table.getStored() ?? null;
    return { key: this.#key, value: version > FIRST_VERSION ? stored : null };
  }

  /** True if the index lacks the rules. */
  get hasUnsentRules(): boolean {
    const { table } = this.#deps;
    return (table.get()?.version ?? 0) !== table.getPushed();
  }

  /** Sends the rules to the index, also those that change meanwhile. Rejects if that fails. */
  sendRules(): Promise<void> {
    this.#pushing ??= this.#pushAll().finally(() => {
      this.#pushing = null;
    });
    return this.#pushing;
  }

  /** Resolves when KV and the index have the settings. Rejects if one of them fails. */
  async copy(): Promise<void> {
    const { copies } = this.#deps;
    await copies.write();
    if (copies.queue.count(1) > 0) throw new Error("KV lacks the alert settings");
    await this.sendRules();
  }

  async waitUntilIdle(): Promise<void> {
    await this.#deps.copies.waitForWrite();
    await this.#pushing?.catch(() => undefined);
  }

  /** Deletes the settings, here and in KV. Resolves to the key. Rejects if KV fails. */
  async wipe(): Promise<string> {
    const { table, copies } = this.#deps;
    // Fresh settings are stored so that no later call reads the copy that is being deleted.
    const fresh = await createSettings();
    await this.waitUntilIdle();
    table.wipe();
    table.save(fresh);
    table.setPushed(fresh.version);
    copies.mark(ALERT_SETTINGS_COPY);
    await this.copy();
    return this.#key;
  }

  async #restore(): Promise<void> {
    const { table, copies } = this.#deps;
    const copy = await copies.readCopy(this.#key, ALERT_SETTINGS);
    if (copy !== null) return table.restore(copy);
    const settings = await createSettings();
    table.save(settings);
    // The index of a project without settings has the default rule.
    table.setPushed(settings.version);
  }

  async #pushAll(): Promise<void> {
    const { table, pushRules } = this.#deps;
    while (this.hasUnsentRules) {
      const { version } = this.get();
      await withTimeout(pushRules(this.getRuleSet()), PUSH_TIMEOUT_MS);
      table.setPushed(version);
    }
  }
}

async function createSettings(): Promise<StoredSettings> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  return {
    ...({ v: 1, version: FIRST_VERSION } as const),
    rules: [DEFAULT_RULE],
    destinations: [],
    preferences: {},
    vapid: await createVapidKeys(),
    actionKey: Buffer.from(key).toString("base64url"),
  };
}
