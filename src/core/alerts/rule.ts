/** Alert rules: the conditions of alerts, and the destinations of messages. Pure. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import type { Result } from "../result.ts";
import { list } from "../schema/stored-object.ts";
import { TRUST_LEVELS } from "../trust/trust.ts";
import { alertLimits } from "./alert-limits.ts";
import {
  type AlertFailure,
  DAY_MINUTES,
  decode,
  idListSchema,
  idSchema,
  minuteSchema,
  textSchema,
  timeZoneSchema,
  wholeSchema,
} from "./decode.ts";
import { findQueryProblem } from "./queries/check-rule-query.ts";
import { triggerSchema } from "./triggers/triggers.ts";

const { maxNameChars, maxTriggers, minCoolDownMs, maxCoolDownMs } = alertLimits;
const NAME = `Enter a name of at most ${maxNameChars} characters for the rule.`;
const TRIGGERS = "Choose at least one condition for the alert.";
const QUERY = `A query has at most ${limits.maxIssueQueryChars} characters.`;
const HOURS = "Working hours need days, an end that is not the start, and a time zone.";

/**
 * Times in which a rule sends messages. Other alerts wait until these begin. Hours that pass
 * midnight belong to the day on which they begin.
 */
const workingHoursSchema = v.pipe(
  v.object({
    /** 0 is Sunday. */
    days: v.pipe(list(wholeSchema(0, 6)), v.minLength(1), v.maxLength(7)),
    /** Minutes after midnight in `timeZone`; `to` is exclusive, and may be before `from`. */
    from: minuteSchema,
    to: wholeSchema(1, DAY_MINUTES),
    timeZone: timeZoneSchema,
  }),
  v.check(({ from, to }) => from !== to),
);

export type WorkingHours = Readonly<v.InferOutput<typeof workingHoursSchema>>;

const ruleSchema = v.object(
  {
    id: v.config(idSchema, { message: "The id of the rule is missing." }),
    name: v.pipe(textSchema(maxNameChars, NAME), v.trim()),
    enabled: v.pipe(
      v.optional(v.unknown(), true),
      v.transform((value) => value !== false),
    ),
    /** A query of the issue list; empty for all. Noise matches only if the query names it. */
    query: v.pipe(
      v.string(QUERY),
      v.maxLength(limits.maxIssueQueryChars, QUERY),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? findQueryProblem(dataset.value) : null;
        if (problem !== null) addIssue({ message: `The query: ${problem}` });
      }),
      v.trim(),
    ),
    triggers: v.pipe(
      list(triggerSchema, undefined, TRIGGERS),
      v.minLength(1, TRIGGERS),
      v.maxLength(maxTriggers, TRIGGERS),
    ),
    /** The lowest level of the reports that fire it; absent, or `public`, for every level. */
    minTrust: v.optional(v.picklist(TRUST_LEVELS, "The trust level is unknown.")),
    workingHours: v.optional(v.config(workingHoursSchema, { message: HOURS })),
    /** Ids of destinations. Empty for all destinations of the project. */
    destinations: v.config(idListSchema, { message: "The destinations are not a list of ids." }),
    /** How long a trigger of this rule does not fire for the same issue again. */
    coolDownMs: v.config(wholeSchema(minCoolDownMs, maxCoolDownMs), {
      message: "The cool-down must be between 0 and 30 days.",
    }),
  },
  "The rule is incomplete.",
);

/** A rule of a project. Stored (version 1): fields may be added, never renamed. */
export type AlertRule = Readonly<v.InferOutput<typeof ruleSchema>>;

/** A valid rule, or a sentence for the form. Unknown members are dropped. */
export function decodeRule(value: unknown): Result<AlertRule, AlertFailure> {
  return decode(ruleSchema, value);
}

/**
 * The rule of a project without any rules: new, regressed and escalating issues, without noise, as
 * in every rule without a query.
 */
export const DEFAULT_RULE: AlertRule = {
  id: "default",
  name: "New and regressed issues",
  enabled: true,
  triggers: [{ kind: "new-issue" }, { kind: "regressed" }, { kind: "escalating" }],
  query: "",
  destinations: [],
  coolDownMs: alertLimits.defaultCoolDownMs,
};
