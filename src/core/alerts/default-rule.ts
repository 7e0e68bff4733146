/** The rule of a project without any rules. */
import { alertLimits } from "./alert-limits.ts";
import type { AlertRule } from "./rule.ts";

const DEFAULT_RULE_ID = "default";

/** New, regressed and escalating issues, without noise, as in every rule without a query. */
export const DEFAULT_RULE: AlertRule = {
  id: DEFAULT_RULE_ID,
  name: "New and regressed issues",
  enabled: true,
  triggers: [{ kind: "new-issue" }, { kind: "regressed" }, { kind: "escalating" }],
  query: "",
  destinations: [],
  coolDownMs: alertLimits.defaultCoolDownMs,
};
