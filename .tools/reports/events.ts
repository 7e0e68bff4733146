// The events of the benchmarks: the envelope of @sentry/browser with ten frames and ten breadcrumbs,
// in many variants. They have the server key, because the limits of public reports would hide the
// cost of new issues.

import { readCapture, readText } from "./captures.ts";
import { createId, nameFault } from "./names.ts";

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

/** The event with a deeper stack and a longer history, and marks for the parts that differ. */
function createTemplate(more: object = {}): string {
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
  thrown.value = "$FAULT";
  contexts.trace = { ...contexts.trace, trace_id: "$TRACE" };
  return JSON.stringify({ ...event, event_id: "$ID", timestamp: "$TIMESTAMP", ...more });
}

/** The envelope of a template, with the number that determines its issue. */
function createEnvelope(template: string, id: string, issue: number, ageMs = 0): string {
  const nowMs = Date.now();
  const item = template
    .replaceAll("$ID", id)
    .replaceAll("$TRACE", id.slice(16) + id.slice(0, 16))
    .replaceAll("$FAULT", nameFault(issue))
    .replaceAll('"$TIMESTAMP"', String((nowMs - ageMs) / 1000));
  const sent = { ...JSON.parse(header), event_id: id, sent_at: new Date(nowMs).toISOString() };
  return `${JSON.stringify(sent)}\n${itemHeader}\n${item}`;
}

/** The number of issues in each mix of events. */
export const MIXES = { storm: 1, hundred: 100, mixed: 500, distinct: Number.POSITIVE_INFINITY };
export type Mix = keyof typeof MIXES;

const mixTemplate = createTemplate();

/** The `n`th event of a mix: 4 KB. The same number gives the same event, except for its time. */
export function createMixEvent(mix: Mix, n: number): string {
  return createEnvelope(mixTemplate, createId(1, `${mix} ${n}`), n % MIXES[mix]);
}

const DAY_MS = 86_400_000;
const DAYS = 29.5;
/** The larger, the more often an early issue occurs again. */
const SKEW = 4;
/** The fractional parts of its multiples are evenly spread (the golden ratio). */
const GOLDEN = 0.618_033_988_749_895;

const ENVIRONMENTS = ["production", "staging", "preview"];
const TIERS = ["free", "plus", "gold", "trial"];
const REGIONS = ["eu-west", "eu-east", "us-west", "us-east", "asia"];
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome";
const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version";
const BROWSERS = [
  `Mozilla/5.0 (X11; Linux x86_64) ${CHROME}/156.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}/155.0.0.0 Safari/537.36`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:151.0) Gecko/20100101 Firefox/151.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0",
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI}/26.1 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI}/26.0 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}/156.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
];

const spreadTemplate = createTemplate({
  release: "$RELEASE",
  environment: "$ENVIRONMENT",
  request: { url: "https://shop.example$PAGE", headers: { "User-Agent": "$BROWSER" } },
  user: { id: "$USER", email: "$USER" },
  tags: { tier: "$TIER", region: "$REGION", theme: "dark", locale: "en-GB", step: "checkout" },
});

/** The number of issues after `events` events of a spread. */
export function countIssuesAfter(events: number, share: number): number {
  return Math.ceil(events * share);
}

/** The issue of the `n`th event of a spread, counted from 0. */
export function selectIssue(n: number, share: number): number {
  const known = countIssuesAfter(n, share);
  if (known < countIssuesAfter(n + 1, share)) return known;
  return Math.floor(known * (((n + 1) * GOLDEN) % 1) ** SKEW);
}

/** The id of the `n`th event of a spread. */
export const createSpreadId = (n: number, share: number) => createId(5, `spread ${share} ${n}`);

/**
 * The `n`th event of a spread, a `share` of which belong to a new issue each, the others to earlier
 * ones: 4.3 KB with five tags, a user, 60 releases, three environments, eight browsers and 500
 * pages, over the 29.5 days before now.
 */
export function createSpreadEvent(share: number, n: number): string {
  const issue = selectIssue(n, share);
  const pick = (values: readonly string[]) => values[(n * 7 + issue) % values.length] ?? "";
  const template = spreadTemplate
    .replaceAll("$RELEASE", `${n % 2 ? "web" : "shop"}@2.${n % 30}.0`)
    .replaceAll("$ENVIRONMENT", pick(ENVIRONMENTS))
    .replaceAll("$BROWSER", pick(BROWSERS))
    .replaceAll("$PAGE", `/shop/aisle-${n % 500}`)
    .replaceAll("$USER", `person${n % 5000}@example.com`)
    .replaceAll("$TIER", pick(TIERS))
    .replaceAll("$REGION", pick(REGIONS));
  const ageMs = DAYS * DAY_MS * ((n * GOLDEN) % 1);
  return createEnvelope(template, createSpreadId(n, share), issue, ageMs);
}
