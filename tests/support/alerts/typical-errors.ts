/** Errors of several runtimes as reports, and the messages about them. */

import type { AlertMessage } from "#src/core/alerts/alert-message.ts";
import type { AlertedFacts } from "#src/core/alerts/alerted-facts.ts";
import { describeReport, type IssueDetails } from "#src/core/alerts/describe-report.ts";
import type { DueAlert } from "#src/core/alerts/due-alert.ts";
import { renderMessage } from "#src/core/alerts/render-message.ts";
import type { Report } from "#src/core/report.ts";
import type { FrameResolution } from "#src/core/symbolication/resolution.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";
import { ALERT_AT_MS, ALERT_ORIGIN } from "./messages.ts";

const MINUTE_MS = 60_000;

/** Reports of six runtimes, by name. */
export const REPORTS = {
  node: {
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'price')",
    request: { method: "POST", route: "/api/checkout" },
    frames: [
      { file: "node:internal/util.js", line: 3, inApp: false },
      {
        file: "/usr/app/src/cart/total.ts",
        line: 41,
        column: 18,
        function: "addItem",
        source: "  return sum + item.price * item.quantity;",
        inApp: true,
      },
    ],
  },
  minified: {
    side: "browser",
    trust: "public",
    type: "TypeError",
    message: "undefined is not an object (evaluating 'e.items.length')",
    request: {
      route: "/cart",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    },
    frames: [
      {
        file: "https://shop.example/assets/index-3f9a1b2c.js?v=1",
        line: 1,
        column: 48_213,
        function: "t",
        inApp: true,
      },
    ],
  },
  java: {
    platform: "java",
    type: "OrderServiceException",
    message: "could not load order 8812",
    frames: [
      {
        file: "OrderService.java",
        module: "com.acme.orders.OrderService",
        line: 120,
        function: "load",
        inApp: true,
      },
    ],
    causes: [
      { type: "PersistenceException", message: "query failed", frames: [] },
      {
        type: "SQLTransientConnectionException",
        message: "Connection is not available, request timed out after 30000ms",
        frames: [],
      },
      { type: "IOException", message: "close failed", frames: [], parent: 0, isSuppressed: true },
    ],
  },
  log: {
    kind: "message",
    type: "Message",
    message: "Payment provider unreachable: timeout of 10000ms exceeded",
    level: "fatal",
    detail: { logger: "payments" },
  },
  ruby: {
    platform: "ruby",
    type: "ActiveRecord::Deadlocked",
    message: "PG::TRDeadlockDetected: ERROR:  deadlock detected\nDETAIL: none",
    detail: { transaction: "OrdersController#create" },
    frames: [{ file: "app/models/order.rb", line: 64, function: "reserve!", inApp: true }],
  },
  python: {
    platform: "python",
    type: "KeyError",
    message: "'customer_id'",
    release: "shop@2.3.0",
    request: { method: "GET", route: "/orders/<id>" },
    frames: [
      {
        file: "orders/views.py",
        absPath: "/srv/app/orders/views.py",
        line: 52,
        function: "detail",
        inApp: true,
      },
    ],
  },
} as const satisfies Readonly<Record<string, Partial<Report>>>;

interface MessageOptions {
  readonly report: Partial<Report>;
  readonly issue?: Partial<AlertedFacts>;
  readonly triggers?: DueAlert["triggers"];
  readonly details?: Partial<IssueDetails>;
  /** Affected users. */
  readonly users?: number;
  readonly resolutions?: readonly FrameResolution[];
}

/** The message about one report of the shop, in production. */
export function createTypicalMessage({
  report,
  issue = {},
  triggers = [{ kind: "new-issue", rules: ["r1"] }],
  details = {},
  resolutions,
  users,
}: MessageOptions): AlertMessage {
  const full = createReport(1, {
    digest: "8RP8-W7FE",
    environment: "production",
    release: "shop@2.4.1",
    occurredAtMs: ALERT_AT_MS,
    ...report,
  });
  const counted: AlertedFacts = { ...createIssue(full), ...issue };
  const described = describeReport(full, resolutions);
  const message = renderMessage(
    { id: "msg_1_1", alerts: [{ atMs: ALERT_AT_MS, digest: full.digest, triggers }], more: 0 },
    {
      project: { id: "1", name: "Shop" },
      origin: ALERT_ORIGIN,
      ruleNames: new Map([["r1", "Production"]]),
      issues: new Map([[full.digest, counted]]),
      details: new Map([[full.digest, { ...described, ...details }]]),
      toActionPath: (action) => `/alerts/act?t=${action}`,
    },
  );
  if (users === undefined) return message;
  return { ...message, issues: message.issues.map((one) => ({ ...one, userCount: users })) };
}

/** Each report as the message that the tests expect. */
export const MESSAGES = {
  node: createTypicalMessage({
    report: REPORTS.node,
    issue: { count: 12, firstSeenMs: ALERT_AT_MS - 2 * MINUTE_MS },
    users: 9,
    details: { deployedMs: ALERT_AT_MS - 14 * MINUTE_MS },
  }),
  minified: createTypicalMessage({
    report: REPORTS.minified,
    resolutions: [{ kind: "unmapped", reason: "nothing-uploaded" }],
    users: 1,
  }),
  java: createTypicalMessage({ report: REPORTS.java }),
  log: createTypicalMessage({ report: REPORTS.log }),
  ruby: createTypicalMessage({ report: REPORTS.ruby }),
  python: createTypicalMessage({
    report: REPORTS.python,
    issue: { count: 520, firstSeenMs: ALERT_AT_MS - 3 * 86_400_000 },
    users: 31,
    triggers: [{ kind: "escalating", value: 40, usual: 3, limit: 20, rules: ["r1"] }],
  }),
};
