/**
 * SQLite table of the settings, as one row with encrypted secrets. An object that lost its storage
 * restores them from the copy in KV, which is equal to the row. Synchronous.
 */
import * as v from "valibot";
import { destinationSchema } from "../../../core/alerts/destinations/destinations.ts";
import { type AlertPreferences, decodePreferences } from "../../../core/alerts/preferences.ts";
import { type AlertRule, decodeRule } from "../../../core/alerts/rule.ts";
import { defineStored } from "../../../core/schema/stored.ts";
import {
  checked,
  code,
  list,
  number,
  type StoredValue,
  storedObject,
  text,
  valuesByName,
  version1,
} from "../../../core/schema/stored-object.ts";
import { trackerSchema } from "../../../core/trackers/tracker.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { openSettings, sealSettings } from "../secrets/settings-secrets.ts";

/** Forms drop what they do not know. What is stored keeps it, and is only checked. */
const rule = checked<AlertRule>((value) => decodeRule(value).ok, "a rule");
const preferences = checked<AlertPreferences>(
  (value) => decodePreferences(value) !== null,
  "preferences",
);

/** Everything that people configured, and the keys of the project. Stored (version 1). */
export type StoredSettings = StoredValue<typeof settingsSchema>;
const settingsSchema = storedObject({
  v: version1,
  /** Increases with every change. */
  version: number,
  rules: list(rule),
  destinations: list(destinationSchema),
  /** The preferences by the id of the person. */
  preferences: valuesByName(code(), preferences),
  /** The origin at which an owner last saved settings. */
  origin: v.optional(text()),
  /**
   * The GitHub repository of prefilled issues: `owner/name`. The settings of repositories in the
   * index have it; this copy is for a rollback to a release that reads it here.
   */
  repository: v.optional(text()),
  /** The connections to trackers. */
  trackers: v.optional(list(trackerSchema)),
  /** `VapidKeys`. */
  vapid: storedObject({ publicKey: code(), privateKey: code() }),
  /** Signs action links: 32 bytes, base64url. */
  actionKey: code(),
});

/** The settings of a project, in their row and in KV. */
export const ALERT_SETTINGS = defineStored<StoredSettings>({
  name: "the record of alert settings",
  version: 1,
  schema: settingsSchema,
});

export class SettingsTable {
  readonly #sql: SqlStorage;
  readonly #box: SecretBox;
  readonly #nowMs: () => number;
  #cached: StoredSettings | undefined;
  #isOutdated = false;

  constructor(storage: DurableObjectStorage, box: SecretBox, nowMs: () => number) {
    this.#sql = storage.sql;
    this.#box = box;
    this.#nowMs = nowMs;
  }

  /** The settings with their secrets. */
  get(): StoredSettings | undefined {
    if (this.#cached !== undefined) return this.#cached;
    const stored = this.getStored();
    return stored === undefined ? undefined : this.#open(stored);
  }

  /** The settings as they are stored, for the copy in KV. */
  getStored(): StoredSettings | undefined {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM settings");
    return row === undefined ? undefined : ALERT_SETTINGS.parse(JSON.parse(row.body));
  }

  /** True if saving what `get` returns would store it in another way: see `openSettings`. */
  get isOutdated(): boolean {
    return this.get() !== undefined && this.#isOutdated;
  }

  /** Stores the copy of KV. */
  restore(copy: StoredSettings): void {
    const opened = this.#open(copy);
    const { isOutdated } = this;
    this.save(opened);
    this.#isOutdated = isOutdated;
  }

  #open(stored: StoredSettings): StoredSettings {
    const opened = openSettings(stored, this.#box, this.#nowMs());
    this.#cached = opened.settings;
    this.#isOutdated = opened.isOutdated;
    return opened.settings;
  }

  /** Stores settings whose rules the index may lack. */
  save(settings: StoredSettings): void {
    // An earlier release sees from `saved_version` that KV may lack them.
    this.#sql.exec(
      `INSERT INTO settings(id, body, saved_version, pushed_version) VALUES (1, ?1, 0, 0)
       ON CONFLICT(id) DO UPDATE SET body = ?1`,
      ALERT_SETTINGS.encode(sealSettings(settings, this.#box)),
    );
    this.#cached = settings;
    this.#isOutdated = false;
  }

  /** The version of the settings whose rules the index has. */
  getPushed(): number {
    const query = "SELECT pushed_version AS pushed FROM settings";
    return this.#sql.exec<{ pushed: number }>(query).toArray()[0]?.pushed ?? 0;
  }

  setPushed(version: number): void {
    this.#sql.exec("UPDATE settings SET pushed_version = ?", version);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM settings");
    this.#cached = undefined;
  }
}
