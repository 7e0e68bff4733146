/** The rule of a project without any rules. */
import { alertLimits } from "./alert-limits.ts";
import type { AlertRule } from "./rule.ts";

const DEFAULT_RULE_ID = "default";

/**
 * New and regressed issues, without noise, as in every rule without a query.
 * `judging/judge-issue.ts` states which public issues it covers.
 */
export const DEFAULT_RULE: AlertRule = {
  id: DEFAULT_RULE_ID,
  name: "New and regressed issues",
  enabled: true,
  triggers: [{ kind: "new-issue" }, { kind: "regressed" }],
  query: "",
  destinations: [],
  coolDownMs: alertLimits.defaultCoolDownMs,
};
