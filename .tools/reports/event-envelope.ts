// The envelope of @sentry/browser that the benchmarks send in many variants: the capture with ten
// frames and ten breadcrumbs, and with marks for the parts that differ.

import { readCapture, readText } from "./captures.ts";

const FRAMES = 10;
const BREADCRUMBS = 10;

/** The part of the captured event that the benchmarks change. */
interface CapturedEvent {
  event_id: string;
  timestamp: number | string;
  exception: { values: [{ value: string; stacktrace: { frames: object[] } }] };
  breadcrumbs: { timestamp: number | string }[];
  contexts: Record<string, object>;
}

export const eventCapture = readCapture("sentry-browser.uncaught-error");

const [header = "", itemHeader = "", payload = ""] = readText(eventCapture).split("\n");

/**
 * A new copy of the event with a deeper stack and a longer history, and the marks that
 * `createEnvelope` replaces.
 */
export function createEventTemplate(): CapturedEvent {
  const event: CapturedEvent = JSON.parse(payload);
  const { exception, breadcrumbs, contexts } = event;
  const [thrown] = exception.values;
  const { frames } = thrown.stacktrace;
  for (let n = frames.length; n < FRAMES; n++) {
    frames.unshift({ ...frames[n % 2], function: `Cart.update${n}`, lineno: 40 * n, colno: 7 * n });
  }
  for (let n = breadcrumbs.length; n < BREADCRUMBS; n++) {
    breadcrumbs.push({ timestamp: 0, ...breadcrumbs[n % 4] });
  }
  for (const crumb of breadcrumbs) crumb.timestamp = "$TIMESTAMP";
  thrown.value = "the $WORD order was not found";
  contexts.trace = { ...contexts.trace, trace_id: "$TRACE" };
  return { ...event, event_id: "$ID", timestamp: "$TIMESTAMP" };
}

/**
 * The envelope with an event: the JSON of a template with an id of 32 hex characters, the word that
 * distinguishes its issue, and its age.
 */
export function createEnvelope(
  template: string,
  { id, word, ageMs }: { id: string; word: string; ageMs: number },
): string {
  const nowMs = Date.now();
  const item = template
    .replaceAll("$ID", id)
    .replaceAll("$TRACE", id.slice(16) + id.slice(0, 16))
    .replaceAll("$WORD", word)
    .replaceAll('"$TIMESTAMP"', String((nowMs - ageMs) / 1000));
  const sent = { ...JSON.parse(header), event_id: id, sent_at: new Date(nowMs).toISOString() };
  return `${JSON.stringify(sent)}\n${itemHeader}\n${item}`;
}
