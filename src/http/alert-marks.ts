/**
 * The marks of alerts in the header: how many a person has not read, and whether some cannot be
 * delivered. An isolate caches them for a minute and refreshes them after the response, so that no
 * page waits. After a change in the project, which may tell a person something, it caches them for
 * some seconds only: the message takes a moment to arrive.
 */

import type { AlertMarks } from "../core/ports/alerts-port.ts";
import type { InboxPerson } from "../core/ports/inbox-reader.ts";
import type { Call } from "../operations/operation.ts";
import type { AppContext } from "./context.ts";

const KEPT_MS = 60_000;
const KEPT_AFTER_CHANGE_MS = 3_000;
/** Maximum of people whose marks an isolate caches. */
const MAX_KEPT = 1_000;

const NO_MARKS: AlertMarks = { unread: 0, unreadNotices: 0, isFailing: false };

interface KnownMarks extends AlertMarks {
  readonly atMs: number;
}

interface Cache {
  readonly marks: Map<string, KnownMarks>;
  /** When an operation last changed each project, by its id. */
  readonly changes: Map<string, number>;
}

/** Per client of the registry, of which an isolate has one. */
const cacheByIsolate = new WeakMap<object, Cache>();

/** The cached marks, or none. Starts a refresh if they are old. */
export function getAlertMarks(c: AppContext, { person, ...reader }: InboxPerson): AlertMarks {
  const { alerts, nowMs, waitUntil } = c.get("services");
  const atMs = nowMs();
  const { marks, changes } = getCache(c.get("services"));
  const known = marks.get(toKey(c, person));
  const isChanged = atMs - (changes.get(c.get("project")) ?? 0) <= KEPT_MS;
  const keptMs = isChanged ? KEPT_AFTER_CHANGE_MS : KEPT_MS;
  if (known === undefined || atMs - known.atMs > keptMs) {
    // The time also prevents later pages from asking while this call is pending.
    setMarks(c, person, known ?? NO_MARKS);
    const refresh = alerts.readMarks(person, reader).then((read) => setMarks(c, person, read));
    waitUntil(refresh.catch(() => undefined));
  }
  return known ?? NO_MARKS;
}

/** Caches what is known of the marks now. */
export function keepAlertMarks(c: AppContext, person: string, known: Partial<AlertMarks>): void {
  const { marks } = getCache(c.get("services"));
  setMarks(c, person, { ...(marks.get(toKey(c, person)) ?? NO_MARKS), ...known });
}

/** Notes that an operation changed the project. */
export function expectNewMarks({ services, project }: Pick<Call, "services" | "project">): void {
  const { changes } = getCache(services);
  if (changes.size >= MAX_KEPT) changes.clear();
  changes.set(project, services.nowMs());
}

function setMarks(c: AppContext, person: string, known: AlertMarks): void {
  const { unread, unreadNotices, isFailing } = known;
  const services = c.get("services");
  const { marks } = getCache(services);
  if (marks.size >= MAX_KEPT) marks.clear();
  marks.set(toKey(c, person), { atMs: services.nowMs(), unread, unreadNotices, isFailing });
}

function getCache({ registry }: Pick<Call["services"], "registry">): Cache {
  const cache = cacheByIsolate.get(registry) ?? { marks: new Map(), changes: new Map() };
  cacheByIsolate.set(registry, cache);
  return cache;
}

function toKey(c: AppContext, person: string): string {
  return `${c.get("project")} ${person}`;
}
