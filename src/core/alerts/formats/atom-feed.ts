/**
 * An Atom feed of issues (RFC 4287). All texts have type `text`: readers show them without markup.
 */
import { formatRfc3339 } from "../../utc-time.ts";
import type { AlertedIssue } from "../alert-message.ts";
import { describeAlert, formatUtc } from "./alert-facts.ts";
import { escapeMarkup, toInertLine, toInertUrl } from "./inert-text.ts";

const MAX_TITLE_CHARS = 200;

interface AtomFeedOptions {
  readonly title: string;
  readonly project: { readonly id: string; readonly name: string; readonly url: string };
  /** The page that the feed is about, and the feed's own URL. Absolute. */
  readonly url: string;
  readonly selfUrl: string;
  readonly issues: readonly AlertedIssue[];
  /** When the feed was read, if it has no entries. */
  readonly nowMs: number;
}

/** The feed as XML, entries in the order of `issues`. */
export function formatAtomFeed(options: AtomFeedOptions): string {
  const { title, project, url, selfUrl, issues, nowMs } = options;
  const updatedMs = issues.reduce((newest, issue) => Math.max(newest, issue.firstSeenMs), 0);
  const host = URL.parse(url)?.hostname ?? "errata";
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeMarkup(toInertUrl(url) ?? `urn:errata:${host}`)}</id>`,
    `<title type="text">${toXml(`${title} · ${project.name}`, MAX_TITLE_CHARS)}</title>`,
    `<updated>${formatRfc3339(issues.length === 0 ? nowMs : updatedMs)}</updated>`,
    `<author><name>Errata</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeMarkup(toInertUrl(selfUrl) ?? "")}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(toInertUrl(url) ?? "")}"/>`,
    ...issues.map((issue) => formatAtomEntry(issue, project, host)),
    "</feed>\n",
  ].join("\n");
}

/** One entry. It never changes its id or time, so readers show each issue once. */
function formatAtomEntry(
  issue: AlertedIssue,
  project: AtomFeedOptions["project"],
  host: string,
): string {
  const [described] = describeAlert({
    id: "entry",
    kind: "issue",
    atMs: issue.lastSeenMs,
    project,
    reasons: [],
    title: "",
    issues: [issue],
    settingsUrl: "",
  }).issues;
  const facts = (described?.facts ?? []).map(([label, value]) => `${label}: ${value}`);
  const summary = [...facts, `Last seen: ${formatUtc(issue.lastSeenMs)}`].join(" · ");
  return [
    "<entry>",
    `<id>tag:${escapeMarkup(host)},2026:${escapeMarkup(`${project.id}/${issue.digest}`)}</id>`,
    `<title type="text">${toXml(`${issue.digest} ${described?.reported ?? ""}`, MAX_TITLE_CHARS)}</title>`,
    `<published>${formatRfc3339(issue.firstSeenMs)}</published>`,
    `<updated>${formatRfc3339(issue.firstSeenMs)}</updated>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(toInertUrl(issue.links.issue) ?? "")}"/>`,
    `<summary type="text">${toXml(summary, 2_000)}</summary>`,
    "</entry>",
  ].join("\n");
}

function toXml(text: string, maxChars: number): string {
  return escapeMarkup(toInertLine(text, maxChars));
}
