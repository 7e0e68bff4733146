/** A visitor sent feedback about an issue. Pure. */
import { getHighest, isBelow } from "./detection.ts";
import { defineIssueTrigger } from "./trigger.ts";

export const userFeedback = defineIssueTrigger({
  kind: "user-feedback",
  label: "A visitor sends feedback",
  params: {},
  title: () => "User feedback",
  sentence: () => "A user sent feedback about the issue.",
  isSentenceOptional: true,
  webhookEvent: "issue.user_feedback",
  isCommon: true,
  isRepeating: true,
  isFeedback: true,
  detect(change) {
    const level = getHighest(change.reports.filter(({ kind }) => kind === "feedback"));
    return level === undefined || isBelow(change.after.trust, change)
      ? []
      : [{ figures: {}, level }];
  },
});
