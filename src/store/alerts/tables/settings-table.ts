/**
 * SQLite table of the settings, as one row. An object that lost its storage restores them from the
 * copy in KV. Synchronous.
 */
import type { Destination } from "../../../core/alerts/destinations/destinations.ts";
import type { AlertPreferences } from "../../../core/alerts/preferences.ts";
import type { AlertRule } from "../../../core/alerts/rule.ts";
import type { VapidKeys } from "../send/push-request.ts";

/** Everything that people configured, and the keys of the project. Stored (version 1). */
export interface StoredSettings {
  readonly v: 1;
  /** Increases with every change. */
  readonly version: number;
  readonly rules: readonly AlertRule[];
  readonly destinations: readonly Destination[];
  /** The preferences by the id of the person. */
  readonly preferences: Readonly<Record<string, AlertPreferences>>;
  /** The origin at which an owner last saved settings. */
  readonly origin?: string;
  /** The GitHub repository of the project: `owner/name`. */
  readonly repository?: string | undefined;
  readonly vapid: VapidKeys;
  /** Signs action links: 32 bytes, base64url. */
  readonly actionKey: string;
}

export class SettingsTable {
  readonly #sql: SqlStorage;
  #cached: StoredSettings | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  get(): StoredSettings | undefined {
    if (this.#cached !== undefined) return this.#cached;
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM settings");
    this.#cached = row === undefined ? undefined : (JSON.parse(row.body) as StoredSettings);
    return this.#cached;
  }

  /** Stores settings that KV and the index may lack. `isRecorded`: KV has them. */
  save(settings: StoredSettings, { isRecorded = false } = {}): void {
    this.#sql.exec(
      `INSERT INTO settings(id, body, saved_version, pushed_version) VALUES (1, ?1, ?2, 0)
       ON CONFLICT(id) DO UPDATE SET body = ?1`,
      JSON.stringify(settings),
      isRecorded ? settings.version : 0,
    );
    this.#cached = settings;
  }

  /** The versions of the settings that KV and the index have. */
  getCopies(): { readonly saved: number; readonly pushed: number } {
    const [row] = this.#sql.exec<{ saved: number; pushed: number }>(
      "SELECT saved_version AS saved, pushed_version AS pushed FROM settings",
    );
    return row ?? { saved: 0, pushed: 0 };
  }

  setSaved(version: number): void {
    this.#sql.exec("UPDATE settings SET saved_version = ?", version);
  }

  setPushed(version: number): void {
    this.#sql.exec("UPDATE settings SET pushed_version = ?", version);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM settings");
    this.#cached = undefined;
  }
}
