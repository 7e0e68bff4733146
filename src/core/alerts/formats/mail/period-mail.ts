/** The summary of a day or week as a mail: subject, text and HTML. Pure. */
import { truncateText } from "../../../truncate.ts";
import type { AlertMessage } from "../../alert-message.ts";
import { countNews, type PeriodReport } from "../../periods/period-report.ts";
import { SUMMARY_PERIODS } from "../../periods/summary-period.ts";
import { breakLinks, toInertLine } from "../inert-text.ts";
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
import {
  describePeriod,
  formatShortRange,
  type PeriodLines,
  type PeriodLink,
} from "./period-lines.ts";

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
