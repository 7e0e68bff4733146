/**
 * The marks of alerts in the header: how many a person has not read, and whether some cannot be
 * delivered. An isolate caches them for a minute and refreshes them after the response, so that no
 * page waits.
 */

import type { AlertMarks } from "../core/ports/alerts-port.ts";
import type { InboxPerson } from "../core/ports/inbox-reader.ts";
import type { AppContext } from "./context.ts";

const KEPT_MS = 60_000;
/** Maximum of people whose marks an isolate caches. */
const MAX_KEPT = 1_000;

const NO_MARKS: AlertMarks = { unread: 0, unreadNotices: 0, isFailing: false };

interface KnownMarks extends AlertMarks {
  readonly atMs: number;
}

/** Per client of the registry, of which an isolate has one. */
const marksByIsolate = new WeakMap<object, Map<string, KnownMarks>>();

/** The cached marks, or none. Starts a refresh if they are old. */
export function getAlertMarks(c: AppContext, { person, ...reader }: InboxPerson): AlertMarks {
  const { alerts, nowMs, waitUntil } = c.get("services");
  const atMs = nowMs();
  const known = getCache(c).get(toKey(c, person));
  if (known === undefined || atMs - known.atMs > KEPT_MS) {
    // The time also prevents later pages from asking while this call is pending.
    setMarks(c, person, known ?? NO_MARKS);
    const refresh = alerts.readMarks(person, reader).then((marks) => setMarks(c, person, marks));
    waitUntil(refresh.catch(() => undefined));
  }
  return known ?? NO_MARKS;
}

/** Caches what is known of the marks now. */
export function keepAlertMarks(c: AppContext, person: string, known: Partial<AlertMarks>): void {
  setMarks(c, person, { ...(getCache(c).get(toKey(c, person)) ?? NO_MARKS), ...known });
}

function setMarks(c: AppContext, person: string, known: AlertMarks): void {
  const { unread, unreadNotices, isFailing } = known;
  const marks = getCache(c);
  if (marks.size >= MAX_KEPT) marks.clear();
  marks.set(toKey(c, person), {
    atMs: c.get("services").nowMs(),
    unread,
    unreadNotices,
    isFailing,
  });
}

function getCache(c: AppContext): Map<string, KnownMarks> {
  const { registry } = c.get("services");
  const marks = marksByIsolate.get(registry) ?? new Map<string, KnownMarks>();
  marksByIsolate.set(registry, marks);
  return marks;
}

function toKey(c: AppContext, person: string): string {
  return `${c.get("project")} ${person}`;
}
