/**
 * The contents of an alert message in plain sentences, for all formats. All texts are on one line,
 * without invisible characters and within `FACT_LIMITS`. Texts of `reported` and values of `facts`
 * are hostile: each format escapes them.
 */
import { MAX_RFC3339_MS } from "../../utc-time.ts";
import type { AlertedIssue, AlertMessage } from "../alert-message.ts";
import { toInertLine, toInertUrl } from "./inert-text.ts";

/** The longest texts, in UTF-16 code units. */
export const FACT_LIMITS = {
  reported: 300,
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

/** An issue in sentences. */
export interface IssueFacts {
  readonly digest: string;
  /** Type and message as they were reported. */
  readonly reported: string;
  /** `Seen` › `12 times, about 9 users`. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** `Open` first. */
  readonly links: readonly AlertLink[];
}

/** A message in sentences. */
export interface AlertFacts {
  /** The title, without reported text: `New issue`. */
  readonly title: string;
  readonly project: string;
  readonly issues: readonly IssueFacts[];
  /** Of a summary: `41 issues since 2026-11-21 14:02 UTC`. */
  readonly summary?: string;
  /** Why the message was sent, with the figures. */
  readonly reasons: readonly string[];
  /** The rules that matched, by name. */
  readonly rules: readonly AlertLink[];
  /** `No further alerts about this issue until 2026-11-21 15:02 UTC.` */
  readonly quiet?: string;
  /** The page of the message: an issue, a list of issues, or the project. */
  readonly main: AlertLink;
  readonly settings: AlertLink;
}

/** The sentences of `message`. Links that are not `http(s)` URLs are omitted. */
export function describeAlert(message: AlertMessage): AlertFacts {
  const { summary, quietUntilMs } = message;
  const issues = message.issues.slice(0, FACT_LIMITS.issues).map(describeIssue);
  const mainUrl = summary?.url ?? message.issues[0]?.links.issue ?? message.project.url;
  return {
    title: toInertLine(message.title, FACT_LIMITS.value, "Alert"),
    project: toInertLine(message.project.name, FACT_LIMITS.name, message.project.id),
    issues,
    ...(summary === undefined
      ? {}
      : { summary: `${formatCount(summary.issues, "issue")} since ${formatUtc(summary.sinceMs)}` }),
    reasons: message.reasons
      .slice(0, FACT_LIMITS.reasons)
      .map(({ text }) => toInertLine(text, FACT_LIMITS.reason))
      .filter((text) => text !== ""),
    rules: listRules(message),
    ...(quietUntilMs === undefined
      ? {}
      : { quiet: `No further alerts about this issue until ${formatUtc(quietUntilMs)}.` }),
    main: { label: nameMainLink(message), url: toInertUrl(mainUrl) ?? "" },
    settings: { label: "Alert settings", url: toInertUrl(message.settingsUrl) ?? "" },
  };
}

/** `2026-11-21 14:02 UTC`. A time outside the years 0 to 9999 is `an unknown time`. */
export function formatUtc(atMs: number): string {
  if (!(Math.abs(atMs) <= MAX_RFC3339_MS)) return "an unknown time";
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `New issue: TypeError: …`: the title with the first issue, on one line. */
export function toHeadline({ title, issues, summary }: AlertFacts): string {
  const [issue] = issues;
  return issue === undefined || summary !== undefined ? title : `${title}: ${issue.reported}`;
}

/** The rules in one sentence: `Rule “New issues” matched.` */
export function describeRules(rules: readonly AlertLink[]): string {
  if (rules.length === 0) return "";
  const names = rules.map(({ label }) => `“${label}”`).join(", ");
  return rules.length === 1 ? `Rule ${names} matched.` : `Rules ${names} matched.`;
}

function describeIssue(issue: AlertedIssue): IssueFacts {
  const { links, release, firstRelease, trust } = issue;
  const users = issue.userCount ?? 0;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      "Seen",
      `${formatCount(issue.count, "time")}${users > 0 ? `, about ${formatCount(users, "user")}` : ""}`,
    ],
    ["Where", issue.place],
    ["Route", issue.route],
    ["Release", release],
    ["First in", firstRelease === release ? undefined : firstRelease],
    ["Environment", issue.environment],
    ["Trust", trust === "public" ? "reported without a secret key" : undefined],
    ["Assigned to", issue.assignee],
    ["First seen", formatUtc(issue.firstSeenMs)],
  ];
  const named: readonly (readonly [string, string | undefined])[] = [
    ["Open", links.issue],
    ["Resolve", links.resolve],
    ["Mute", links.mute],
    ["Assign", links.assign],
    ["GitHub issue", links.github],
  ];
  return {
    digest: toInertLine(issue.digest, FACT_LIMITS.name),
    reported: toInertLine(joinTypeAndMessage(issue), FACT_LIMITS.reported, "(no message)"),
    facts: facts.flatMap(([label, value = ""]) => {
      const line = toInertLine(value, FACT_LIMITS.value);
      return line === "" ? [] : [[label, line] as const];
    }),
    links: named.flatMap(([label, value]) => {
      const url = toInertUrl(value);
      return url === undefined ? [] : [{ label, url }];
    }),
  };
}

function joinTypeAndMessage({ type, message }: AlertedIssue): string {
  const isTypeIncluded = type === "" || message.startsWith(`${type}:`);
  return isTypeIncluded ? message : [type, message].filter((part) => part !== "").join(": ");
}

function listRules({ reasons }: AlertMessage): readonly AlertLink[] {
  const rules = new Map<string, AlertLink>();
  for (const { name, url } of reasons.flatMap((reason) => reason.rules)) {
    const label = toInertLine(name, FACT_LIMITS.name, "unnamed");
    if (!rules.has(url)) rules.set(url, { label, url: toInertUrl(url) ?? "" });
  }
  return [...rules.values()].slice(0, FACT_LIMITS.rules);
}

function nameMainLink({ kind, summary, issues }: AlertMessage): string {
  if (kind === "summary" || summary !== undefined) return "Open the list";
  return issues.length > 0 ? "Open the issue" : "Open the project";
}

/** `1,204 times`; `1 time`. Avoids `toLocaleString`, whose first call takes 12 ms. */
function formatCount(count: number, noun: string): string {
  const written = String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${written} ${noun}${count === 1 ? "" : "s"}`;
}
