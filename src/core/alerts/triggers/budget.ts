/** The budget of a day is nearly used. Pure. */
import { HOUR_MS, toUtcDay } from "../../utc-time.ts";
import { defineProjectTrigger } from "./trigger.ts";

const USED_SHARE = 0.9;

export const budget = defineProjectTrigger({
  kind: "budget",
  label: "The daily budget is nearly used up",
  params: {},
  title: () => "A daily budget is nearly used up",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "project.budget",
  everyMs: HOUR_MS,
  check: ({ budgets }, _, nowMs) => ({
    findings: budgets
      .filter(({ used, perDay }) => used >= perDay * USED_SHARE)
      .map(({ name, used, perDay }) => ({
        key: `${toUtcDay(nowMs)} ${name}`,
        figures: { detail: `${name} has used ${used} of today's ${perDay} KV writes.` },
      })),
  }),
});
