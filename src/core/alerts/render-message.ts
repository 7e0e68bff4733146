/** Renders an alert, or a summary of several, from the current issues. Pure. */

import { FIRST_PROJECT_ID } from "../accounts/project-path.ts";
import { formatFullPlace } from "../place/issue-place.ts";
import { withOtherErrors } from "../report/title.ts";
import type { Digest } from "../report.ts";
import { countUsers } from "../stats/trust-counts.ts";
import { truncateText } from "../truncate.ts";
import type { AlertedIssue, AlertMessage, AlertReason, MessageAction } from "./alert-message.ts";
import { type AlertedFacts, findFeedback } from "./alerted-facts.ts";
import type { IssueDetails } from "./describe-report.ts";
import { type DueAlert, type FiredTrigger, formatTime } from "./due-alert.ts";
import type { HandOffFacts } from "./hand-off.ts";
import { countNews, createPeriodReport } from "./periods/period-report.ts";
import { SUMMARY_PERIODS } from "./periods/summary-period.ts";
import { type AlertTriggerKind, getTrigger, SUMMARY_WORDS } from "./triggers/triggers.ts";

/** The facts of a message that the alert does not have. */
export interface RenderContext {
  readonly project: { readonly id: string; readonly name: string };
  /** The origin of links; empty for links that are relative to it. */
  readonly origin: string;
  /** The URL of a prefilled GitHub issue, if the project has a repository. */
  readonly toGitHubUrl?: ((issue: Omit<AlertedIssue, "links">, url: string) => string) | undefined;
  readonly ruleNames: ReadonlyMap<string, string>;
  /** The issues by digest; an erased one is missing. */
  readonly issues: ReadonlyMap<Digest, AlertedFacts>;
  /** The details of some of these issues. */
  readonly details?: ReadonlyMap<Digest, IssueDetails>;
  /** The URL of a signed action, relative to the project. */
  readonly toActionPath?: (action: MessageAction, digest: Digest, atMs: number) => string;
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
/** Issues that the link of a summary lists. */
const MAX_LINKED_DIGESTS = 40;

/** The message; of several alerts a summary. */
export function renderMessage(rendered: RenderedAlerts, context: RenderContext): AlertMessage {
  const [first, ...others] = rendered.alerts;
  if (first === undefined || others.length > 0 || rendered.more > 0)
    return renderSummary(rendered, context);
  const { atMs, digest, triggers, quietUntilMs } = first;
  const issue = digest === undefined ? undefined : context.issues.get(digest);
  const kinds = triggers.map(({ kind }) => getTrigger(kind));
  const isAboutFeedback = kinds.some(({ isFeedback }) => isFeedback === true);
  const listPath = kinds.find((one) => one.listPath !== undefined)?.listPath;
  return {
    id: rendered.id,
    kind: digest === undefined ? "project" : "issue",
    atMs,
    ...renderProject(context),
    reasons: triggers.map((trigger) => renderReason(trigger, context)),
    title: triggers.map((trigger) => getTrigger(trigger.kind).title(trigger)).join(", "),
    issues: issue === undefined ? [] : [renderIssue(issue, atMs, context, isAboutFeedback)],
    listUrl: listPath === undefined ? undefined : `${toBase(context)}${listPath}`,
    quietUntilMs,
  };
}

/** The facts of a day or week, and what the mail needs besides them. */
interface RenderedPeriod
  extends Pick<Parameters<typeof createPeriodReport>[0], "every" | "facts" | "range" | "deploys"> {
  readonly id: string;
  readonly atMs: number;
  readonly isPersonal: boolean;
}

/** The summary of a day or week. */
export function renderPeriod(
  { id, atMs, isPersonal, ...input }: RenderedPeriod,
  context: RenderContext,
): AlertMessage {
  const base = toBase(context);
  const period = createPeriodReport({
    ...input,
    ...(isPersonal && { isPersonal }),
    toIssueUrl: (digest) => `${base}/d/${digest}`,
    toListUrl: (digests) => toListUrl(digests, context),
  });
  return {
    id,
    kind: "period",
    atMs,
    ...renderProject(context),
    reasons: [],
    issues: [],
    period,
    title: `${SUMMARY_PERIODS[input.every].title}: ${countNews(period)}`,
  };
}

/** A message to an agent; without facts, a test. It has no issue: no reported text. */
export function renderHandOff({
  id,
  atMs,
  project,
  origin,
  facts,
}: {
  readonly id: string;
  readonly atMs: number;
  /** The id of the project: its name is a text too. */
  readonly project: string;
  readonly origin: string;
  readonly facts?: HandOffFacts;
}): AlertMessage {
  const isReturn = facts?.return !== undefined;
  return {
    id,
    kind: facts === undefined ? "test" : "hand-off",
    atMs,
    ...renderProject({ project: { id: project, name: project }, origin }),
    reasons: [],
    title: facts === undefined ? "Test message" : isReturn ? "Hand-off: came back" : "Hand-off",
    issues: [],
    ...(facts !== undefined && { handOff: facts }),
  };
}

/** A test with the newest issue of the project; with a made-up one if it has none. */
export function renderTest(
  id: string,
  atMs: number,
  context: RenderContext,
  newest?: Digest,
): AlertMessage {
  const issue = newest === undefined ? undefined : context.issues.get(newest);
  return {
    id,
    kind: "test",
    atMs,
    ...renderProject(context),
    reasons: [],
    title: "Test message",
    issues: [
      issue === undefined ? createExample(atMs, context) : renderIssue(issue, atMs, context),
    ],
    ...(issue === undefined && { isMadeUp: true as const }),
  };
}

/** The issue of a test in a project without issues. Its links lead to the list. */
function createExample(atMs: number, context: RenderContext): AlertedIssue {
  const url = `${toBase(context)}/issues`;
  return {
    digest: "TEST-TEST",
    kind: "error",
    type: "TypeError",
    trust: "server",
    count: 12,
    message: "Cannot read properties of undefined (reading 'price')",
    place: "src/cart/total.ts:41 in addItem",
    source: "return sum + item.price * item.quantity;",
    route: "POST /api/checkout",
    release: "shop@2.4.1",
    firstRelease: "shop@2.4.1",
    environment: "production",
    userCount: 9,
    firstSeenMs: atMs - 120_000,
    lastSeenMs: atMs,
    links: { issue: url, receipt: url },
  };
}

/** The issues that a message of these alerts shows: those that need details. */
export function listShownIssues(
  alerts: readonly DueAlert[],
  issues: ReadonlyMap<Digest, AlertedFacts>,
): readonly AlertedFacts[] {
  return sortByUrgency(toTriggersOf(alerts), issues)
    .flatMap((digest) => issues.get(digest) ?? [])
    .slice(0, MAX_SUMMARY_ISSUES);
}

function toTriggersOf(alerts: readonly DueAlert[]): ReadonlyMap<Digest, Set<AlertTriggerKind>> {
  const triggersOf = new Map<Digest, Set<AlertTriggerKind>>();
  for (const { digest, triggers } of alerts) {
    if (digest === undefined) continue;
    const known = triggersOf.get(digest) ?? new Set();
    triggersOf.set(digest, known);
    for (const { kind } of triggers) known.add(kind);
  }
  return triggersOf;
}

function renderSummary({ id, alerts, more }: RenderedAlerts, context: RenderContext): AlertMessage {
  const triggersOf = toTriggersOf(alerts);
  const sinceMs = Math.min(...alerts.map(({ atMs }) => atMs));
  const atMs = Math.max(...alerts.map(({ atMs }) => atMs));
  const digests = sortByUrgency(triggersOf, context.issues);
  const issues = digests.flatMap((digest) => context.issues.get(digest) ?? []);
  const triggers = alerts.flatMap((alert) => alert.triggers);
  const kinds = new Set(triggers.map(({ kind }) => kind));
  return {
    id,
    kind: "summary",
    atMs,
    ...renderProject(context),
    reasons: [...kinds].map((kind) => summarizeReason(kind, triggers, context)),
    title: `${countByWord(triggersOf, more)} since ${formatTime(sinceMs)}`,
    issues: issues.slice(0, MAX_SUMMARY_ISSUES).map((issue) => ({
      ...renderIssue(issue, atMs, context),
      triggers: [...(triggersOf.get(issue.digest) ?? [])],
    })),
    summary: {
      issues: digests.length + more,
      sinceMs,
      url: toListUrl(digests, context),
      digests: digests.slice(0, MAX_SUMMARY_DIGESTS),
    },
  };
}

/** Issues that returned first, then those that grow, then the others; each by count. */
function sortByUrgency(
  triggersOf: ReadonlyMap<Digest, ReadonlySet<AlertTriggerKind>>,
  issues: ReadonlyMap<Digest, AlertedFacts>,
): readonly Digest[] {
  const rankOf = (kinds: ReadonlySet<AlertTriggerKind>) => {
    const word = SUMMARY_WORDS.find(({ kind }) => kinds.has(kind))?.word;
    return word === "returned" ? 0 : word === "growing" ? 1 : word === "new" ? 3 : 2;
  };
  const countOf = (digest: Digest) => issues.get(digest)?.count ?? 0;
  return [...triggersOf]
    .sort(([a, ofA], [b, ofB]) => rankOf(ofA) - rankOf(ofB) || countOf(b) - countOf(a))
    .map(([digest]) => digest);
}

/** `5 new, 1 returned, 2 other issues`; `41 new issues` if there are only new ones. */
function countByWord(
  triggersOf: ReadonlyMap<Digest, ReadonlySet<AlertTriggerKind>>,
  more: number,
): string {
  const counts = new Map<string, number>();
  for (const kinds of triggersOf.values()) {
    const word = SUMMARY_WORDS.find(({ kind }) => kinds.has(kind))?.word ?? "";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const total = triggersOf.size + more;
  const [only] = counts.size === 1 ? counts.keys() : [];
  if (only === "new") return `${total} new ${nameIssues(total)}`;
  const words = new Set(SUMMARY_WORDS.map(({ word }) => word).reverse());
  const known = [...words].flatMap((word) => {
    const count = counts.get(word) ?? 0;
    return count === 0 ? [] : `${count} ${word}`;
  });
  const others = (counts.get("") ?? 0) + more;
  const rest = `${others} ${known.length > 0 ? "other " : ""}${nameIssues(others)}`;
  return [...known, ...(others > 0 || known.length === 0 ? [rest] : [])].join(", ");
}

function nameIssues(count: number): string {
  return count === 1 ? "issue" : "issues";
}

/** The list of exactly these issues; of new ones if there are more than a link can name. */
function toListUrl(digests: readonly Digest[], context: RenderContext): string {
  const query =
    digests.length === 0 || digests.length > MAX_LINKED_DIGESTS
      ? "is:new"
      : `digest:${digests.join(",")}`;
  return `${toBase(context)}/issues?q=${encodeURIComponent(query)}&sort=first`;
}

function summarizeReason(
  kind: AlertTriggerKind,
  triggers: readonly FiredTrigger[],
  context: RenderContext,
): AlertReason {
  const same = triggers.filter((trigger) => trigger.kind === kind);
  const rules = [...new Set(same.flatMap((trigger) => trigger.rules))];
  const { title, summaryTitle = title({}) } = getTrigger(kind);
  return {
    trigger: kind,
    text: `${summaryTitle}: ${same.length}`,
    rules: renderRules(rules, context),
  };
}

function renderReason(trigger: FiredTrigger, context: RenderContext): AlertReason {
  const { kind } = trigger;
  const { sentence, figures, growth } = getTrigger(kind);
  return {
    trigger: kind,
    text: sentence(trigger),
    rules: renderRules(trigger.rules, context),
    figures: figures?.(trigger),
    growth: growth?.(trigger),
  };
}

function renderRules(ids: readonly string[], context: RenderContext): AlertReason["rules"] {
  return ids.map((id) => ({
    name: context.ruleNames.get(id) ?? "a rule that was deleted",
    url: `${toBase(context)}/settings/alerts#rule-${encodeURIComponent(id)}`,
  }));
}

function renderProject(
  context: Pick<RenderContext, "project" | "origin">,
): Pick<AlertMessage, "project" | "settingsUrl"> {
  const base = toBase(context);
  return {
    project: { ...context.project, url: `${base}/issues` },
    settingsUrl: `${base}/settings/alerts`,
  };
}

/** An issue in a message. */
export function renderIssue(
  issue: AlertedFacts,
  atMs: number,
  context: RenderContext,
  isAboutFeedback = false,
): AlertedIssue {
  const { digest, kind, type, message, release, firstRelease, environment } = issue;
  const { trust, firstSeenMs, lastSeenMs, assignee, otherErrors } = issue;
  const details = context.details?.get(digest) ?? {};
  const base = toBase(context);
  const userCount = countUsers(issue);
  const toAction = (action: MessageAction) => {
    const path = context.toActionPath?.(action, digest, atMs);
    return path === undefined ? undefined : base + path;
  };
  const issueUrl = `${base}/d/${digest}`;
  const facts = {
    digest,
    kind,
    trust,
    count: issue.count,
    firstSeenMs,
    lastSeenMs,
    type: truncateText(type, MAX_TEXT_CHARS),
    message: withOtherErrors(truncateText(message, MAX_TEXT_CHARS), otherErrors),
    place: limitText(choosePlace(issue, details)),
    source: limitText(details.source),
    missingMap: limitText(issue.place === undefined ? details.missingMap : undefined),
    cause: limitText(details.cause),
    route: limitText(details.route ?? issue.route),
    browser: limitText(details.browser),
    level: limitText(details.level),
    logger: limitText(details.logger),
    release: limitText(release),
    firstRelease: limitText(firstRelease),
    deployedMs: details.deployedMs,
    environment: limitText(environment),
    assignee,
    userCount: userCount > 0 ? userCount : undefined,
    returnedMs: issue.decision?.regressedAtMs,
    resolved: findResolved(issue),
    feedback: isAboutFeedback ? describeFeedback(issue) : undefined,
  };
  return {
    ...facts,
    links: {
      issue: issueUrl,
      receipt: `${base}/e/${digest}`,
      resolve: toAction("resolve"),
      snooze: toAction("snooze"),
      assign: toAction("assign"),
      github: issue.tracker === undefined ? context.toGitHubUrl?.(facts, issueUrl) : undefined,
      tracker: issue.tracker?.url,
    },
  };
}

/** The place that the source line is of; else that of a map, which most reports have. */
function choosePlace({ place, culprit }: AlertedFacts, details: IssueDetails): string | undefined {
  if (details.source !== undefined || place === undefined) return details.place ?? culprit;
  return formatFullPlace(place);
}

/** Of an issue that returned. */
function findResolved({ decision, resolvedBy: by }: AlertedFacts): AlertedIssue["resolved"] {
  if (decision?.regressedAtMs === undefined) return undefined;
  const { atMs, resolvedInRelease: release } = decision;
  return { atMs, release, by };
}

function describeFeedback(issue: AlertedFacts): AlertedIssue["feedback"] {
  const found = findFeedback(issue);
  if (found === undefined) return undefined;
  const { message, author } = found;
  return { text: truncateText(message, MAX_TEXT_CHARS), author };
}

function limitText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : truncateText(text, MAX_TEXT_CHARS);
}

/** The desk of the first project is at the root. */
function toBase({ origin, project }: Pick<RenderContext, "project" | "origin">): string {
  return project.id === FIRST_PROJECT_ID ? origin : `${origin}/p/${project.id}`;
}
