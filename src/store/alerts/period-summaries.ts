/**
 * Queues the summaries of days and weeks that destinations ask for. The message and the time of the
 * next one are stored in one transaction, so that each period has one message, whenever the object
 * stops. After an outage of several periods, only the last one has a message.
 */
import {
  type Destination,
  toConfirmedSettings,
} from "../../core/alerts/destinations/destinations.ts";
import { findQuietHoursEnd } from "../../core/alerts/local-hours.ts";
import {
  findLastPeriod,
  findNextSummaryMs,
  type SummaryPeriod,
} from "../../core/alerts/periods/summary-period.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";
import type { NextSummary } from "./tables/summary-table.ts";

/** A destination that asks for summaries. */
type AskingDestination = Destination & { readonly summaryEvery: SummaryPeriod };

export class PeriodSummaries {
  readonly #deps;

  constructor(deps: {
    readonly project: string;
    readonly tables: AlertTables;
    readonly settings: Pick<SenderSettings, "get">;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** When `run` is due, ms; undefined if no destination asks for a summary. */
  getDueMs(): number | undefined {
    const { tables, nowMs } = this.#deps;
    const known = tables.summaries.list();
    const asking = this.#listAsking();
    const isPlanned = asking.every((one) => known.some((next) => isFor(next, one)));
    if (!isPlanned || known.length !== asking.length) return nowMs();
    return known.length === 0 ? undefined : Math.min(...known.map(({ dueMs }) => dueMs));
  }

  /** Queues what is due. A destination that asks for the first time gets the next period. */
  run(): void {
    const { tables, nowMs } = this.#deps;
    const atMs = nowMs();
    if ((this.getDueMs() ?? Infinity) > atMs) return;
    tables.transaction(() => {
      const known = tables.summaries.list();
      const asking = this.#listAsking();
      for (const { destination } of known)
        if (asking.every(({ id }) => id !== destination)) tables.summaries.remove(destination);
      for (const destination of asking) {
        const { id, summaryEvery: every } = destination;
        const next = known.find((one) => isFor(one, destination));
        if (next !== undefined && next.dueMs > atMs) continue;
        if (next !== undefined) this.#queue(destination, atMs);
        tables.summaries.save({ destination: id, every, dueMs: findNextSummaryMs(every, atMs) });
      }
    });
  }

  #listAsking(): readonly AskingDestination[] {
    // The settings may still have to be read from KV.
    const destinations = this.#deps.tables.settings.get()?.destinations ?? [];
    return destinations.filter((one): one is AskingDestination => one.summaryEvery !== undefined);
  }

  /** Queues the summary of the last period, unless the destination gets no messages now. */
  #queue(destination: AskingDestination, atMs: number): void {
    const { project, tables, settings } = this.#deps;
    const { id, person, summaryEvery: every } = destination;
    const own = person === undefined ? undefined : settings.get().preferences[person];
    const isUsed = own === undefined || own.destinations.includes(id);
    const isReachable = toConfirmedSettings(destination) !== null;
    if (destination.disabled !== undefined || !isUsed || !isReachable) return;
    const range = findLastPeriod(every, atMs);
    const quietHours = own?.quietHours;
    tables.deliveries.add({
      destination: id,
      kind: "period",
      message: `${every}_${project}_${toUtcDay(range.fromMs)}`,
      contents: { alerts: [], more: 0, period: { every, ...range } },
      dueMs: quietHours === undefined ? atMs : findQuietHoursEnd(quietHours, atMs),
    });
  }
}

function isFor({ destination, every }: NextSummary, { id, summaryEvery }: AskingDestination) {
  return destination === id && every === summaryEvery;
}
