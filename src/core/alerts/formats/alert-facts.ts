/**
 * The contents of an alert message in plain lines, for all formats, in their order: what happened
 * and where to whom (`status`), the error, its cause, the line of source, the place, the figures,
 * and a footer about the rule. All texts are on one line, without invisible characters and within
 * `FACT_LIMITS`. `Reported` parts and all headlines are hostile: each format escapes them.
 */
import { pluralize } from "../../numbers.ts";
import { joinTypeAndMessage } from "../../report/title.ts";
import { formatPeople } from "../../stats/people-count.ts";
import { DAY_MS, HOUR_MS, MAX_RFC3339_MS, MINUTE_MS } from "../../utc-time.ts";
import {
  type AlertedIssue,
  type AlertMessage,
  type AlertReason,
  listTriggers,
} from "../alert-message.ts";
import {
  type AlertTriggerKind,
  getTrigger,
  SUMMARY_WORDS,
  TRIGGERS,
} from "../triggers/triggers.ts";
import { toInertLine, toInertUrl } from "./inert-text.ts";
import { joinPhrases, type Phrase, toReported } from "./phrase.ts";

/** The longest texts, in UTF-16 code units. */
export const FACT_LIMITS = {
  reported: 300,
  source: 200,
  value: 120,
  name: 80,
  reason: 300,
  reasons: 5,
  rules: 5,
  issues: 5,
} as const;

/** A link to a page of Errata, or to a prefilled form of GitHub. */
export interface AlertLink {
  readonly label: string;
  readonly url: string;
}

/** An issue in lines. */
export interface IssueFacts {
  readonly digest: string;
  /** Type and message as they were reported. */
  readonly headline: string;
  /** The type with its file and line, for titles on phones: `TypeError in total.ts:41`. */
  readonly shortTitle: string;
  /** The message without its type; empty if `shortTitle` has it. */
  readonly message: string;
  /** In a summary, what happened to the issue: `Regressed`. */
  readonly badge?: string;
  /** `caused by …` */
  readonly cause?: Phrase;
  /** The line of source that threw. */
  readonly source?: string;
  /** The feedback of a visitor, and its author. */
  readonly quote?: Phrase;
  /** Place, route, browser; `Resolved by Ada …`; figures and the first release. Not empty. */
  readonly lines: readonly Phrase[];
  /** `Open` first. */
  readonly links: readonly AlertLink[];
}

/** A message in lines. */
export interface AlertFacts {
  /** 🔴 is new or returned, 🟠 grows, 💬 is feedback, 🟡 is about the project, 🔵 is a test. */
  readonly mark: string;
  /** `New in production · Shop`; of a summary or a message about the project, `Shop`. */
  readonly status: string;
  /** The title, without reported text: `New issue`. */
  readonly title: string;
  readonly project: string;
  readonly issues: readonly IssueFacts[];
  /** Of a summary: `5 new, 1 returned since 14:02 UTC`. */
  readonly summary?: string;
  /** Why a message about the project was sent. */
  readonly reasons: readonly string[];
  /** The rules that matched, by name. */
  readonly rules: readonly AlertLink[];
  /** `New issue · rule “Production” · 7F3K-Q2M9 · quiet until 15:02 UTC` */
  readonly footer: string;
  /** The page of the message: an issue, a list of issues, or the project. */
  readonly main: AlertLink;
  readonly settings: AlertLink;
}

/** The lines of `message`. Links that are not `http(s)` URLs are omitted. */
export function describeAlert(message: AlertMessage): AlertFacts {
  const { summary, kind } = message;
  const isAboutIssue = summary === undefined && message.issues.length > 0;
  const issues = message.issues
    .slice(0, FACT_LIMITS.issues)
    .map((issue) => describeIssue(issue, message));
  const mainUrl = summary?.url ?? message.issues[0]?.links.issue ?? toProjectUrl(message);
  const title = toInertLine(message.title, FACT_LIMITS.value, "Alert");
  const project = toInertLine(message.project.name, FACT_LIMITS.name, message.project.id);
  const rules = listRules(message);
  return {
    mark: chooseMark(message),
    status: formatStatus(message, title, project),
    title,
    project,
    issues,
    summary: summary && title,
    reasons: isAboutIssue || kind === "summary" ? [] : listReasons(message.reasons),
    rules,
    footer: formatFooter(message, title, rules),
    main: { label: nameMainLink(message), url: toInertUrl(mainUrl) ?? "" },
    settings: { label: "Alert settings", url: toInertUrl(message.settingsUrl) ?? "" },
  };
}

