/**
 * SQLite table of daily caps: the used amount of each cap per UTC day. A restart does not reset it.
 * Synchronous.
 */
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("daily_cap", ["day", "name"], ["used"]);

/** The name of a cap on public reports, or on page reports. */
type CapName =
  | ("issue" | "alias" | "facet" | "spool" | "alert" | "row" | "gathered-row" | "wide-issue")
  | ("page-issue" | "page-alias" | "page-facet" | "page-spool")
  // Public reports of one network, by its hash (`network-sketch.ts`).
  | `network-${string}`
  // Hand-offs to the agent of a destination, by its id.
  | `hand-off-${string}`;

export class DailyCapTable {
  readonly #sql: SqlStorage;
  /** A copy of recently read rows: checking a used-up cap reads no row. */
  readonly #used = new Map<string, CapUsage>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /**
   * Takes up to `wanted` of the rest of `max` for the day; returns the number it took. Call `save`
   * afterwards.
   */
  take(day: string, name: CapName, max: number, wanted = 1): number {
    const usage = this.#getUsage(day, name);
    const taken = Math.max(0, Math.min(wanted, max - usage.used));
    usage.used += taken;
    return taken;
  }

  /** Adds to the used amount of a cap that is not refused. Call `save` afterwards. */
  add(day: string, name: CapName, amount: number): void {
    this.#getUsage(day, name).used += amount;
  }

  /** True if the day has a rest of `max`. */
  hasRoom(day: string, name: CapName, max: number): boolean {
    return this.getUsed(day, name) < max;
  }

  getUsed(day: string, name: CapName): number {
    return this.#getUsage(day, name).used;
  }

  /** Writes the used amounts: one row per changed cap. */
  save(): void {
    for (const usage of this.#used.values()) {
      if (usage.used === usage.savedUsed) continue;
      this.#sql.exec(SAVE, usage.day, usage.name, usage.used);
      usage.savedUsed = usage.used;
    }
  }

  /** Deletes the days before `day`, and the caps of networks before `today`. */
  deleteExpired(day: string, today: string): void {
    const isOfNetwork = "name > 'network-' AND name < 'network.'";
    const query = `DELETE FROM daily_cap WHERE day < ? OR (day < ? AND ${isOfNetwork})`;
    this.#sql.exec(query, day, today);
    this.#used.clear();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#used.clear();
  }

  #getUsage(day: string, name: CapName): CapUsage {
    const cached = this.#used.get(`${day} ${name}`);
    if (cached !== undefined) return cached;
    if (this.#used.size >= MAX_CACHED_ROWS) {
      this.save();
      this.#used.clear();
    }
    const query = "SELECT used FROM daily_cap WHERE day = ? AND name = ?";
    const [row] = this.#sql.exec<{ used: number }>(query, day, name);
    const used = row?.used ?? 0;
    const usage = { day, name, used, savedUsed: used };
    this.#used.set(`${day} ${name}`, usage);
    return usage;
  }
}

interface CapUsage {
  readonly day: string;
  readonly name: CapName;
  used: number;
  savedUsed: number;
}

const MAX_CACHED_ROWS = 100;
