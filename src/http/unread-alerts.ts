/**
 * How many alerts a person has not read, for the header. An isolate caches the number for a minute
 * and refreshes it after the response, so that no page waits.
 */
import type { AppContext } from "./context.ts";

const KEPT_MS = 60_000;
/** Maximum of people whose numbers an isolate caches. */
const MAX_KEPT = 1_000;

interface KnownCount {
  readonly atMs: number;
  readonly count: number;
}

/** Per client of the registry, of which an isolate has one. */
const countsByIsolate = new WeakMap<object, Map<string, KnownCount>>();

/** The cached number, or 0. Starts a refresh if the number is old. */
export function getUnreadAlerts(c: AppContext, person: string): number {
  const { alerts, nowMs, waitUntil } = c.get("services");
  const atMs = nowMs();
  const known = getCounts(c).get(toKey(c, person));
  if (known === undefined || atMs - known.atMs > KEPT_MS) {
    // The time also prevents later pages from asking while this call is pending.
    setUnreadAlerts(c, person, known?.count ?? 0);
    const refresh = alerts.countUnread(person).then((count) => setUnreadAlerts(c, person, count));
    waitUntil(refresh.catch(() => undefined));
  }
  return known?.count ?? 0;
}

/** Caches the number after the person has seen the inbox. */
export function setUnreadAlerts(c: AppContext, person: string, count: number): void {
  const counts = getCounts(c);
  if (counts.size >= MAX_KEPT) counts.clear();
  counts.set(toKey(c, person), { atMs: c.get("services").nowMs(), count });
}

function getCounts(c: AppContext): Map<string, KnownCount> {
  const { registry } = c.get("services");
  const counts = countsByIsolate.get(registry) ?? new Map<string, KnownCount>();
  countsByIsolate.set(registry, counts);
  return counts;
}

function toKey(c: AppContext, person: string): string {
  return `${c.get("project")} ${person}`;
}
