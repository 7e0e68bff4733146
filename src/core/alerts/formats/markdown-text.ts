/**
 * A message as Markdown text for services that show no blocks: Mattermost, Rocket.Chat and Google
 * Chat. Reported text appears only in code, where they find no mention, link or image. Pure.
 */
import { type AlertFacts, type AlertLink, getOnlyIssue, type IssueFacts } from "./alert-facts.ts";
import { replaceTicks } from "./inert-text.ts";
import { formatPhrase, type Phrase } from "./phrase.ts";

/** The lines of a message. `toLink` writes a link as the service does. */
export function toMarkdownText(facts: AlertFacts, toLink: (link: AlertLink) => string): string {
  const issue = getOnlyIssue(facts);
  const links = [
    ...(issue === undefined ? [facts.main] : issue.links.slice(0, 1)),
    ...(issue?.links.slice(1) ?? []),
    facts.settings,
  ];
  return [
    `${facts.mark} ${toCodeSpan(facts.status)}`,
    ...(issue === undefined ? [] : listIssueLines(issue)),
    ...(facts.summary === undefined
      ? []
      : facts.issues.map((one) => `• ${toSummaryLine(one, toLink)}`)),
    ...facts.reasons.map(toCodeSpan),
    links
      .filter(({ url }) => url !== "")
      .map(toLink)
      .join(" · "),
    ...(facts.footer === "" ? [] : [toCodeSpan(facts.footer)]),
  ].join("\n");
}

/** The lines of an issue between its status and its links. */
export function listIssueLines({
  headline,
  cause,
  source,
  quote,
  lines,
}: IssueFacts): readonly string[] {
  return [
    toCodeSpan(headline),
    ...(cause === undefined ? [] : [toMarked(cause)]),
    ...(source === undefined ? [] : [toCodeSpan(source)]),
    ...(quote === undefined ? [] : [toMarked(quote)]),
    ...lines.map(toMarked),
  ];
}

function toSummaryLine(
  { badge, digest, headline, links }: IssueFacts,
  toLink: (link: AlertLink) => string,
): string {
  const name = links[0] === undefined ? toCodeSpan(digest) : toLink({ ...links[0], label: digest });
  return `${badge === undefined ? "" : `${badge} · `}${name} ${toCodeSpan(headline)}`;
}

/** The line with its reported names as code. */
export function toMarked(phrase: Phrase): string {
  return formatPhrase(phrase, toCodeSpan);
}

/** Code of one line. */
export function toCodeSpan(text: string): string {
  return `\`${replaceTicks(text) || " "}\``;
}
