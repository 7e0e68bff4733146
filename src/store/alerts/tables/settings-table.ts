/**
 * SQLite table of the settings, as one row. An object that lost its storage restores them from the
 * copy in KV. Synchronous.
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
  /** The GitHub repository of the project: `owner/name`. */
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
  #cached: StoredSettings | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  get(): StoredSettings | undefined {
    if (this.#cached !== undefined) return this.#cached;
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM settings");
    this.#cached = row === undefined ? undefined : ALERT_SETTINGS.parse(JSON.parse(row.body));
    return this.#cached;
  }

  /** Stores settings whose rules the index may lack. */
  save(settings: StoredSettings): void {
    // An earlier release sees from `saved_version` that KV may lack them.
    this.#sql.exec(
      `INSERT INTO settings(id, body, saved_version, pushed_version) VALUES (1, ?1, 0, 0)
       ON CONFLICT(id) DO UPDATE SET body = ?1`,
      ALERT_SETTINGS.encode(settings),
    );
    this.#cached = settings;
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
