// The reports of a large project: variations of the errors of the sample data (src/core/sample).

import { SAMPLE_ERRORS } from "../../src/core/sample/sample-errors.ts";
import type { SampleError } from "../../src/core/sample/sample-shop.ts";
import type { SeededRandom } from "../../src/core/sample/seeded-random.ts";
import { createEvents } from "../../src/core/sample/sentry-events.ts";

/** The two words of a name distinguish the errors. */
const AREAS = [
  ...["cart", "checkout", "orders", "search", "account", "reviews", "stock", "mail", "invoice"],
  ...["export", "login", "media", "prices", "labels", "gifts", "routes", "maps", "feeds", "chat"],
  "forms",
];
const THINGS = [
  ...["price", "address", "voucher", "session", "customer", "parcel", "receipt", "image", "token"],
  ...["filter", "locale", "country", "variant", "supplier", "template", "currency", "deadline"],
  ...["signature", "attachment", "quantity", "warehouse", "refund", "calendar", "profile"],
  "permission",
];
export const MAX_ISSUES = AREAS.length * THINGS.length;
const RELEASES = ["4.0.0", "4.1.0", "4.1.1", "4.2.0", "4.3.0", "4.3.1", "4.4.0", "5.0.0"];
/** Errata replaces the time of a report that is older than 30 days. */
const DAYS = 29.9;
const DAY_MS = 86_400_000;
const EVENTS_PER_ENVELOPE = 50;

/**
 * The envelopes of `reports` events in `issues` issues, the oldest first. Grouping, releases and
 * environments are those of a real project, not the sample's.
 */
export function createProject(
  { reports, issues }: { reports: number; issues: number },
  nowMs: number,
  random: SeededRandom,
): string[] {
  const events = distributeReports(reports, issues)
    .flatMap((count, nth) => createEvents(createFault(nth, count, random), nowMs, random))
    .sort((a, b) => a.atMs - b.atMs);
  const items = events.map(({ atMs, payload }) => {
    const age = Math.min(0.999, (nowMs - atMs) / DAY_MS / DAYS);
    const release = `shop@${RELEASES[Math.floor((1 - age) * (RELEASES.length - 0.001))]}`;
    const environment = random.nextFloat() < 0.9 ? "production" : "staging";
    const event = { ...payload, release, environment, fingerprint: undefined };
    return `{"type":"event"}\n${JSON.stringify(event)}\n`;
  });
  return Array.from({ length: Math.ceil(items.length / EVENTS_PER_ENVELOPE) }, (_, nth) => {
    const begin = nth * EVENTS_PER_ENVELOPE;
    return `{}\n${items.slice(begin, begin + EVENTS_PER_ENVELOPE).join("")}`;
  });
}

/** The number of reports of each error: a few are frequent, most are rare. */
function distributeReports(reports: number, issues: number): number[] {
  const weights = Array.from({ length: issues }, (_, nth) => 1 / (nth + 3));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const perWeight = (reports - issues) / sum(weights);
  const [first = 0, ...others] = weights.map((weight) => 1 + Math.floor(weight * perWeight));
  // The most frequent error gets the rest from rounding.
  return [first + reports - sum([first, ...others]), ...others];
}

/** A variation of one of the sample's errors. */
function createFault(nth: number, eventCount: number, random: SeededRandom): SampleError {
  const original = SAMPLE_ERRORS[nth % SAMPLE_ERRORS.length] as SampleError;
  const area = AREAS[nth % AREAS.length] as string;
  const thing = THINGS[Math.floor(nth / AREAS.length) % THINGS.length] as string;
  const [first, ...callers] = original.frames;
  const [, file, line = 0, column = 0] = first ?? [];
  const called = `${area}${thing.slice(0, 1).toUpperCase()}${thing.slice(1)}`;
  const folder = file?.startsWith("http") ? file.replace(/[^/]*$/, "") : "app/";
  const began = random.nextFloat();
  const fromDays =
    began < 0.2 ? 0.2 + 3 * random.nextFloat() : DAYS * (0.4 + 0.6 * random.nextFloat());
  return {
    ...original,
    name: called,
    message: `${original.message} (${thing} of ${area})`,
    route: `/${area}/[id]`,
    paths: [`/${area}/${1000 + nth}`, `/${area}/${2000 + nth}`],
    frames: [[called, `${folder}${area}/${thing}.ts`, line + nth, column], ...callers],
    eventCount,
    fromDays,
    toDays: began > 0.8 ? fromDays * 0.5 * random.nextFloat() : 0,
  };
}
