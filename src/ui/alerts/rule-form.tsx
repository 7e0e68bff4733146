/** The form of a rule. It works without scripts: each choice is a separate field. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { DEFAULT_RULE } from "../../core/alerts/default-rule.ts";
import type { DestinationSummary } from "../../core/alerts/destination.ts";
import { findQueryProblem } from "../../core/alerts/queries/check-rule-query.ts";
import type { QueryCheck } from "../../core/alerts/queries/query-check.ts";
import type { AlertRule, AlertTrigger } from "../../core/alerts/rule.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import { findQueryHints } from "../../core/issue/query-hints.ts";
import { limits } from "../../core/limits.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { NameField } from "../settings/name-field.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";
import {
  COOL_DOWNS,
  DAY_NAMES,
  formatCoolDown,
  formatMinutes,
  formatQueryCheck,
  PERIOD_UNITS,
  splitPeriod,
  TRIGGER_LABELS,
} from "./alert-texts.ts";

const TRIGGERS = Object.entries(TRIGGER_LABELS) as [AlertTrigger["kind"], string][];
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
  const triggers = rule?.triggers ?? DEFAULT_RULE.triggers;
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
        {TRIGGERS.map(([kind, label]) => (
          <TriggerChoice
            key={kind}
            kind={kind}
            label={label}
            trigger={triggers.find((one) => one.kind === kind) as AlertTrigger | undefined}
          />
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
  const hints = findQueryHints(parseIssueQuery(query), check.missing);
  return (
    <>
      <p role="status">{formatQueryCheck(check)}</p>
      {hints.flatMap(({ kind, input, suggestion }) =>
        kind === "word"
          ? []
          : [
              <p className="warning" key={input}>
                No issue has “{input}”.
                {suggestion !== undefined && ` Did you mean “${suggestion.input}”?`}
              </p>,
            ],
      )}
    </>
  );
}

function TriggerChoice({
  kind,
  label,
  trigger,
}: {
  kind: AlertTrigger["kind"];
  label: string;
  trigger: AlertTrigger | undefined;
}) {
  return (
    <div className="trigger-choice">
      <label className="choice">
        <input type="checkbox" name={`on.${kind}`} defaultChecked={trigger !== undefined} />
        <span>{label}</span>
      </label>
      {kind === "occurrences" && (
        <OccurrenceFields
          count={getFigure(trigger, "count", 100)}
          withinMs={getFigure(trigger, "withinMs", DAY_MS)}
        />
      )}
      {kind === "users" && (
        <NumberFields fields={[["users.count", "Users", getFigure(trigger, "count", 10)]]} />
      )}
      {kind === "crash-free" && (
        <NumberFields
          fields={[["crash-free.percent", "Below %", getFigure(trigger, "below", 0.99) * 100]]}
        />
      )}
    </div>
  );
}

function OccurrenceFields({ count, withinMs }: { count: number; withinMs: number }) {
  const [within, unit] = splitPeriod(withinMs);
  return (
    <>
      <NumberFields
        fields={[
          ["occurrences.count", "Occurrences", count],
          ["occurrences.within", "Within", within],
        ]}
      />
      <label>
        <span className="visually-hidden">Unit of the period</span>
        <select name="occurrences.unit" defaultValue={unit}>
          {PERIOD_UNITS.map(([name]) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function NumberFields({
  fields,
}: {
  fields: readonly (readonly [name: string, label: string, value: number])[];
}) {
  return (
    <div className="form-row-inline">
      {fields.map(([name, label, value]) => (
        <label key={name}>
          <span>{label}</span>
          <input
            type="number"
            name={name}
            min={1}
            step={name.endsWith("percent") ? 0.1 : 1}
            defaultValue={Math.round(value * 100) / 100}
          />
        </label>
      ))}
    </div>
  );
}

/** A figure of a trigger; `otherwise` if the rule does not have it. */
function getFigure(
  trigger: AlertTrigger | undefined,
  name: "count" | "withinMs" | "below",
  otherwise: number,
): number {
  const value = (trigger as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
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
