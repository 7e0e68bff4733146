/** Renders an alert, or a summary of several, from the current issues. Pure. */

import type { Issue } from "../issue/issue.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { formatCulprit } from "../place/issue-place.ts";
import { withOtherErrors } from "../report/title.ts";
import type { Digest } from "../report.ts";
import { countUsers } from "../stats/trust-counts.ts";
import { truncateText } from "../truncate.ts";
import type { AlertedIssue, AlertMessage, AlertReason } from "./alert-message.ts";
import { describeTrigger, formatTime, toTriggerTitle } from "./describe-trigger.ts";
import type { DueAlert, FiredTrigger } from "./due-alert.ts";
import type { AlertTriggerKind } from "./rule.ts";

/** The facts of a message that the alert does not have. */
export interface RenderContext {
  readonly project: { readonly id: string; readonly name: string };
  /** The origin of links; empty for links that are relative to it. */
  readonly origin: string;
  /** The URL of a prefilled GitHub issue, if the project has a repository. */
  readonly toGitHubUrl?: ((issue: Omit<AlertedIssue, "links">, url: string) => string) | undefined;
  readonly ruleNames: ReadonlyMap<string, string>;
  /** The issues by digest; an erased one is missing. */
  readonly issues: ReadonlyMap<Digest, Issue>;
  /** The URL of a signed action, relative to the project. */
  readonly toActionPath?: (
    action: "resolve" | "mute" | "assign",
    digest: Digest,
    atMs: number,
  ) => string;
}

/** The alerts of one message; `more` counts those that are not listed. */
interface RenderedAlerts {
  readonly id: string;
  readonly alerts: readonly DueAlert[];
  readonly more: number;
}

const MAX_TEXT_CHARS = 300;
const MAX_SUMMARY_ISSUES = 5;
const MAX_SUMMARY_DIGESTS = 500;

/** The message; of several alerts a summary. */
export function renderMessage(rendered: RenderedAlerts, context: RenderContext): AlertMessage {
  const [first, ...others] = rendered.alerts;
  if (first === undefined || others.length > 0 || rendered.more > 0)
    return renderSummary(rendered, context);
  const { atMs, digest, triggers, quietUntilMs } = first;
  const issue = digest === undefined ? undefined : context.issues.get(digest);
  return {
    id: rendered.id,
    kind: digest === undefined ? "project" : "issue",
    atMs,
    ...renderProject(context),
    reasons: triggers.map((trigger) => renderReason(trigger, context)),
    title: triggers.map(toTriggerTitle).join(", "),
    issues: issue === undefined ? [] : [renderIssue(issue, atMs, context)],
    ...omitUndefined({ quietUntilMs }),
  };
}

export function renderTest(id: string, atMs: number, context: RenderContext): AlertMessage {
  return {
    ...{ id, kind: "test", atMs, ...renderProject(context) },
    reasons: [],
    title: "Test message",
    issues: [],
  };
}

function renderSummary({ id, alerts, more }: RenderedAlerts, context: RenderContext): AlertMessage {
  const digests = [...new Set(alerts.flatMap(({ digest }) => digest ?? []))];
  const sinceMs = Math.min(...alerts.map(({ atMs }) => atMs));
  const atMs = Math.max(...alerts.map(({ atMs }) => atMs));
  const issues = digests.flatMap((digest) => context.issues.get(digest) ?? []);
  const worst = issues.toSorted((a, b) => b.count - a.count).slice(0, MAX_SUMMARY_ISSUES);
  const triggers = alerts.flatMap((alert) => alert.triggers);
  const kinds = new Set(triggers.map(({ kind }) => kind));
  const count = digests.length + more;
  const what = kinds.size === 1 && kinds.has("new-issue") ? "new issues" : "issues";
  return {
    ...{ id, kind: "summary", atMs, ...renderProject(context) },
    reasons: [...kinds].map((kind) => summarizeReason(kind, triggers, context)),
    title: `${count} ${what} since ${formatTime(sinceMs)}`,
    issues: worst.map((issue) => renderIssue(issue, atMs, context)),
    summary: {
      issues: count,
      sinceMs,
      url: `${toBase(context)}/issues?q=${encodeURIComponent("is:new")}&sort=first`,
      digests: digests.slice(0, MAX_SUMMARY_DIGESTS),
    },
  };
}

function summarizeReason(
  kind: AlertTriggerKind,
  triggers: readonly FiredTrigger[],
  context: RenderContext,
): AlertReason {
  const same = triggers.filter((trigger) => trigger.kind === kind);
  const rules = [...new Set(same.flatMap((trigger) => trigger.rules))];
  const title = toTriggerTitle({ kind, rules, value: 0 });
  const text = kind === "occurrences" || kind === "users" ? `Limit of ${kind} reached` : title;
  return {
    trigger: kind,
    text: `${text}: ${same.length}. Sent as one message because many alerts came together.`,
    rules: renderRules(rules, context),
  };
}

function renderReason(trigger: FiredTrigger, context: RenderContext): AlertReason {
  return {
    trigger: trigger.kind,
    text: describeTrigger(trigger),
    rules: renderRules(trigger.rules, context),
  };
}

function renderRules(ids: readonly string[], context: RenderContext): AlertReason["rules"] {
  return ids.map((id) => ({
    name: context.ruleNames.get(id) ?? "a rule that was deleted",
    url: `${toBase(context)}/settings/alerts#rule-${encodeURIComponent(id)}`,
  }));
}

function renderProject(context: RenderContext): Pick<AlertMessage, "project" | "settingsUrl"> {
  const base = toBase(context);
  return {
    project: { ...context.project, url: `${base}/issues` },
    settingsUrl: `${base}/settings/alerts`,
  };
}

function renderIssue(issue: Issue, atMs: number, context: RenderContext): AlertedIssue {
  const { digest, kind, type, message, route, release, firstRelease, environment } = issue;
  const { trust, firstSeenMs, lastSeenMs, assignee, otherErrors } = issue;
  const base = toBase(context);
  const userCount = countUsers(issue);
  const toAction = (action: "resolve" | "mute" | "assign") => {
    const path = context.toActionPath?.(action, digest, atMs);
    return path === undefined ? undefined : base + path;
  };
  const issueUrl = `${base}/d/${digest}`;
  const facts = {
    ...{ digest, kind, trust, count: issue.count, firstSeenMs, lastSeenMs },
    type: truncateText(type, MAX_TEXT_CHARS),
    message: withOtherErrors(truncateText(message, MAX_TEXT_CHARS), otherErrors),
    ...omitUndefined({
      place: limitText(formatCulprit(issue)),
      route: limitText(route),
      release: limitText(release),
      firstRelease: limitText(firstRelease),
      environment: limitText(environment),
      assignee,
      userCount: userCount > 0 ? userCount : undefined,
    }),
  };
  return {
    ...facts,
    links: {
      issue: issueUrl,
      receipt: `${base}/e/${digest}`,
      ...omitUndefined({
        resolve: toAction("resolve"),
        mute: toAction("mute"),
        assign: toAction("assign"),
        github: context.toGitHubUrl?.(facts, issueUrl),
      }),
    },
  };
}

function limitText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : truncateText(text, MAX_TEXT_CHARS);
}

/** The desk of the first project is at the root. */
function toBase({ origin, project }: RenderContext): string {
  return project.id === "1" ? origin : `${origin}/p/${project.id}`;
}
