/**
 * The sample data in order: request bodies as real clients send them, then decisions, then a
 * regression. All reports have the environment `sample`. They start fourteen days ago and end now.
 */
import type { DecisionInput } from "../issue/decision.ts";
import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import { DAY_MS } from "../utc-time.ts";
import { SAMPLE_DEFAULTS, type SamplePayload } from "./sample-payload.ts";
import {
  NOTICE_DIGEST,
  SAMPLE_USER_AGENTS,
  type SampleError,
  SHOP_ORIGIN,
  SHOP_RELEASES,
} from "./sample-shop.ts";
import { SeededRandom } from "./seeded-random.ts";
import { createEvent, createEvents, findReleaseAt, type SampleEvent } from "./sentry-events.ts";

/** A decision about an error, made after its reports arrived. */
interface SampleDecision {
  readonly errorName: string;
  readonly input: DecisionInput;
}

const WEEK_MS = 7 * 86_400_000;
const EVENTS_PER_BODY = 60;

/** The file of the build with `SAMPLE_ERRORS`, which take 1.4 kB of code. */
export const SAMPLE_ERRORS_PATH = "/sample-errors.json";

/**
 * All payloads before the decisions; deterministic for the same `nowMs` and `seed`. Ids depend on
 * the seed. `sampleErrors` are `SAMPLE_ERRORS`.
 */
export function createSamplePayloads(
  sampleErrors: readonly SampleError[],
  nowMs: number,
  seed: string,
): readonly SamplePayload[] {
  const random = new SeededRandom(seed);
  // Newest first: sampling stores the first bodies of a burst, and readers want the newest.
  const events = sampleErrors
    .flatMap((error) => createEvents(error, nowMs, random))
    .sort((a, b) => b.atMs - a.atMs);
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
  { errorName: "film", input: { state: "snoozed", forMs: WEEK_MS } },
  { errorName: "pixel", input: { state: "archived" } },
];

/**
 * The payload after the decisions, at `nowMs`: a resolved error occurs again in a later release.
 */
