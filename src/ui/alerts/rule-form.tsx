/** The form of a rule. It works without scripts: each choice is a separate field. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { DestinationSummary } from "../../core/alerts/destinations/destinations.ts";
import { findQueryProblem, type QueryCheck } from "../../core/alerts/queries/check-rule-query.ts";
import { type AlertRule, DEFAULT_RULE } from "../../core/alerts/rule.ts";
import { listTriggerFields } from "../../core/alerts/triggers/triggers.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import { findQueryProblems } from "../../core/issue/query-problems.ts";
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { NameField } from "../settings/name-field.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import {
  COOL_DOWNS,
  DAY_NAMES,
  formatCoolDown,
  formatMinutes,
  formatQueryCheck,
} from "./alert-texts.ts";

const DEFAULT_DAYS = [1, 2, 3, 4, 5];

/** The rule of a form that was sent and not saved. */
export interface RuleDraft {
  readonly rule: AlertRule;
  /** The result of its check; null if the index was unavailable, absent without a check. */
  readonly check?: QueryCheck | null;
}

/** The fields of `draft`, of `rule`, or those of a new one. */
export function RuleForm({
  rule: saved,
  destinations,
  draft,
}: {
  rule?: AlertRule;
  destinations: readonly DestinationSummary[];
  draft: RuleDraft | undefined;
}) {
  const rule = draft?.rule ?? saved;
  const shared = destinations.filter(({ person }) => person === undefined);
  return (
    <DeskForm
      requiredRole="owner"
      method="post"
      action={toAlertFormUrl("rules")}
      className="form-stack"
    >
      {saved !== undefined && <input type="hidden" name="id" value={saved.id} />}
      <NameField
        maxLength={alertLimits.maxNameChars}
        defaultValue={rule?.name}
        placeholder="New in production"
      />
      <fieldset>
        <legend>Alert when</legend>
        {listTriggerFields(rule?.triggers ?? DEFAULT_RULE.triggers).map((choice) => (
          <TriggerChoice key={choice.kind} {...choice} />
        ))}
      </fieldset>
      <QueryField query={rule?.query ?? ""} check={draft?.check} id={saved?.id ?? "new"} />
      <label>
        <span>Reported by</span>
        <select name="minTrust" defaultValue={rule?.minTrust ?? "public"}>
          <option value="public">Everyone</option>
          <option value="page">Servers and signed pages</option>
          <option value="server">Servers only</option>
        </select>
      </label>
      {shared.length > 0 && (
        <fieldset>
          <legend>Send to (all destinations if none is checked)</legend>
          {shared.map(({ id, name }) => (
            <label key={id} className="choice">
              <input
                type="checkbox"
                name={`to.${id}`}
                defaultChecked={rule?.destinations.includes(id)}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <CoolDownSelect coolDownMs={rule?.coolDownMs ?? alertLimits.defaultCoolDownMs} />
      <WorkingHoursFields rule={rule} />
      <label className="choice">
        <input type="checkbox" name="enabled" defaultChecked={rule?.enabled ?? true} />
        <span>Enabled</span>
      </label>
      <div className="form-row-inline">
        <button type="submit" name="do" value="save">
          {saved === undefined ? "Add rule" : "Save rule"}
        </button>
        <button type="submit" name="do" value="check" className="quiet">
          Check
        </button>
      </div>
    </DeskForm>
  );
}

/** The query, why it is invalid, and what it finds. */
function QueryField({
  query,
  check,
  id,
}: {
  query: string;
  check: RuleDraft["check"];
  id: string;
}) {
  const problem = findQueryProblem(query);
  const noteId = `query-note-${id}`;
  return (
    <div className="form-stack">
      <label>
        <span>
          Only what matches this query. Leave empty for everything except noise. Environment,
          release, page, browser and tags are those of the reports that trigger the alert; with
          them, the rule counts the reports since it was saved.
        </span>
        <input
          name="query"
          type="text"
          maxLength={limits.maxIssueQueryChars}
          defaultValue={query}
          placeholder="env:production -kind:csp"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={noteId}
          aria-invalid={problem === null ? undefined : true}
        />
      </label>
      <div id={noteId}>
        {problem !== null && <p className="warning">{problem}</p>}
        {check === null && (
          <p className="warning">Not checked. Issues are temporarily unavailable.</p>
        )}
        {check && <QueryCheckText query={query} check={check} />}
      </div>
    </div>
  );
}

function QueryCheckText({ query, check }: { query: string; check: QueryCheck }) {
  const problems = findQueryProblems(parseIssueQuery(query), check.missing, {
    keepsUnknown: true,
  });
  return (
    <>
      <p role="status">{formatQueryCheck(check)}</p>
      {problems.map(({ part, reason, suggestion }) => (
        <p className="warning" key={part}>
          “{part}”: {reason}
          {suggestion !== undefined && ` Did you mean “${suggestion.part}”?`}
        </p>
      ))}
    </>
  );
}

/** A condition, and the inputs of its parameters. */
function TriggerChoice({
  kind,
  label,
  isChosen,
  inputs,
}: ReturnType<typeof listTriggerFields>[number]) {
  return (
    <div className="trigger-choice">
      <label className="choice">
        <input type="checkbox" name={`on.${kind}`} defaultChecked={isChosen} />
        <span>{label}</span>
      </label>
      {inputs.length > 0 && (
        <div className="form-row-inline">
          {inputs.map(({ name, label: inputLabel, value, step }) => (
            <label key={name}>
              <span>{inputLabel}</span>
              <input type="number" name={name} min={1} step={step} defaultValue={value} />
            </label>
          ))}
        </div>
      )}
      {inputs.map(
        ({ unit }) =>
          unit !== undefined && (
            <label key={unit.name}>
              <span className="visually-hidden">Unit of the period</span>
              <select name={unit.name} defaultValue={unit.value}>
                {unit.choices.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          ),
      )}
    </div>
  );
}

function CoolDownSelect({ coolDownMs }: { coolDownMs: number }) {
  const isListed = COOL_DOWNS.some(([ms]) => ms === coolDownMs);
  return (
    <label>
      <span>
        Cool-down (time without a second alert for the same issue and condition, unless it gets ten
        times worse)
      </span>
      <select name="coolDownMs" defaultValue={coolDownMs}>
        {!isListed && <option value={coolDownMs}>{formatCoolDown(coolDownMs)}</option>}
        {COOL_DOWNS.map(([ms, label]) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function WorkingHoursFields({ rule }: { rule: AlertRule | undefined }) {
  const hours = rule?.workingHours;
  return (
    <details className="entry-details" open={hours !== undefined}>
      <summary>Working hours</summary>
      <label className="choice">
        <input type="checkbox" name="hours" defaultChecked={hours !== undefined} />
        <span>
          Send only in these hours. Other messages wait until the hours begin. Hours that end before
          they begin pass midnight.
        </span>
      </label>
      <fieldset className="day-choices">
        <legend className="visually-hidden">Days</legend>
        {DAY_NAMES.map((name, day) => (
          <label key={name} className="choice">
            <input
              type="checkbox"
              name={`day.${day}`}
              defaultChecked={(hours?.days ?? DEFAULT_DAYS).includes(day)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <HourFields from={hours?.from ?? 540} to={hours?.to ?? 1_080} timeZone={hours?.timeZone} />
    </details>
  );
}

/** The fields `from`, `to` and `timeZone`. */
export function HourFields({
  from,
  to,
  timeZone = "UTC",
}: {
  from: number;
  to: number;
  timeZone?: string | undefined;
}) {
  return (
    <div className="form-row-inline">
      <label>
        <span>From</span>
        <input type="time" name="from" defaultValue={formatMinutes(from % 1_440)} />
      </label>
      <label>
        <span>To</span>
        <input type="time" name="to" defaultValue={formatMinutes(to % 1_440)} />
      </label>
      <label>
        <span>Time zone</span>
        <input
          type="text"
          name="timeZone"
          defaultValue={timeZone}
          placeholder="Europe/Berlin"
          autoComplete="off"
        />
      </label>
    </div>
  );
}
