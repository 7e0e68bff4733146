/**
 * The sample data in order: request bodies as real clients send them, then decisions, then a
 * regression. All reports have the environment `sample`. They start fourteen days ago and end now.
 */
import type { DecisionInput } from "../issue/decision.ts";
import { createBrowserReports, type SampleBrowserReport } from "./sample-browser-reports.ts";
import { SAMPLE_ERRORS } from "./sample-errors.ts";
import { createFeedbackPayload, createNoticePayloads } from "./sample-feedback.ts";
import { SAMPLE_DEFAULTS, type SamplePayload } from "./sample-payload.ts";
import { createSessionPayload } from "./sample-sessions.ts";
import { SHOP_RELEASES } from "./sample-shop.ts";
import { SeededRandom } from "./seeded-random.ts";
import { createEvent, createEvents, type SampleEvent } from "./sentry-events.ts";

/** A decision about an error, made after its reports arrived. */
interface SampleDecision {
  readonly errorName: string;
  readonly input: DecisionInput;
}

const WEEK_MS = 7 * 86_400_000;
const EVENTS_PER_BODY = 60;

/**
 * All payloads before the decisions; deterministic for the same `nowMs` and `seed`. Ids depend on
 * the seed.
 */
export function createSamplePayloads(nowMs: number, seed: string): readonly SamplePayload[] {
  const random = new SeededRandom(seed);
  // Newest first: sampling stores the first bodies of a burst, and readers want the newest.
  const events = SAMPLE_ERRORS.flatMap((error) => createEvents(error, nowMs, random)).sort(
    (a, b) => b.atMs - a.atMs,
  );
  const priceEvents = events.filter(({ errorName }) => errorName === "price").slice(0, 3);
  return [
    ...splitEvents(events).map(createEnvelope),
    ...createBrowserUploads(createBrowserReports(random)),
    ...priceEvents.flatMap((event) => createNoticePayloads(event, random)),
    createFeedbackPayload(priceEvents, random),
    createSessionPayload(nowMs),
  ];
}

/** The decisions about these reports. */
export const SAMPLE_DECISIONS: readonly SampleDecision[] = [
  { errorName: "quota", input: { state: "resolved", release: "shop@2.4.0" } },
  { errorName: "delivery", input: { state: "resolved", release: "shop@2.3.0" } },
  { errorName: "film", input: { state: "ignored", forMs: WEEK_MS } },
  { errorName: "pixel", input: { state: "muted" } },
];

/**
 * The payload after the decisions, at `nowMs`: a resolved error occurs again in a later release.
 */
export function createSampleRegression(nowMs: number, seed: string): SamplePayload {
  const random = new SeededRandom(`${seed} return`);
  const errors = SAMPLE_ERRORS.filter(({ name }) => name === "delivery");
  const atMs = nowMs + 1_000;
  return createEnvelope(
    errors.map((error) => ({
      errorName: error.name,
      atMs,
      payload: createEvent(error, { atMs, days: 0 }, random),
    })),
  );
}

function splitEvents(events: readonly SampleEvent[]): readonly (readonly SampleEvent[])[] {
  const count = Math.ceil(events.length / EVENTS_PER_BODY);
  return Array.from({ length: count }, (_, nth) =>
    events.slice(nth * EVENTS_PER_BODY, (nth + 1) * EVENTS_PER_BODY),
  );
}

function createEnvelope(events: readonly SampleEvent[]): SamplePayload {
  const items = events.map(({ payload }) => `{"type":"event"}\n${JSON.stringify(payload)}\n`);
  return {
    text: `{}\n${items.join("")}`,
    errorNames: events.map(({ errorName }) => errorName),
    defaults: SAMPLE_DEFAULTS,
  };
}

/** One upload per release: browser reports contain no release, so the request URL states it. */
function createBrowserUploads(reports: readonly SampleBrowserReport[]): readonly SamplePayload[] {
  return SHOP_RELEASES.flatMap(({ name: release }) => {
    const uploaded = reports.filter((report) => report.release === release);
    const text = JSON.stringify(uploaded.map(({ payload }) => payload));
    const errorNames = uploaded.map(({ errorName }) => errorName);
    return uploaded.length === 0
      ? []
      : [{ text, errorNames, defaults: { ...SAMPLE_DEFAULTS, release } }];
  });
}