export function createSampleRegression(
  sampleErrors: readonly SampleError[],
  nowMs: number,
  seed: string,
): SamplePayload {
  const random = new SeededRandom(`${seed} return`);
  const errors = sampleErrors.filter(({ name }) => name === "delivery");
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

// Notices and feedback of the sample shop's visitors.

/** A visitor of a failed checkout: the browser reports an error, and that the notice was shown. */
function createNoticePayloads(
  { atMs, payload }: SampleEvent,
  random: SeededRandom,
): readonly SamplePayload[] {
  const common = {
    errata: 1,
    digest: NOTICE_DIGEST,
    url: `${SHOP_ORIGIN}/checkout/payment`,
    release: payload.release,
    environment: SAMPLE_ENVIRONMENT,
    language: "en-GB",
    viewport: "390x844",
  };
  const boundary = {
    ...common,
    id: random.nextHexId(),
    how: "caught",
    type: "Error",
    message: "An error occurred in the Server Components render.",
    stack: `Error: An error occurred in the Server Components render.\n    at ${SHOP_ORIGIN}/_next/static/chunks/checkout-77aa.js:1:5120`,
    at: atMs + 700,
  };
  const notice = { ...common, id: random.nextHexId(), how: "notice", at: atMs + 900 };
  return [boundary, notice].map((report) => ({
    text: JSON.stringify(report),
    errorNames: ["price"],
    defaults: SAMPLE_DEFAULTS,
  }));
}

const FEEDBACK_MESSAGES = [
  "I wanted to pay for two packets of Assam, and after the address it only showed this code.",
  "It happens whenever the voucher from the newsletter is in the basket.",
  "Tried it on my phone and on the computer, the same both times. The basket is still there.",
] as const;

/** Feedback of visitors about the events that affected them. */
function createFeedbackPayload(
  events: readonly SampleEvent[],
  random: SeededRandom,
): SamplePayload {
  const items = events.map(({ atMs, payload }, nth) => {
    const feedback = {
      message: FEEDBACK_MESSAGES[nth % FEEDBACK_MESSAGES.length],
      name: ["Ines", "T. Okafor", "Mara"][nth % 3],
      associated_event_id: payload.event_id,
      url: `${SHOP_ORIGIN}/checkout/payment`,
    };
    const { release } = payload;
    const event = {
      event_id: random.nextHexId(),
      timestamp: atMs / 1000 + 95,
      platform: "javascript",
    };
    const item = { ...event, release, environment: SAMPLE_ENVIRONMENT, contexts: { feedback } };
    return `{"type":"feedback"}\n${JSON.stringify(item)}\n`;
  });
  return {
    text: `{}\n${items.join("")}`,
    errorNames: events.map(({ errorName }) => errorName),
    defaults: SAMPLE_DEFAULTS,
  };
}

// Sessions of the sample shop, as the SDKs of servers send them: counted, not stored.

/** The sessions of each release: without errors, with errors, and crashed. */
const SESSIONS = [
  ["shop@2.2.0", { exited: 4_182, errored: 61, crashed: 9 }],
  ["shop@2.3.0", { exited: 6_455, errored: 88, crashed: 17 }],
  ["shop@2.4.0", { exited: 2_917, errored: 104, crashed: 38 }],
] as const;

/** One body with the sessions of all releases. */
function createSessionPayload(nowMs: number): SamplePayload {
  const started = new Date(nowMs).toISOString();
  const items = SESSIONS.map(([release, counts]) => ({
    aggregates: [{ started, ...counts }],
    attrs: { release, environment: SAMPLE_ENVIRONMENT },
  }));
  return {
    text: `{}\n${items.map((item) => `{"type":"sessions"}\n${JSON.stringify(item)}\n`).join("")}`,
    errorNames: items.map(() => ""),
    defaults: SAMPLE_DEFAULTS,
  };
}

// Browser reports of the sample shop: CSP violations, a failed connection, and noise.

/** A Reporting API report, the release of its page, and the name of its error. */
interface SampleBrowserReport {
  readonly errorName: string;
  readonly release: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface BrowserReportTemplate {
  readonly name: string;
  readonly type: "csp-violation" | "network-error" | "deprecation";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly eventCount: number;
  readonly fromDays: number;
}

const POLICY = "default-src 'self'; script-src 'self'; img-src 'self' data:; report-to default";

const BROWSER_REPORTS: readonly BrowserReportTemplate[] = [
  {
    name: "chat",
    type: "csp-violation",
    path: "/help",
    body: createViolationBody(
      "script-src-elem",
      "https://widgets.chat-helper.example/loader.js",
      "enforce",
    ),
    eventCount: 24,
    fromDays: 2.8,
  },
  {
    name: "pixel",
    type: "csp-violation",
    path: "/offers",
    body: createViolationBody("img-src", "https://pixel.old-statistics.example/p.gif", "report"),
    eventCount: 13,
    fromDays: 13,
  },
  {
    name: "connection",
    type: "network-error",
    path: "/api/basket",
    body: {
      type: "tcp.timed_out",
      phase: "connection",
      protocol: "h2",
      method: "GET",
      status_code: 0,
      elapsed_time: 30_000,
      sampling_fraction: 1,
    },
    eventCount: 5,
    fromDays: 6,
  },
  {
    name: "extension",
    type: "csp-violation",
    path: "/products/sencha",
    body: {
      ...createViolationBody("script-src-elem", "inline", "enforce"),
      sourceFile: "chrome-extension://couponsamplecouponsamplecouponsam/coupons.js",
    },
    eventCount: 3,
    fromDays: 9,
  },
];

/** All browser reports, unordered. */
function createBrowserReports(random: SeededRandom): readonly SampleBrowserReport[] {
  return BROWSER_REPORTS.flatMap(({ name, type, path, body, eventCount, fromDays }) =>
    Array.from({ length: eventCount }, () => {
      const days = random.nextFloat() * fromDays;
      const url = `${SHOP_ORIGIN}${path}`;
      const page = type === "csp-violation" ? { ...body, documentURL: url } : body;
      const payload = {
        type,
        age: Math.round(days * DAY_MS),
        url,
        user_agent: random.pick(SAMPLE_USER_AGENTS),
        body: page,
      };
      return { errorName: name, release: findReleaseAt(days), payload };
    }),
  );
}

function createViolationBody(
  directive: string,
  blockedUrl: string,
  disposition: "enforce" | "report",
) {
  return {
    effectiveDirective: directive,
    blockedURL: blockedUrl,
    disposition,
    originalPolicy: POLICY,
    sourceFile: `${SHOP_ORIGIN}/_next/static/chunks/layout-2b90.js`,
    lineNumber: 1,
    columnNumber: 4471,
    statusCode: 200,
  };
}
