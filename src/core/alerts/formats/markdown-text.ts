/**
 * A message as Markdown text for services that show no blocks: Mattermost, Rocket.Chat and Google
 * Chat. Reported text appears only in code, where they find no mention, link or image. Pure.
 */
import { type AlertFacts, type AlertLink, getOnlyIssue, type IssueFacts } from "./alert-facts.ts";
import { replaceTicks } from "./inert-text.ts";
import { formatPhrase, type Phrase } from "./phrase.ts";

/** How a service writes links, and what it reads even in code. */
interface MarkdownWriter {
  readonly toLink: (link: AlertLink) => string;
  readonly clean?: (reported: string) => string;
}

/** Breaks `<!channel>`, `<users/all>` and `<https://…|…>`, which services read also in code. */
export function breakAngles(reported: string): string {
  return reported.replace(/<(?=[!@#]|\w{1,20}[:/])/g, "‹");
}

/** The lines of a message. */
export function toMarkdownText(
  facts: AlertFacts,
  { toLink, clean = (text) => text }: MarkdownWriter,
): string {
  const issue = getOnlyIssue(facts);
  const links = [...(issue?.links ?? [facts.main]), facts.settings];
  const toCode = (text: string) => toCodeSpan(clean(text));
  const toLine = (phrase: Phrase) => formatPhrase(phrase, toCode);
  const toSummaryLine = ({ badge, digest, headline, links: [open] }: IssueFacts) => {
    const name = open === undefined ? toCode(digest) : toLink({ ...open, label: digest });
    return `• ${badge === undefined ? "" : `${badge} · `}${name} ${toCode(headline)}`;
  };
  return [
    `${facts.mark} ${toCode(facts.status)}`,
    ...(issue === undefined ? [toCode(facts.title)] : listIssueLines(issue, toCode, toLine)),
    ...(facts.summary === undefined ? [] : facts.issues.map(toSummaryLine)),
    ...facts.reasons.map(toCode),
    links
      .filter(({ url }) => url !== "")
      .map(toLink)
      .join(" · "),
    ...(facts.footer === "" ? [] : [toCode(facts.footer)]),
  ].join("\n");
}

/** The lines of an issue between its status and its links. */
function listIssueLines(
  { headline, cause, source, quote, lines }: IssueFacts,
  toCode: (text: string) => string,
  toLine: (phrase: Phrase) => string,
): readonly string[] {
  return [
    toCode(headline),
    ...(cause === undefined ? [] : [toLine(cause)]),
    ...(source === undefined ? [] : [toCode(source)]),
    ...(quote === undefined ? [] : [toLine(quote)]),
    ...lines.map(toLine),
  ];
}

/** The first lines that fit: a code span that was cut is not code. */
export function takeLines(text: string, maxChars: number): string {
  let taken = "";
  for (const line of text.split("\n")) {
    const longer = taken === "" ? line : `${taken}\n${line}`;
    if (longer.length <= maxChars) taken = longer;
  }
  return taken;
}

/** The line with its reported names as code. */
export function toMarked(phrase: Phrase): string {
  return formatPhrase(phrase, toCodeSpan);
}

/** Code of one line. */
export function toCodeSpan(text: string): string {
  return `\`${replaceTicks(text) || " "}\``;
}
