/** The rules of a project. */
import type { DestinationSummary } from "../../core/alerts/destinations/destinations.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import { summarizeTrigger } from "../../core/alerts/triggers/triggers.ts";
import type { Trust } from "../../core/trust/trust.ts";
import { DeskForm, RequireRole } from "../parts/desk-context.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import { formatCoolDown } from "./alert-texts.ts";
import { type RuleDraft, RuleForm } from "./rule-form.tsx";

/** The lowest trust level of a rule, as in its form. */
const REPORTED_BY: Readonly<Record<Trust, string | false>> = {
  server: "reported by servers",
  page: "reported by servers or signed pages",
  public: false,
};

/** The section. Messages link to `#rule-<id>`. */
export function RuleList({
  rules,
  destinations,
  draft,
}: {
  rules: readonly AlertRule[];
  destinations: readonly DestinationSummary[];
  /** The rule of the form that was sent. */
  draft: RuleDraft | undefined;
}) {
  const isNew = draft !== undefined && rules.every(({ id }) => id !== draft.rule.id);
  return (
    <SettingsSection
      id="rules"
      name="Rules"
      description="The conditions for alerts, and their destinations. If several rules match, each destination gets one message."
    >
      {rules.length === 0 && <p className="muted">No rules. Without rules there are no alerts.</p>}
      <ul className="entries">
        {rules.map((rule) => (
          <RuleEntry
            key={rule.id}
            rule={rule}
            destinations={destinations}
            draft={draft?.rule.id === rule.id ? draft : undefined}
          />
        ))}
      </ul>
      <RequireRole requiredRole="owner">
        <details className="add-form" open={isNew}>
          <summary>Add a rule</summary>
          <RuleForm destinations={destinations} draft={isNew ? draft : undefined} />
        </details>
      </RequireRole>
    </SettingsSection>
  );
}

function RuleEntry({
  rule,
  destinations,
  draft,
}: {
  rule: AlertRule;
  destinations: readonly DestinationSummary[];
  draft: RuleDraft | undefined;
}) {
  const { id, name, enabled, triggers, query, minTrust, coolDownMs, workingHours } = rule;
  const targets = destinations.filter((one) => rule.destinations.includes(one.id));
  return (
    <SettingsEntry
      name={<bdi id={`rule-${id}`}>{name}</bdi>}
      badge={!enabled && <span className="badge">off</span>}
      facts={[
        triggers.map(summarizeTrigger).join(", "),
        query !== "" && <code key="query">{query}</code>,
        minTrust !== undefined && REPORTED_BY[minTrust],
        targets.length > 0
          ? `to ${targets.map((one) => one.name).join(", ")}`
          : "to every destination",
        coolDownMs > 0 &&
          `at most one message per issue and condition in ${formatCoolDown(coolDownMs)}`,
        workingHours !== undefined && "in working hours",
      ]}
    >
      <DeskForm
        requiredRole="owner"
        method="post"
        action={toAlertFormUrl("rules")}
        className="entry-actions"
      >
        <input type="hidden" name="do" value="delete" />
        <input type="hidden" name="id" value={id} />
        <button type="submit" className="danger" aria-label={`Delete the rule ${name}`}>
          Delete
        </button>
      </DeskForm>
      <RequireRole requiredRole="owner">
        <details className="entry-details" open={draft !== undefined}>
          <summary aria-label={`Edit the rule ${name}`}>Edit</summary>
          <RuleForm rule={rule} destinations={destinations} draft={draft} />
        </details>
      </RequireRole>
    </SettingsEntry>
  );
}
