/**
 * The summary of a day or week as a mail: subject, text and HTML. A period with nothing new has no
 * list: the mail is sent all the same, so that a missing one means that something is wrong. Pure.
 */
import { formatNumber, pluralize } from "../../../numbers.ts";
import { describeChange } from "../../../overview/error-trend.ts";
import { formatFullPlace } from "../../../place/issue-place.ts";
import { joinTypeAndMessage, withOtherErrors } from "../../../report/title.ts";
import { formatPeople } from "../../../stats/people-count.ts";
import { truncateText } from "../../../truncate.ts";
import { ORIGINS } from "../../../trust/trust.ts";
import { DAY_MS } from "../../../utc-time.ts";
import type { AlertMessage } from "../../alert-message.ts";
import { PERIOD_GROUPS, type PeriodIssue } from "../../periods/period-facts.ts";
import {
  countNews,
  type PeriodRelease,
  type PeriodReport,
  type ReportedGroup,
} from "../../periods/period-report.ts";
import { SUMMARY_HOUR, SUMMARY_PERIODS } from "../../periods/summary-period.ts";
import { breakLinks, toInertLine, toInertUrl } from "../inert-text.ts";
import {
  formatButtons,
  formatEntry,
  formatHeadline,
  formatMailDocument,
  formatMailFooter,
  formatMutedLink,
  formatSubheading,
  INK,
  MUTED,
  toParagraph,
  toRow,
} from "./mail-layout.ts";

const MAX_PROJECT_CHARS = 80;

/** The mail of a summary, without its headers. */
export function formatPeriodMail(message: AlertMessage, report: PeriodReport) {
  const lines = describePeriod(message, report);
  return {
    subject: formatSubject(message, report),
    text: formatText(lines),
    html: formatHtml(lines),
  };
}

/** `Daily summary, 28 November: 3 new, 1 returned (Shop)`. */
function formatSubject({ project }: AlertMessage, report: PeriodReport): string {
  const { title } = SUMMARY_PERIODS[report.every];
  const name = truncateText(toInertLine(project.name, MAX_PROJECT_CHARS, project.id), 80);
  return breakLinks(`${title}, ${formatShortRange(report)}: ${countNews(report)} (${name})`);
}

function formatText({ status, title, sentences, groups, main, footer, settings }: PeriodLines) {
  const blocks = [
    [status, title, ...sentences].map(breakLinks),
    ...groups.map((group) => [
      breakLinks(group.title),
      ...group.entries.flatMap(({ headline, details, url }) => [
        `- ${breakLinks(headline)}`,
        `  ${breakLinks(details)}`,
        ...(url === "" ? [] : [`  ${url}`]),
      ]),
      formatTextLink(group.link),
    ]),
    [formatTextLink(main)],
    [breakLinks(footer), formatTextLink(settings)],
  ];
  return `${blocks
    .map((lines) => lines.filter((line) => line !== "").join("\n"))
    .filter((block) => block !== "")
    .join("\n\n")}\n`;
}

function formatTextLink({ label, url }: PeriodLink): string {
  return url === "" ? "" : `${label}: ${url}`;
}

function formatHtml(lines: PeriodLines): string {
  const { status, title, sentences, groups, main, footer, settings } = lines;
  return formatMailDocument(title, sentences.join(" "), [
    toRow(toParagraph(status, MUTED, "muted", "13px") + formatHeadline(title, main.url), "20px"),
    toRow(sentences.map((one) => toParagraph(one, INK, "ink", "15px")).join(""), "8px"),
    ...groups.flatMap(formatGroup),
    toRow(formatButtons([main]), "20px"),
    formatMailFooter(footer, [settings]),
  ]);
}

function formatGroup({ title, entries, link }: PeriodLines["groups"][number]): readonly string[] {
  return [
    toRow(formatSubheading(title), "24px"),
    ...entries.map(({ headline, url, details }) =>
      toRow(formatEntry(headline, url) + toParagraph(details, MUTED, "muted", "15px"), "8px"),
    ),
    link.url === ""
      ? ""
      : toRow(
          `<p class="muted" style="margin:0;color:${MUTED};font-size:13px;line-height:20px">${formatMutedLink(link)}</p>`,
          "8px",
        ),
  ];
}

const MAX_REPORTED_CHARS = 200;
const MAX_NAME_CHARS = 80;
const MAX_RELEASES = 8;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August"],
  ...["September", "October", "November", "December"],
];

/** A link of the mail; `url` is empty for one that is no `http(s)` URL. */
export interface PeriodLink {
  readonly label: string;
  readonly url: string;
}

/** An issue in lines. The headline and the details have reported text. */
export interface PeriodEntry {
  readonly headline: string;
  readonly url: string;
  /** `src/cart.tsx:41 in addItem · 412 times, 87 the day before · about 110 people`. */
  readonly details: string;
}

/** The summary in lines, on one line each and without invisible characters. */
export interface PeriodLines {
  /** `Daily summary · Shop · Saturday, 28 November 2026 (UTC)` */
  readonly status: string;
  /** `3 new, 1 returned, 2 growing`, or `Nothing new`. */
  readonly title: string;
  readonly sentences: readonly string[];
  readonly groups: readonly {
    readonly title: string;
    readonly entries: readonly PeriodEntry[];
    readonly link: PeriodLink;
  }[];
  readonly main: PeriodLink;
  readonly footer: string;
  readonly settings: PeriodLink;
}

