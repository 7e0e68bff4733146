/**
 * An alert as an email: subject, text and headers of Cloudflare's `send_email` binding.
 * Text that mail programs turn into links is broken; names that people copy are
 * not. The platform sets `Message-ID`, so messages about an issue refer to a common id and have one
 * subject, and mail programs show one thread.
 */
import { truncateText } from "../../../truncate.ts";
import type { AlertMessage } from "../../alert-message.ts";
import {
  type AlertFacts,
  type AlertLink,
  describeAlert,
  getOnlyIssue,
  type IssueFacts,
  toHeadline,
} from "../alert-facts.ts";
import { breakLinks } from "../inert-text.ts";
import { formatPhrase, type Phrase } from "../phrase.ts";
import {
  formatButtons,
  formatCode,
  formatEntry,
  formatHeadline,
  formatMailDocument,
  formatMailFooter,
  INK,
  MUTED,
  toParagraph,
  toRow,
} from "./mail-layout.ts";
import { formatPeriodMail } from "./period-mail.ts";

/** RFC 5322 allows 998 characters; mail programs show fewer. */
const MAX_SUBJECT_CHARS = 180;

/** The contents of an email, without sender and recipients. */
export interface EmailBody {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `message` as an email. */
export function toEmailBody(message: AlertMessage): EmailBody {
  const facts = describeAlert(message);
  if (message.period !== undefined)
    return { ...formatPeriodMail(message, message.period), headers: createHeaders(message, facts) };
  return {
    subject: formatSubject(facts, message),
    text: formatText(facts),
    html: formatEmailHtml(facts),
    headers: createHeaders(message, facts),
  };
}

/**
 * `TypeError: … (Shop)`: the same for all messages about an issue. Gmail ignores brackets at the
 * beginning, and makes a new thread of another subject.
 */
function formatSubject(facts: AlertFacts, { kind }: AlertMessage): string {
  const issue = getOnlyIssue(facts);
  const project = ` (${facts.project})`;
  const text = issue?.headline ?? facts.title;
  const room = MAX_SUBJECT_CHARS - project.length;
  const test = kind === "test" && issue !== undefined ? "Test: " : "";
  return breakLinks(`${truncateText(`${test}${text}`, room)}${project}`);
}

function formatText(facts: AlertFacts): string {
  const { mark, status, summary, issues, reasons, rules, footer, settings } = facts;
  const issue = getOnlyIssue(facts);
  const links = [...rules.map(({ url }) => ({ label: "Rule", url })), settings];
  const blocks = [
    [`${mark} ${breakLinks(status)}`],
    ...(issue === undefined ? [[breakLinks(facts.title)]] : listIssueBlocks(issue)),
    ...(summary === undefined ? [] : issues.map(listSummaryLines)),
    reasons.map(breakLinks),
    (issue?.links ?? [facts.main]).map(formatTextLink),
    [breakLinks(footer), ...links.map(formatTextLink)],
  ];
  return `${blocks
    .map((lines) => lines.filter((line) => line !== "").join("\n"))
    .filter((block) => block !== "")
    .join("\n\n")}\n`;
}

function listIssueBlocks(issue: IssueFacts): readonly (readonly string[])[] {
  const { headline, cause, source, quote, lines } = issue;
  return [
    [breakLinks(headline), ...(cause === undefined ? [] : [`  ${toText(cause)}`])],
    source === undefined ? [] : [`    ${breakLinks(source)}`],
    [...(quote === undefined ? [] : [toText(quote)]), ...lines.map(toText)],
  ];
}

function listSummaryLines({ badge, digest, headline, lines, links }: IssueFacts) {
  const head = badge === undefined ? digest : `${badge} · ${digest}`;
  return [
    head,
    breakLinks(headline),
    ...lines.map(toText),
    ...links.slice(0, 1).map(formatTextLink),
  ];
}

function toText(phrase: Phrase): string {
  return breakLinks(formatPhrase(phrase));
}

function formatTextLink({ label, url }: AlertLink): string {
  return url === "" ? "" : `${label}: ${url}`;
}

/**
 * Allowed headers: Cloudflare Email Service › Email headers. `List-Unsubscribe-Post` (RFC 8058) is
 * absent: the page of the settings needs a sign-in, so that no one else ends the messages of a
 * team.
 */
function createHeaders(message: AlertMessage, { settings }: AlertFacts) {
  const thread = message.issues.length === 1 ? message.issues[0]?.digest : message.id;
  const host = URL.parse(message.project.url)?.hostname ?? "errata";
  const id = `<${toIdPart(thread ?? message.id)}.${toIdPart(message.project.id)}@${toIdPart(host)}>`;
  return {
    "In-Reply-To": id,
    References: id,
    "Auto-Submitted": "auto-generated",
    "X-Errata-Id": toIdPart(message.id),
    // The platform refuses other URLs.
    ...(settings.url.startsWith("https:") ? { "List-Unsubscribe": `<${settings.url}>` } : {}),
  };
}

function toIdPart(text: string): string {
  return text.replace(/[^\w.-]+/g, "-").slice(0, 200) || "errata";
}

/** The document (`mail-layout.ts`). */
function formatEmailHtml(facts: AlertFacts): string {
  const { mark, status, summary, issues, reasons, settings, footer, rules } = facts;
  const issue = getOnlyIssue(facts);
  const preview = issue === undefined ? reasons.join(" ") : formatPhrase(issue.lines[0] ?? []);
  const headline = formatHeadline(toHeadline(facts), facts.main.url);
  return formatMailDocument(facts.title, preview, [
    toRow(toParagraph(`${mark} ${status}`, MUTED, "muted", "13px") + headline, "20px"),
    ...(issue === undefined ? [] : listIssueRows(issue)),
    ...(summary === undefined ? [] : issues.map(formatSummaryIssue)),
    ...reasons.map((reason) => toRow(toParagraph(reason, INK, "ink", "15px"), "12px")),
    toRow(formatButtons(issue?.links ?? [facts.main]), "16px"),
    formatMailFooter(footer, [...rules.map(({ url }) => ({ label: "Rule", url })), settings]),
  ]);
}

function listIssueRows({ cause, source, quote, lines }: IssueFacts): readonly string[] {
  return [
    ...(cause === undefined ? [] : [toRow(toLine(cause, MUTED, "muted"), "8px")]),
    ...(source === undefined ? [] : [toRow(formatCode(source), "14px")]),
    ...(quote === undefined ? [] : [toRow(toLine(quote, INK, "ink"), "14px")]),
    toRow(lines.map((line) => toLine(line, INK, "ink")).join(""), "14px"),
  ];
}

function formatSummaryIssue({ badge, digest, headline, lines, links }: IssueFacts): string {
  const head = badge === undefined ? digest : `${badge} · ${digest}`;
  return toRow(
    toParagraph(head, MUTED, "muted", "13px") +
      formatEntry(headline, links[0]?.url ?? "") +
      lines.map((line) => toLine(line, MUTED, "muted")).join(""),
    "14px",
  );
}

function toLine(phrase: Phrase, color: string, name: string): string {
  return toParagraph(formatPhrase(phrase), color, name, "15px");
}
