/** A message as an incident of a pager: its key, its urgency and its lines. Pure. */
import type { AlertMessage } from "../alert-message.ts";
import { getTrigger } from "../triggers/triggers.ts";
import { type AlertFacts, describeAlert, getOnlyIssue, toLongTitle } from "./alert-facts.ts";
import { formatPhrase } from "./phrase.ts";

/** A message as an incident. */
export interface Incident {
  /** One per issue and project, so that later messages join it and the resolution closes it. */
  readonly key: string;
  readonly isResolved: boolean;
  readonly severity: "critical" | "error" | "warning" | "info";
  /** `TypeError in total.ts:41: … (Shop)` */
  readonly title: string;
  /** The lines of the message, with the status first. */
  readonly lines: readonly string[];
  readonly facts: AlertFacts;
}

/** The incident of a message. */
export function toIncident(message: AlertMessage): Incident {
  const facts = describeAlert(message);
  const { project, issues, kind, reasons } = message;
  const issue = getOnlyIssue(facts);
  const name = kind === "issue" && issues[0] !== undefined ? issues[0].digest : message.id;
  const title = issue === undefined ? facts.title : toLongTitle(issue);
  return {
    key: `errata-${project.id}-${name}`.replace(/[^\w-]/g, "-").slice(0, 200),
    isResolved: kind === "issue" && reasons.some(({ trigger }) => trigger === "resolved"),
    severity: chooseSeverity(message),
    title: `${title} (${facts.project})`,
    lines: [
      facts.status,
      ...(issue === undefined
        ? [facts.title, ...facts.issues.map((one) => one.headline), ...facts.reasons]
        : [
            issue.headline,
            ...(issue.cause === undefined ? [] : [formatPhrase(issue.cause)]),
            ...(issue.source === undefined ? [] : [issue.source]),
            ...(issue.quote === undefined ? [] : [formatPhrase(issue.quote)]),
            ...issue.lines.map((line) => formatPhrase(line)),
          ]),
      facts.footer,
    ].filter((line) => line !== ""),
    facts,
  };
}

function chooseSeverity({ kind, issues, reasons }: AlertMessage): Incident["severity"] {
  if (kind === "test") return "info";
  const isUrgent = reasons.some(({ trigger }) => getTrigger(trigger).isUrgent);
  if (isUrgent || issues.some(({ level }) => level === "fatal")) return "critical";
  return issues.length > 0 ? "error" : "warning";
}