/** The lines of the summary. */
function describePeriod(
  { project, settingsUrl }: Pick<AlertMessage, "project" | "settingsUrl">,
  report: PeriodReport,
): PeriodLines {
  const { title: name, label } = SUMMARY_PERIODS[report.every];
  const shownProject = toInertLine(project.name, MAX_NAME_CHARS, project.id);
  const hour = `${String(SUMMARY_HOUR).padStart(2, "0")}:00 UTC`;
  return {
    status: `${name} · ${shownProject} · ${formatRange(report)} (UTC)`,
    title: countNews(report),
    sentences: [describeErrors(report), ...describeReleases(report)],
    groups: report.groups.map((group) => ({
      title: formatGroupTitle(group),
      entries: group.issues.map((issue) => toEntry(issue, report)),
      // The entry of a single issue leads to it.
      link: {
        label: nameList(group),
        url: group.total === 1 ? "" : (toInertUrl(group.url) ?? ""),
      },
    })),
    main: { label: "Open the project", url: toInertUrl(project.url) ?? "" },
    footer: [
      `${name}, sent ${label} at ${hour}`,
      ...(report.isPersonal ? ["only issues that are assigned to you"] : []),
    ].join(" · "),
    settings: { label: "Alert settings", url: toInertUrl(settingsUrl) ?? "" },
  };
}

/** `28 November`; of a week, `23 to 29 November`. */
function formatShortRange({ fromMs, toMs }: Pick<PeriodReport, "fromMs" | "toMs">): string {
  const [first, last] = [new Date(fromMs), new Date(toMs - DAY_MS)];
  const format = (day: Date) => `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
  if (toMs - fromMs <= DAY_MS) return format(first);
  const isSameMonth = first.getUTCMonth() === last.getUTCMonth();
  return `${isSameMonth ? first.getUTCDate() : format(first)} to ${format(last)}`;
}

/** `Saturday, 28 November 2026`; of a week, `23 to 29 November 2026`. */
function formatRange(report: PeriodReport): string {
  const last = new Date(report.toMs - DAY_MS);
  const range = `${formatShortRange(report)} ${last.getUTCFullYear()}`;
  return report.every === "day" ? `${DAYS[last.getUTCDay()]}, ${range}` : range;
}

/** `1,204 errors, 18 % more than the day before: 800 of servers, 404 of browsers.` */
function describeErrors({ every, errors, errorsBefore }: PeriodReport): string {
  const sum = (counts: PeriodReport["errors"]) =>
    ORIGINS.reduce((all, one) => all + counts[one], 0);
  const [count, before] = [sum(errors), sum(errorsBefore)];
  const change = describeChange(count, before, SUMMARY_PERIODS[every].before);
  if (count === 0) return before === 0 ? "No errors." : `No errors, ${change}.`;
  const origins = ORIGINS.map((one) => `${formatNumber(errors[one])} of ${one}s`).join(", ");
  return `${pluralize(count, "error")}, ${change}: ${origins}.`;
}

/** `Deployed: shop@2.5.0 (production, 15:18).` and `First seen: api@3.2.1 (16:02).` */
function describeReleases({ releases, every }: PeriodReport): readonly string[] {
  const sentence = (verb: string, isDeployed: boolean): readonly string[] => {
    const all = releases.filter((release) => release.isDeployed === isDeployed);
    if (all.length === 0) return [];
    const named = all.slice(0, MAX_RELEASES).map((release) => formatRelease(release, every));
    const more = all.length - named.length;
    return [`${verb}: ${named.join(", ")}${more > 0 ? ` and ${formatNumber(more)} more` : ""}.`];
  };
  return [...sentence("Deployed", true), ...sentence("First seen", false)];
}

function formatRelease(
  { name, atMs, environment = "" }: PeriodRelease,
  every: PeriodReport["every"],
): string {
  const at = new Date(atMs);
  const time = at.toISOString().slice(11, 16);
  const when = every === "day" ? time : `${DAYS[at.getUTCDay()]?.slice(0, 3)} ${time}`;
  const where = toInertLine(environment, MAX_NAME_CHARS);
  const details = [where, when].filter((part) => part !== "").join(", ");
  return `${toInertLine(name, MAX_NAME_CHARS, "unnamed")} (${details})`;
}

/** `New: 12, of which 9 are open`. */
function formatGroupTitle({ kind, total, open }: ReportedGroup): string {
  const title = PERIOD_GROUPS.find((group) => group.kind === kind)?.title ?? "";
  if (kind === "frequent") return title;
  const state = open === total ? "" : `, ${open === 0 ? "none" : formatNumber(open)} still open`;
  return `${title}: ${formatNumber(total)}${state}`;
}

function nameList({ total, listed }: ReportedGroup): string {
  if (listed < total) return `Open the first ${formatNumber(listed)} of ${formatNumber(total)}`;
  return `Open these ${formatNumber(total)} issues`;
}

function toEntry(issue: ReportedGroup["issues"][number], { every }: PeriodReport): PeriodEntry {
  const { otherErrors, url } = issue;
  const title = withOtherErrors(joinTypeAndMessage(issue), otherErrors);
  return {
    headline: toInertLine(title, MAX_REPORTED_CHARS, "(no message)"),
    url: toInertUrl(url) ?? "",
    details: describeIssue(issue, SUMMARY_PERIODS[every].before),
  };
}

function describeIssue(issue: PeriodIssue, before: string): string {
  const { count, countBefore, userCount, state, place, culprit = "" } = issue;
  const where = place === undefined ? culprit : formatFullPlace(place);
  return [
    toInertLine(where, MAX_REPORTED_CHARS),
    `${pluralize(count, "time")}${countBefore === 0 ? "" : `, ${formatNumber(countBefore)} ${before}`}`,
    userCount > 0 ? formatPeople(userCount) : "",
    state === "open" ? "" : state,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
