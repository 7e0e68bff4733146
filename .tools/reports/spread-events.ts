// The events of the scale benchmark: envelopes of @sentry/browser of 4.3 KB with ten frames, ten
// breadcrumbs, five tags, a user, 60 releases, three environments, eight browsers and 500 pages,
// over the 29.5 days before now. They have the server key, because the limits of public reports
// would hide the cost of new issues.

import { createEnvelope, createEventTemplate } from "./event-envelope.ts";
import { createId, createWord } from "./names.ts";

/** A `share` of the events belong to a new issue each; the others to earlier ones. */
export interface Spread {
  kind: "spread";
  share: number;
}
/**
 * Events of `issues` issues that a `Spread` of this share has created, evenly spread and with the
 * current time. An issue always has the same release, environment, browser, page and tags; the
 * person differs.
 */
export interface Known {
  kind: "known";
  share: number;
  issues: number;
  /** Distinguishes the events of two loads. */
  label: string;
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
const BROWSERS = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:151.0) Gecko/20100101 Firefox/151.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
];
/** The event as JSON, with marks in place of the variable parts. */
const template = JSON.stringify({
  ...createEventTemplate(),
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

/** The `n`th event of a load. */
export function createEvent(ask: Spread | Known, n: number): { id: string; body: string } {
  if (ask.kind === "spread") {
    const id = createSpreadId(n, ask.share);
    const ageMs = DAYS * DAY_MS * ((n * GOLDEN) % 1);
    return {
      id,
      body: createOccurrence(id, { issue: selectIssue(n, ask.share), ageMs, n, person: n }),
    };
  }
  const id = createId(6, `${ask.label} ${n}`);
  const issue = Math.floor(ask.issues * (((n + 1) * GOLDEN) % 1));
  return { id, body: createOccurrence(id, { issue, ageMs: 0, n: issue, person: n }) };
}

/** An event of an issue. `n` determines its release, environment, browser, page and tags. */
interface Occurrence {
  issue: number;
  ageMs: number;
  n: number;
  person: number;
}

function createOccurrence(id: string, { issue, ageMs, n, person }: Occurrence): string {
  const pick = (values: readonly string[]) => values[(n * 7 + issue) % values.length] ?? "";
  const occurrence = template
    .replaceAll("$RELEASE", `${n % 2 ? "web" : "shop"}@2.${n % 30}.0`)
    .replaceAll("$ENVIRONMENT", pick(ENVIRONMENTS))
    .replaceAll("$BROWSER", pick(BROWSERS))
    .replaceAll("$PAGE", `/shop/aisle-${n % 500}`)
    .replaceAll("$USER", `person${person % 5000}@example.com`)
    .replaceAll("$TIER", pick(TIERS))
    .replaceAll("$REGION", pick(REGIONS));
  return createEnvelope(occurrence, { id, word: createWord(issue), ageMs });
}
