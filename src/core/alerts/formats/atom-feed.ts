/**
 * An Atom feed of issues (RFC 4287). All texts have type `text`: readers show them without markup.
 */
import { DAY_MS, formatRfc3339 } from "../../utc-time.ts";
import type { AlertedIssue } from "../alert-message.ts";
import { describeAlert, formatUtc } from "./alert-facts.ts";
import { escapeMarkup, toInertLine, toInertUrl } from "./inert-text.ts";
import { formatPhrase } from "./phrase.ts";

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

/** The feed as XML: an entry per issue, and one per return of an issue, newest first. */
export function formatAtomFeed(options: AtomFeedOptions): string {
  const { title, project, url, selfUrl, issues, nowMs } = options;
  const host = URL.parse(url)?.hostname ?? "errata";
  const entries = issues
    .flatMap((issue) => toEntries(issue, project))
    .sort((a, b) => b.atMs - a.atMs);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeMarkup(toInertUrl(url) ?? `urn:errata:${host}`)}</id>`,
    `<title type="text">${toXml(`${title} · ${project.name}`, MAX_TITLE_CHARS)}</title>`,
    // The day: the tag of an empty feed must not change with each request.
    `<updated>${formatRfc3339(entries[0]?.atMs ?? Math.floor(nowMs / DAY_MS) * DAY_MS)}</updated>`,
    `<author><name>Errata</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeMarkup(toInertUrl(selfUrl) ?? "")}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(toInertUrl(url) ?? "")}"/>`,
    ...entries.map((entry) => formatAtomEntry(entry, host)),
    "</feed>\n",
  ].join("\n");
}

/** An entry. It never changes its id or time, so readers show it once. */
interface AtomEntry {
  readonly id: string;
  readonly atMs: number;
  readonly title: string;
  readonly summary: string;
  readonly url: string | undefined;
}

/** The entry of an issue, and that of its return. */
function toEntries(issue: AlertedIssue, project: AtomFeedOptions["project"]): readonly AtomEntry[] {
  const { digest, firstSeenMs, lastSeenMs, returnedMs, links } = issue;
  const [described] = describeAlert({
    id: "entry",
    kind: "issue",
    atMs: lastSeenMs,
    project,
    reasons: [],
    title: "",
    issues: [issue],
    settingsUrl: "",
  }).issues;
  const facts = (described?.lines ?? []).map((line) => formatPhrase(line));
  const summary = [...facts, `Last seen: ${formatUtc(lastSeenMs)}`].join(" · ");
  const name = `${digest} ${described?.headline ?? ""}`;
  const entry = { id: `${project.id}/${digest}`, summary, url: links.issue };
  return [
    { ...entry, atMs: firstSeenMs, title: name },
    ...(returnedMs === undefined
      ? []
      : [
          {
            ...entry,
            id: `${entry.id}/returned/${returnedMs}`,
            atMs: returnedMs,
            title: `Regressed: ${name}`,
          },
        ]),
  ];
}

function formatAtomEntry({ id, atMs, title, summary, url }: AtomEntry, host: string): string {
  return [
    "<entry>",
    `<id>tag:${escapeMarkup(host)},2026:${escapeMarkup(id)}</id>`,
    `<title type="text">${toXml(title, MAX_TITLE_CHARS)}</title>`,
    `<published>${formatRfc3339(atMs)}</published>`,
    `<updated>${formatRfc3339(atMs)}</updated>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(toInertUrl(url) ?? "")}"/>`,
    `<summary type="text">${toXml(summary, 2_000)}</summary>`,
    "</entry>",
  ].join("\n");
}

function toXml(text: string, maxChars: number): string {
  return escapeMarkup(toInertLine(text, maxChars));
}
