/** An issue has affected a number of people. Pure. */
import { limits } from "../../limits.ts";
import { formatNumber } from "../../numbers.ts";
import { formatPeople, formatRoundPeople } from "../../stats/people-count.ts";
import { getLastAlertMs } from "./alert-history.ts";
import { detectGrowth, isFarWorse } from "./detection.ts";
import { countUsersAt } from "./judged-counts.ts";
import { countParam } from "./param-fields.ts";
import { defineIssueTrigger } from "./trigger.ts";
import { formatFigure } from "./trigger-texts.ts";

export const users = defineIssueTrigger({
  kind: "users",
  label: "An issue reaches a number of people",
  params: {
    count: countParam({
      label: "People",
      initial: 10,
      min: 1,
      max: limits.maxCount,
      problem: "The number of people must be at least 1.",
    }),
  },
  summarize: ({ count }) => `${formatNumber(count)} people`,
  title: ({ value = 0 }) => `${formatRoundPeople(value)} affected`,
  summaryTitle: "Limit of people reached",
  sentence: ({ value = 0, limit = 0 }) =>
    `It affects ${formatPeople(value)}; the limit is ${formatFigure(limit)}.`,
  isSentenceOptional: true,
  webhookEvent: "issue.users",
  says: "growing",
  needsMatchedCounts: (_, hasReportFilters) => hasReportFilters,
  detect(change, { count: limit }, key) {
    const { before, after } = change.counts;
    return detectGrowth(change, (level, history) => {
      const value = countUsersAt(after, level);
      if (value < limit) return null;
      const wasReached = countUsersAt(before, level) >= limit;
      const isWorse = getLastAlertMs(history, key) > 0 && isFarWorse(value, history.users);
      return wasReached && !isWorse ? null : { figures: { value, limit }, isWorse };
    });
  },
});
