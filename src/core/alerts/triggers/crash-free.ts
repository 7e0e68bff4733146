/** The share of crash-free sessions of a release fell below a limit. Pure. */
import { MINUTE_MS, toUtcDay } from "../../utc-time.ts";
import { shareParam } from "./param-fields.ts";
import { defineProjectTrigger } from "./trigger.ts";
import { formatFigure } from "./trigger-texts.ts";

/** The rate of a release with fewer sessions means little. */
const MIN_SESSIONS = 200;

export const crashFree = defineProjectTrigger({
  kind: "crash-free",
  label: "The crash-free rate of a release is low",
  params: {
    below: shareParam({
      label: "Below %",
      initial: 0.99,
      problem: "The crash-free rate must be above 0 and at most 100 %.",
    }),
  },
  summarize: ({ below }) => `crash-free rate below ${Math.round(below * 10_000) / 100} %`,
  title: () => "Crash-free rate is low",
  sentence: ({ value = 0, limit = 0, detail = "" }) =>
    `${formatFigure(value)} % of the sessions of ${detail} did not crash; ` +
    `the limit is ${formatFigure(limit)} %.`,
  webhookEvent: "release.crash_free",
  everyMs: 15 * MINUTE_MS,
  check({ releases }, { below }, nowMs) {
    const low = releases.filter(
      ({ sessions, percent }) => sessions >= MIN_SESSIONS && percent < below * 100,
    );
    return {
      findings: low.map(({ name, percent }) => ({
        key: `${below} ${toUtcDay(nowMs)} ${name}`,
        figures: { value: percent, limit: below * 100, detail: name },
      })),
    };
  },
});
