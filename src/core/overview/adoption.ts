/** Which releases of an application are in use: their sessions by day. Pure. */

import { getVersion } from "../release/application.ts";
import type { ReleaseSessions, ReleaseSummary } from "../release/release-summary.ts";
import { hasForeignSessions, MIN_RATED_SESSIONS } from "../stats/crash-free.ts";
import { DAY_MS, toUtcDay } from "../utc-time.ts";

/** Layers with names of their own; the others are one. */
const MAX_LAYERS = 3;

/** A release, or several older ones. */
export interface AdoptionLayer {
  readonly name: string;
  /** Sessions of each day, the oldest first. */
  readonly counts: readonly number[];
}

export interface Adoption {
  /** The UTC days, `2026-11-21`, today last. */
  readonly days: readonly string[];
  /** The newest release first. */
  readonly layers: readonly AdoptionLayer[];
  readonly total: number;
  /** The share of each release in the sessions of today; empty if they are too few. */
  readonly shares: ReadonlyMap<string, number>;
}

/** The UTC days up to today, the oldest first. */
function listDays(length: number, nowMs: number): readonly string[] {
  return Array.from({ length }, (_, n) => toUtcDay(nowMs - (length - 1 - n) * DAY_MS));
}

/** The sessions that started in the last UTC days, one of which is today. */
export function countSessionsOfDays(
  { days }: Pick<ReleaseSessions, "days">,
  length: number,
  nowMs: number,
): number {
  const counted = new Set(listDays(length, nowMs));
  return sum(days.map(([day, count]) => (counted.has(day) ? count : 0)));
}

/** The adoption over `length` days; `releases` are of one application, the newest first. */
export function createAdoption(
  releases: readonly ReleaseSummary[],
  nowMs: number,
  length: number,
): Adoption {
  const days = listDays(length, nowMs);
  const all = releases
    .map((release) => ({ release, counts: countByDay(release, days) }))
    .filter(({ counts }) => sum(counts) > 0);
  const named = all.slice(0, MAX_LAYERS);
  const older = all.slice(MAX_LAYERS);
  const layers = named.map(({ release, counts }) => ({ name: getVersion(release.name), counts }));
  const [only] = older;
  if (only !== undefined) {
    const counts = days.map((_, n) => sum(older.map((one) => one.counts[n] ?? 0)));
    layers.push({ name: older.length === 1 ? getVersion(only.release.name) : "Older", counts });
  }
  const today = sum(all.map(({ counts }) => counts.at(-1) ?? 0));
  const shares =
    today < MIN_RATED_SESSIONS
      ? []
      : all.map(({ release, counts }) => [release.name, (counts.at(-1) ?? 0) / today] as const);
  return { days, layers, total: sum(all.flatMap(({ counts }) => counts)), shares: new Map(shares) };
}

/** Omits sessions of strangers in a release of trusted senders. */
function countByDay(release: ReleaseSummary, days: readonly string[]): readonly number[] {
  const counted = new Map(hasForeignSessions(release) ? [] : (release.sessions?.days ?? []));
  return days.map((day) => counted.get(day) ?? 0);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** `27 %`; `<1 %` for a small share. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? "<1\u00a0%" : `${percent}\u00a0%`;
}
