/**
 * An alert as an email: subject, text, HTML and headers of Cloudflare's `send_email` binding.
 * Reported text is escaped, and text that mail programs turn into links is broken. The platform
 * sets `Message-ID`, so messages about an issue refer to a common id, and mail programs show one
 * thread.
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import {
  type AlertFacts,
  type AlertLink,
  describeAlert,
  describeRules,
  type IssueFacts,
  toHeadline,
} from "./alert-facts.ts";
import { breakLinks, escapeMarkup } from "./inert-text.ts";

/** RFC 5322 allows 998 characters; mail programs show fewer. */
const MAX_SUBJECT_CHARS = 180;

/** The contents of an email, without sender and recipients. */
interface EmailBody {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `message` as an email. */
export function toEmailBody(message: AlertMessage): EmailBody {
  const facts = describeAlert(message);
  const subject = `[${facts.project}] ${toHeadline(facts)}`;
  return {
    subject: breakLinks(truncateText(subject, MAX_SUBJECT_CHARS)),
    text: formatText(facts),
    html: formatHtml(facts),
    headers: createHeaders(message, facts),
  };
}

function formatText(facts: AlertFacts): string {
  const { title, project, summary = "", issues, reasons, rules, quiet = "", settings } = facts;
  const isSummary = summary !== "";
  const lines = [
    `${breakLinks(title)} · ${breakLinks(project)}`,
    summary,
    ...issues.map((issue) => formatIssueText(issue, isSummary)),
    isSummary || issues.length === 0 ? formatTextLink(facts.main) : "",
    [...reasons, describeRules(rules), quiet]
      .filter((line) => line !== "")
      .map(breakLinks)
      .join("\n"),
    [...rules.map(({ url }) => ({ label: "Rule", url })), settings].map(formatTextLink).join("\n"),
  ];
  return `${lines.filter((line) => line !== "").join("\n\n")}\n`;
}

function formatIssueText({ digest, reported, facts, links }: IssueFacts, isShort: boolean): string {
  return [
    `${digest}  ${breakLinks(reported)}`,
    ...facts.map(([label, value]) => `  ${label}: ${breakLinks(value)}`),
    ...links.slice(0, isShort ? 1 : links.length).map((link) => `  ${formatTextLink(link)}`),
  ].join("\n");
}

function formatTextLink({ label, url }: AlertLink): string {
  return url === "" ? "" : `${label}: ${url}`;
}

function formatHtml(facts: AlertFacts): string {
  const { title, project, summary, issues, reasons, rules, quiet = "" } = facts;
  const isSummary = summary !== undefined;
  const why = [...reasons, describeRules(rules), quiet].filter((line) => line !== "");
  const footer = [...rules.map(({ url }) => ({ label: "Rule", url })), facts.settings];
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${toHtml(title)}</title></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:40em">',
    `<h1 style="font-size:1.2em">${toHtml(`${title} · ${project}`)}</h1>`,
    isSummary ? `<p>${toHtml(summary)}</p>` : "",
    ...issues.map((issue) => formatIssueHtml(issue, isSummary)),
    isSummary || issues.length === 0 ? `<p>${formatHtmlLink(facts.main)}</p>` : "",
    ...why.map((line) => `<p>${toHtml(line)}</p>`),
    `<p style="color:#666">${formatHtmlLinks(footer)}</p>`,
    "</body></html>\n",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function formatIssueHtml({ digest, reported, facts, links }: IssueFacts, isShort: boolean): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th align="left" style="padding-right:1em">${label}</th>` +
      `<td><code>${toHtml(value)}</code></td></tr>`,
  );
  return [
    `<p><b>${toHtml(digest)}</b></p>`,
    `<pre style="white-space:pre-wrap;background:#f4f4f4;padding:.6em">${toHtml(reported)}</pre>`,
    `<table>${rows.join("")}</table>`,
    `<p>${formatHtmlLinks(isShort ? links.slice(0, 1) : links)}</p>`,
  ].join("\n");
}

function formatHtmlLinks(links: readonly AlertLink[]): string {
  return links.map(formatHtmlLink).join(" · ");
}

function formatHtmlLink({ label, url }: AlertLink): string {
  return `<a href="${escapeMarkup(url)}">${toHtml(label)}</a>`;
}

function toHtml(text: string): string {
  return escapeMarkup(breakLinks(text));
}

/** Allowed headers: Cloudflare Email Service › Email headers. */
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
