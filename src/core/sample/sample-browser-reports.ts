/** Browser reports of the sample shop: CSP violations, a failed connection, and noise. */

import { DAY_MS } from "../utc-time.ts";
import { SAMPLE_USER_AGENTS, SHOP_ORIGIN } from "./sample-shop.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { findReleaseAt } from "./sentry-events.ts";

/** A Reporting API report, the release of its page, and the name of its error. */
export interface SampleBrowserReport {
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
export function createBrowserReports(random: SeededRandom): readonly SampleBrowserReport[] {
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
