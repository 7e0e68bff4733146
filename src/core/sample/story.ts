/**
 * The sample data as a story: bodies as real clients send them, in the order in which they are sent, and what people decided
 * between them. All of it says the environment `sample`. It begins fourteen days ago and ends now.
 */
import type { Choice } from "../decision.ts";
import { SAID, type SampleBody } from "./body.ts";
import { Chance } from "./chance.ts";
import { eventOf, eventsOf, type SampleEvent } from "./events.ts";
import { FAULTS } from "./faults.ts";
import { policyReports, type SampleReport } from "./policies.ts";
import { RELEASES } from "./shop.ts";
import { feedbackOf, shownTo } from "./voices.ts";

/** What somebody decided about a fault once its reports were there. */
export interface SampleDecision {
  readonly fault: string;
  readonly choice: Choice;
}

const WEEK_MS = 7 * 86_400_000;
const EVENTS_PER_BODY = 60;

/** Everything up to the decisions; the same for the same `nowMs` and `seed`. Ids come from the seed: with another they are others. */
export function sampleBodies(nowMs: number, seed: string): readonly SampleBody[] {
  const chance = new Chance(seed);
  // The newest first: of what comes at once a log keeps the first bodies, and those who look want the last.
  const events = FAULTS.flatMap((fault) => eventsOf(fault, nowMs, chance)).sort(
    (a, b) => b.atMs - a.atMs,
  );
  const prices = events.filter(({ fault }) => fault === "price").slice(0, 3);
  return [
    ...inPieces(events).map(envelopeOf),
    ...uploadsOf(policyReports(chance)),
    ...prices.flatMap((event) => shownTo(event, chance)),
    feedbackOf(prices, chance),
  ];
}

/** What people decided about them. */
export const SAMPLE_DECISIONS: readonly SampleDecision[] = [
  { fault: "quota", choice: { state: "resolved", release: "shop@2.4.0" } },
  { fault: "delivery", choice: { state: "resolved", release: "shop@2.3.0" } },
  { fault: "film", choice: { state: "ignored", forMs: WEEK_MS } },
  { fault: "pixel", choice: { state: "muted" } },
];

/** What came after the decisions, at `nowMs`: a fault that had been resolved is back in a later release. */
export function sampleReturn(nowMs: number, seed: string): SampleBody {
  const chance = new Chance(`${seed} return`);
  const fault = FAULTS.filter(({ name }) => name === "delivery");
  const atMs = nowMs + 1_000;
  return envelopeOf(
    fault.map((back) => ({
      fault: back.name,
      atMs,
      payload: eventOf(back, { atMs, days: 0 }, chance),
    })),
  );
}

function inPieces(events: readonly SampleEvent[]): readonly (readonly SampleEvent[])[] {
  const pieces = Math.ceil(events.length / EVENTS_PER_BODY);
  return Array.from({ length: pieces }, (_, nth) =>
    events.slice(nth * EVENTS_PER_BODY, (nth + 1) * EVENTS_PER_BODY),
  );
}

function envelopeOf(events: readonly SampleEvent[]): SampleBody {
  const items = events.map(({ payload }) => `{"type":"event"}\n${JSON.stringify(payload)}\n`);
  return { text: `{}\n${items.join("")}`, faults: events.map(({ fault }) => fault), said: SAID };
}

/** One upload a release: the browser's own reports say none, and the address says it for all of them. */
function uploadsOf(reports: readonly SampleReport[]): readonly SampleBody[] {
  return RELEASES.flatMap(({ name: release }) => {
    const of = reports.filter((report) => report.release === release);
    const text = JSON.stringify(of.map(({ payload }) => payload));
    const faults = of.map(({ fault }) => fault);
    return of.length === 0 ? [] : [{ text, faults, said: { ...SAID, release } }];
  });
}
