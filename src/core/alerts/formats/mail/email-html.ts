/** The HTML of an email about an alert (`mail-layout.ts`). Pure. */
import { type AlertFacts, getOnlyIssue, type IssueFacts, toHeadline } from "../alert-facts.ts";
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

/** The document. */
export function formatEmailHtml(facts: AlertFacts): string {
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
