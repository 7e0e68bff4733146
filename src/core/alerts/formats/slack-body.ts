/**
 * The body of a Slack incoming webhook, which Mattermost also reads. Reported text appears only in
 * code spans of `mrkdwn` with `&`, `<` and `>` escaped, and in `plain_text`, where Slack parses
 * nothing. Mattermost reads no blocks: it shows `text`, as Markdown. Limits:
 * api.slack.com/reference/block-kit/blocks.
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
import { replaceTicks } from "./inert-text.ts";

const MAX_HEADER_CHARS = 150;
const MAX_SECTION_CHARS = 3_000;
/** Characters of the fallback text, which notifications show. */
const MAX_TEXT_CHARS = 300;

interface SlackPlainText {
  readonly type: "plain_text";
  readonly text: string;
  readonly emoji: false;
}

type SlackBlock =
  | { readonly type: "header"; readonly text: SlackPlainText }
  | {
      readonly type: "section";
      readonly text: { readonly type: "mrkdwn"; readonly text: string; readonly verbatim: true };
    }
  | {
      readonly type: "actions";
      readonly elements: readonly {
        readonly type: "button";
        readonly text: SlackPlainText;
        readonly url: string;
        readonly action_id: string;
      }[];
    }
  | { readonly type: "context"; readonly elements: readonly SlackPlainText[] };

/** The JSON of `POST https://hooks.slack.com/services/…`. */
interface SlackBody {
  readonly text: string;
  readonly unfurl_links: false;
  readonly unfurl_media: false;
  readonly link_names: 0;
  readonly parse: "none";
  readonly blocks: readonly SlackBlock[];
}

/** `message` for Slack. */
export function toSlackBody(message: AlertMessage): SlackBody {
  const facts = describeAlert(message);
  const { issues, summary } = facts;
  const isSummary = summary !== undefined;
  const sections = issues.map((issue) => formatIssue(issue, isSummary));
  return {
    text: toFallback(`[${facts.project}] ${toHeadline(facts)}`),
    unfurl_links: false,
    unfurl_media: false,
    link_names: 0,
    parse: "none",
    blocks: [
      { type: "header", text: toPlain(`${facts.title} · ${facts.project}`, MAX_HEADER_CHARS) },
      ...(isSummary ? [toSection(escapeSlack(summary))] : []),
      ...sections.map(toSection),
      ...toActions(facts, isSummary ? [] : (issues[0]?.links ?? [])),
      ...toContext(facts),
    ],
  };
}

function formatIssue({ digest, reported, facts, links }: IssueFacts, isLinked: boolean): string {
  const open = isLinked && links[0] ? `<${escapeSlack(links[0].url)}|Open> ` : "";
  const head = `${open}${toCode(digest)}\n\`\`\`${escapeSlack(replaceTicks(reported))}\`\`\``;
  // Escaped text is longer, and a truncated code span is not code.
  return facts.reduce((text, [label, value]) => {
    const longer = `${text}\n${label}: ${toCode(value)}`;
    return longer.length <= MAX_SECTION_CHARS ? longer : text;
  }, head);
}

function toSection(text: string): SlackBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function toActions(facts: AlertFacts, links: readonly AlertLink[]): readonly SlackBlock[] {
  const shown = [facts.main, ...links.slice(1), facts.settings].filter(({ url }) => url !== "");
  if (shown.length === 0) return [];
  const elements = shown.map(({ label, url }, index) => ({
    type: "button" as const,
    text: toPlain(label, 75),
    url,
    action_id: `link-${index}`,
  }));
  return [{ type: "actions", elements }];
}

function toContext({ reasons, rules, quiet = "" }: AlertFacts): readonly SlackBlock[] {
  const lines = [...reasons, describeRules(rules), quiet].filter((line) => line !== "");
  return lines.length === 0
    ? []
    : [{ type: "context", elements: lines.map((line) => toPlain(line, 600)) }];
}

function toPlain(text: string, maxChars: number): SlackPlainText {
  return { type: "plain_text", text: truncateText(text, maxChars), emoji: false };
}

/** Code, in which Mattermost finds no mention, link or image. Removes a truncated entity. */
function toFallback(text: string): string {
  const escaped = truncateText(escapeSlack(replaceTicks(text)), MAX_TEXT_CHARS - 2);
  return `\`${escaped.replace(/&[a-z]{0,3}…$/, "…")}\``;
}

function toCode(text: string): string {
  return `\`${escapeSlack(replaceTicks(text))}\``;
}

/** Source: api.slack.com/reference/surfaces/formatting, "Escaping text". */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
