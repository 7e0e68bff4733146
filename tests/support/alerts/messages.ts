/** Alert messages for tests; each test overrides the members that it needs. */
import type { AlertedIssue, AlertMessage } from "#src/core/alerts/alert-message.ts";

export const ALERT_AT_MS = Date.UTC(2026, 10, 21, 14, 2, 0);
export const ALERT_ORIGIN = "https://errata.example";

/** An issue in a message. */
export function createAlertedIssue(over: Partial<AlertedIssue> = {}): AlertedIssue {
  return {
    digest: "7F3K-Q2M9",
    kind: "error",
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'price')",
    place: "cart.tsx:41 in addItem",
    route: "/cart/:id",
    release: "1.4.0",
    firstRelease: "1.3.0",
    environment: "production",
    trust: "server",
    count: 1_204,
    userCount: 9,
    firstSeenMs: ALERT_AT_MS - 60_000,
    lastSeenMs: ALERT_AT_MS,
    assignee: "ada",
    links: {
      issue: `${ALERT_ORIGIN}/d/7F3K-Q2M9`,
      receipt: `${ALERT_ORIGIN}/e/7F3K-Q2M9`,
      resolve: `${ALERT_ORIGIN}/alerts/act?t=resolve`,
      snooze: `${ALERT_ORIGIN}/alerts/act?t=snooze`,
      assign: `${ALERT_ORIGIN}/alerts/act?t=assign`,
      github: "https://github.com/acme/shop/issues/new?title=TypeError%20(cart)",
    },
    ...over,
  };
}

/** A message about a new issue. */
export function createAlertMessage(over: Partial<AlertMessage> = {}): AlertMessage {
  return {
    id: "m-1-issue",
    kind: "issue",
    atMs: ALERT_AT_MS,
    project: { id: "shop", name: "Shop", url: `${ALERT_ORIGIN}/p/shop` },
    reasons: [
      {
        trigger: "new-issue",
        text: "First seen at 14:02 UTC.",
        rules: [{ name: "New issues", url: `${ALERT_ORIGIN}/settings/alerts#rule-1` }],
      },
    ],
    title: "New issue",
    issues: [createAlertedIssue()],
    quietUntilMs: ALERT_AT_MS + 3_600_000,
    settingsUrl: `${ALERT_ORIGIN}/settings/alerts`,
    ...over,
  };
}

/** A summary of `count` issues with its five worst. */
export function createSummary(count: number, over: Partial<AlertedIssue> = {}): AlertMessage {
  const digests = ["7F3K-Q2M9", "7F3K-Q2MA", "7F3K-Q2MB", "7F3K-Q2MC", "7F3K-Q2MD"];
  return createAlertMessage({
    id: "m-2-summary",
    kind: "summary",
    title: `${count} new issues`,
    issues: digests.map((digest) =>
      createAlertedIssue({
        digest,
        ...over,
        links: { issue: `${ALERT_ORIGIN}/d/${digest}`, receipt: `${ALERT_ORIGIN}/e/${digest}` },
      }),
    ),
    summary: {
      issues: count,
      sinceMs: ALERT_AT_MS - 600_000,
      url: `${ALERT_ORIGIN}/issues?q=is%3Anew`,
      digests,
    },
  });
}

/** A message in which every text that a client or an owner typed is `text`. */
export function createMessageWithText(text: string): AlertMessage {
  return createAlertMessage({
    project: { id: "shop", name: text, url: `${ALERT_ORIGIN}/p/shop` },
    title: "New issue",
    reasons: [
      {
        trigger: "new-in-release",
        text,
        rules: [{ name: text, url: `${ALERT_ORIGIN}/settings/alerts#rule-1` }],
      },
    ],
    issues: [
      createAlertedIssue({
        type: text,
        message: text,
        place: text,
        route: text,
        release: text,
        firstRelease: `${text}0`,
        environment: text,
        assignee: text,
      }),
    ],
  });
}
