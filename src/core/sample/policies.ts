/** What the sample's browsers report by themselves: violations of the shop's policy, a connection that failed, and noise. */
import type { Chance } from "./chance.ts";
import { releaseAt } from "./events.ts";
import { SHOP, USER_AGENTS } from "./shop.ts";

/** A report of the Reporting API, the release of its page, and which fault it is. */
export interface SampleReport {
  readonly fault: string;
  readonly release: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface PolicyFault {
  readonly name: string;
  readonly type: "csp-violation" | "network-error" | "deprecation";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly times: number;
  readonly fromDays: number;
}

const POLICY = "default-src 'self'; script-src 'self'; img-src 'self' data:; report-to default";

const FAULTS: readonly PolicyFault[] = [
  {
    name: "chat",
    type: "csp-violation",
    path: "/help",
    body: violation("script-src-elem", "https://widgets.chat-helper.example/loader.js", "enforce"),
    times: 24,
    fromDays: 2.8,
  },
  {
    name: "pixel",
    type: "csp-violation",
    path: "/offers",
    body: violation("img-src", "https://pixel.old-statistics.example/p.gif", "report"),
    times: 13,
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
    times: 5,
    fromDays: 6,
  },
  {
    name: "extension",
    type: "csp-violation",
    path: "/products/sencha",
    body: {
      ...violation("script-src-elem", "inline", "enforce"),
      sourceFile: "chrome-extension://teasampleteasampleteasampletease/coupons.js",
    },
    times: 3,
    fromDays: 9,
  },
];

const DAY_MS = 86_400_000;

/** All of them, in no order. */
export function policyReports(chance: Chance): readonly SampleReport[] {
  return FAULTS.flatMap(({ name, type, path, body, times, fromDays }) =>
    Array.from({ length: times }, () => {
      const days = chance.number() * fromDays;
      const url = `${SHOP}${path}`;
      const page = type === "csp-violation" ? { ...body, documentURL: url } : body;
      const payload = {
        type,
        age: Math.round(days * DAY_MS),
        url,
        user_agent: chance.of(USER_AGENTS),
        body: page,
      };
      return { fault: name, release: releaseAt(days), payload };
    }),
  );
}

function violation(directive: string, blocked: string, disposition: "enforce" | "report") {
  return {
    effectiveDirective: directive,
    blockedURL: blocked,
    disposition,
    originalPolicy: POLICY,
    sourceFile: `${SHOP}/_next/static/chunks/layout-2b90.js`,
    lineNumber: 1,
    columnNumber: 4471,
    statusCode: 200,
  };
}
