/** The facts of a day for tests of summaries; each test overrides the members that it needs. */
import type {
  PeriodFacts,
  PeriodGroup,
  PeriodIssue,
} from "#src/core/alerts/periods/period-facts.ts";

/** Sunday, 29 November 2026, 06:00 UTC. */
export const PERIOD_SENT_MS = Date.UTC(2026, 10, 29, 6);

const NONE: PeriodGroup = { total: 0, open: 0, digests: [], issues: [] };

/** Groups without issues. */
export const NO_ISSUES = { returned: NONE, new: NONE, growing: NONE, frequent: NONE } as const;

const PRICE: PeriodIssue = {
  ...{ digest: "0000-0001", type: "TypeError", count: 412, countBefore: 0, userCount: 114 },
  ...{ message: "Cannot read properties of undefined (reading 'price')", state: "open" },
  culprit: "addItem · total.ts",
  place: { file: "src/cart/total.ts", line: 41, function: "addItem" },
};
const DATE: PeriodIssue = {
  ...{ digest: "0000-0002", type: "RangeError", message: "Invalid time value", otherErrors: 2 },
  ...{ count: 9, countBefore: 0, userCount: 1, state: "resolved" },
};
const DEADLOCK: PeriodIssue = {
  ...{ digest: "0000-0003", type: "Deadlocked", message: "deadlock detected", userCount: 0 },
  ...{ count: 12, countBefore: 0, state: "open" },
  place: { file: "app/models/order.rb", line: 64, function: "reserve!" },
};
const TIMEOUT: PeriodIssue = {
  ...{ digest: "0000-0004", type: "TimeoutError", message: "no connection", userCount: 31 },
  ...{ count: 1_400, countBefore: 87, state: "open" },
};

/** One issue returned, three are new, of which two are shown, and one grows. */
export function createPeriodFacts(over: Partial<PeriodFacts> = {}): PeriodFacts {
  const growing = { total: 1, open: 1, digests: [TIMEOUT.digest], issues: [TIMEOUT] };
  return {
    errors: { server: 804, browser: 400 },
    errorsBefore: { server: 700, browser: 300 },
    groups: {
      returned: { total: 1, open: 1, digests: [DEADLOCK.digest], issues: [DEADLOCK] },
      new: {
        ...{ total: 3, open: 2, digests: [PRICE.digest, DATE.digest, "0000-0005"] },
        issues: [PRICE, DATE],
      },
      growing,
      frequent: growing,
    },
    releases: [{ name: "api@3.2.1", firstSeenMs: Date.UTC(2026, 10, 28, 16, 2) }],
    ...over,
  };
}