/** `2026-11-21 14:02 UTC`. A time outside the years 0 to 9999 is `an unknown time`. */
export function formatUtc(atMs: number): string {
  if (!(Math.abs(atMs) <= MAX_RFC3339_MS)) return "an unknown time";
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The issue of a message about one; undefined for summaries and messages about the project. */
export function getOnlyIssue({ issues, summary }: AlertFacts): IssueFacts | undefined {
  return summary === undefined ? issues[0] : undefined;
}

/** `TypeError: …`; of a summary or a message about the project, its title. */
export function toHeadline(facts: AlertFacts): string {
  return getOnlyIssue(facts)?.headline ?? facts.title;
}

/** `TypeError in total.ts:41: Cannot read …`: the headline, with the place after the type. */
export function toLongTitle({ headline, shortTitle, message }: IssueFacts): string {
  return message !== "" ? `${shortTitle}: ${message}` : headline;
}

function chooseMark(message: AlertMessage): string {
  const { kind, issues, summary } = message;
  const triggers = listTriggers(message).map(getTrigger);
  if (kind === "test") return "🔵";
  if (issues.length === 0 && summary === undefined) return "🟡";
  if (triggers.length === 0) return "🔴";
  if (triggers.every(({ says }) => says === "growing")) return "🟠";
  return triggers.every(({ isFeedback }) => isFeedback === true) ? "💬" : "🔴";
}

/** Titles as they read before the name of an environment. */
const SHORT_TITLES: ReadonlyMap<string, string> = new Map(
  TRIGGERS.flatMap(({ title, shortTitle }) =>
    shortTitle === undefined ? [] : [[title({}), shortTitle]],
  ),
);

/** `fatal · New in production · Shop · 13 × its usual rate`. */
function formatStatus(
  { kind, issues, reasons, summary }: AlertMessage,
  title: string,
  project: string,
): string {
  const [issue] = summary === undefined ? issues : [];
  if (issue === undefined) return project;
  const growth = reasons.find((reason) => reason.growth !== undefined)?.growth ?? "";
  const environment = toInertLine(issue.environment ?? "", FACT_LIMITS.name);
  const full = kind === "test" ? getTrigger("new-issue").title({}) : title;
  const inEnvironment =
    environment === "" ? full : `${SHORT_TITLES.get(full) ?? full} in ${environment}`;
  const level = toInertLine(issue.level ?? "", FACT_LIMITS.name);
  return [
    kind === "test" ? "Test" : "",
    level === "fatal" ? level : "",
    inEnvironment,
    project,
    toInertLine(growth, FACT_LIMITS.name),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function formatFooter(
  { kind, issues, isMadeUp, summary, quietUntilMs, reasons }: AlertMessage,
  title: string,
  rules: readonly AlertLink[],
): string {
  const names = rules.map(({ label }) => `“${label}”`).join(", ");
  const [issue] = summary === undefined && isMadeUp !== true ? issues : [];
  const quiet = quietUntilMs === undefined ? "" : `quiet until ${formatQuiet(quietUntilMs)}`;
  const what = summary === undefined ? title : listReasons(reasons).join(", ");
  return [
    kind === "test" ? describeTest(isMadeUp === true, issue !== undefined) : what,
    names === "" ? "" : `${rules.length === 1 ? "rule" : "rules"} ${names}`,
    issue === undefined ? "" : toInertLine(issue.digest, FACT_LIMITS.name),
    quiet,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function describeTest(isMadeUp: boolean, hasIssue: boolean): string {
  if (isMadeUp) return "Test with a made-up issue, because the project has none";
  return hasIssue ? "Test with the newest issue" : "Test message";
}

function formatQuiet(atMs: number): string {
  return formatUtc(atMs).replace(/^\d{4}-\d\d-\d\d /, "");
}

function describeIssue(issue: AlertedIssue, alert: AlertMessage): IssueFacts {
  const { links, triggers = [], source = "", cause = "", kind } = issue;
  const named: readonly (readonly [string, string | undefined])[] = [
    ["Open", links.issue],
    ["Snooze", links.snooze],
    ["Resolve", links.resolve],
    ["Assign me", links.assign],
    ["GitHub issue", links.github],
    ["Tracker", links.tracker],
  ];
  const badge = SUMMARY_WORDS.find((one) => triggers.includes(one.kind))?.badge;
  const line = toInertLine(source, FACT_LIMITS.source);
  const because = toInertLine(cause, FACT_LIMITS.reported);
  const quote = describeQuote(issue, alert);
  const reported = kind === "message" ? issue.message : joinTypeAndMessage(issue);
  const headline = toInertLine(reported, FACT_LIMITS.reported, "(no message)");
  const shortTitle = toShortTitle(issue, headline);
  const message = shortTitle === headline ? "" : withoutType(issue);
  return {
    digest: toInertLine(issue.digest, FACT_LIMITS.name),
    headline,
    shortTitle,
    message: toInertLine(message, FACT_LIMITS.reported),
    badge,
    cause: because === "" ? undefined : ["caused by ", toReported(because)],
    source: line === "" ? undefined : line,
    quote,
    lines: describeImpact(issue, alert),
    links: named.flatMap(([label, value]) => {
      const url = toInertUrl(value);
      return url === undefined ? [] : [{ label, url }];
    }),
  };
}

function describeQuote({ feedback }: AlertedIssue, { reasons }: AlertMessage): Phrase | undefined {
  const isAsked = reasons.some(({ trigger }) => getTrigger(trigger).isFeedback === true);
  const text = toInertLine(feedback?.text ?? "", FACT_LIMITS.reported);
  if (!isAsked || text === "") return undefined;
  const author = toInertLine(feedback?.author ?? "", FACT_LIMITS.name);
  return ["“", toReported(text), "”", ...(author === "" ? [] : [" · ", toReported(author)])];
}

/** `TypeError in total.ts:41`; without a type or a line, the headline. */
function toShortTitle({ kind, type, place = "" }: AlertedIssue, headline: string): string {
  const [at = ""] = place.split(" in ");
  const file = toInertLine(at.slice(at.lastIndexOf("/") + 1), FACT_LIMITS.name);
  const name = toInertLine(type, FACT_LIMITS.name);
  return kind === "message" || name === "" || !/:\d/.test(file) ? headline : `${name} in ${file}`;
}

function withoutType({ type, message }: AlertedIssue): string {
  return type !== "" && message.startsWith(`${type}:`)
    ? message.slice(type.length + 1).trim()
    : message;
}

function listReasons(reasons: readonly AlertReason[]): readonly string[] {
  return reasons
    .slice(0, FACT_LIMITS.reasons)
    .map(({ text }) => toInertLine(text, FACT_LIMITS.reason))
    .filter((text) => text !== "");
}

function listRules({ reasons }: AlertMessage): readonly AlertLink[] {
  const rules = new Map<string, AlertLink>();
  for (const { name, url } of reasons.flatMap((reason) => reason.rules)) {
    const label = toInertLine(name, FACT_LIMITS.name, "unnamed");
    if (!rules.has(url)) rules.set(url, { label, url: toInertUrl(url) ?? "" });
  }
  return [...rules.values()].slice(0, FACT_LIMITS.rules);
}

function toProjectUrl({ listUrl, project }: AlertMessage): string {
  return listUrl ?? project.url;
}

function nameMainLink({ kind, summary, issues, listUrl }: AlertMessage): string {
  if (listUrl !== undefined) return "Review";
  if (summary !== undefined || kind === "summary") return "Open the list";
  return issues.length > 0 ? "Open" : "Open the project";
}

const MAX_SENTENCES = 3;

/** Where the issue was thrown, who resolved it, how often it occurs; the most important first. */
function describeImpact(
  issue: AlertedIssue,
  message: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  return [
    ...describeWhere(issue),
    ...describeReturn(issue, message),
    ...describeOthers(issue, message),
    ...describeFigures(issue, message),
  ];
}

/** The sentences of triggers that no other line of the message says. */
function describeOthers(
  { resolved }: AlertedIssue,
  { reasons }: Pick<AlertMessage, "reasons">,
): readonly Phrase[] {
  const isSaid = (trigger: AlertTriggerKind) =>
    getTrigger(trigger).isSentenceOptional === true ||
    (trigger === "regressed" && resolved !== undefined);
  return reasons
    .filter(({ trigger, text }) => !isSaid(trigger) && text !== "")
    .slice(0, MAX_SENTENCES)
    .map(({ text }) => [toReported(toInertLine(text, FACT_LIMITS.reason))]);
}

/** `src/total.ts:41 in addItem · POST /api/checkout · Safari 17, iOS`. */
function describeWhere(issue: AlertedIssue): readonly Phrase[] {
  const { place, route, browser, logger, missingMap } = issue;
  const names = [place, route, browser].map((name = "") => toName(name));
  const parts: Phrase[] = names.filter((name) => name !== "").map((name) => [toReported(name)]);
  const from = toName(logger ?? "");
  if (from !== "") parts.unshift(["logger ", toReported(from)]);
  if (missingMap !== undefined) {
    const release = toName(missingMap);
    parts.push(release === "" ? ["no source map"] : ["no source map for ", toReported(release)]);
  }
  return joinPhrases(parts);
}

/** `Resolved by Ada in 2.3.0, 2 days ago; back in 2.4.0`. */
function describeReturn(
  { resolved, release }: AlertedIssue,
  { reasons, atMs }: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  const isReturn = reasons.some(({ trigger }) => trigger === "regressed");
  if (!isReturn || resolved === undefined) return [];
  const [by, fixedIn, backIn] = [resolved.by, resolved.release, release].map((name = "") =>
    toName(name),
  );
  const ago = formatAge(atMs - resolved.atMs);
  return [
    [
      "Resolved",
      ...(by ? [" by ", toReported(by)] : []),
      ...(fixedIn ? [" in ", toReported(fixedIn), ","] : []),
      ago === undefined ? " a moment ago" : ` ${ago} ago`,
      ...(backIn ? ["; back in ", toReported(backIn)] : []),
    ],
  ];
}

/** `12 times, 9 people in 2 min · first in shop@2.4.1 (deployed 14 min ago)`. */
function describeFigures(
  issue: AlertedIssue,
  { reasons, atMs }: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  const { count, userCount = 0, firstSeenMs, lastSeenMs, assignee = "" } = issue;
  const users = userCount > 0 ? formatPeople(userCount) : "";
  const figures = reasons.find((reason) => reason.figures !== undefined)?.figures;
  const span = formatAge(lastSeenMs - firstSeenMs);
  const times = [pluralize(count, "time"), users].filter((part) => part !== "").join(", ");
  const seen =
    figures === undefined
      ? `${times}${span === undefined || count < 2 ? "" : ` in ${span}`}`
      : [figures, users].filter((part) => part !== "").join("; ");
  const assigned = toName(assignee);
  return joinPhrases([
    [seen],
    ...describeReleases(issue, atMs),
    ...(assigned === "" ? [] : [["assigned to ", toReported(assigned)]]),
  ]);
}

function describeReleases(issue: AlertedIssue, atMs: number): readonly Phrase[] {
  const { firstRelease, release, deployedMs } = issue;
  const first = toName(firstRelease ?? release ?? "");
  const last = toName(release ?? "");
  if (first === "") return [];
  const ago = deployedMs === undefined ? undefined : formatAge(atMs - deployedMs);
  return [
    [
      "first in ",
      toReported(first),
      ...(ago === undefined ? [] : [` (deployed ${ago} ago)`]),
      ...(last === "" || last === first ? [] : [", now in ", toReported(last)]),
    ],
  ];
}

/** `8 s`, `14 min`, `3 h`, `2 days`; undefined below a second and for no number. */
function formatAge(ms: number): string | undefined {
  if (!(ms >= 1_000)) return undefined;
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return pluralize(Math.round(ms / DAY_MS), "day");
}

function toName(text: string): string {
  return toInertLine(text, FACT_LIMITS.value);
}
