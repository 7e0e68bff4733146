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
  getOnlyIssue,
  type IssueFacts,
  toHeadline,
  toLongTitle,
} from "../formats/alert-facts.ts";
import { replaceTicks } from "../formats/inert-text.ts";
import { breakAngles, toMarkdownText } from "../formats/markdown-text.ts";
import { formatPhrase, type Phrase } from "../formats/phrase.ts";
import { defineUrlDestination } from "./destination-kind.ts";

const SLACK_HOST = /(?:^|\.)slack(?:-gov)?\.com$/;

/** Slack › Incoming webhooks › Handling errors. */
const GONE_WORDS = new Set([
  "no_service",
  "no_active_hooks",
  "no_team",
  "team_disabled",
  "channel_not_found",
  "channel_is_archived",
  "user_not_found",
  "action_prohibited",
]);

/** Slack, and Mattermost, which reads the same webhooks but shows only their text, as Markdown. */
export const slack = defineUrlDestination({
  kind: "slack",
  label: "Slack",
  hint: "The URL of an incoming webhook. Mattermost takes the same format.",
  placeholder: "https://hooks.slack.com/services/…",
  toCall(url, message) {
    const isMarkdown = !SLACK_HOST.test(URL.parse(url)?.hostname ?? "");
    return { body: toSlackBody(message, isMarkdown) };
  },
  answers: {
    isChat: true,
    isGone: (_, text) => GONE_WORDS.has(text.trim()),
    // Slack and Mattermost answer `ok`, Rocket.Chat `{"success":true}`.
    isRefused: (body, success) => body !== "" && body !== "ok" && success !== true,
  },
});

const MAX_HEADER_CHARS = 150;
const MAX_SECTION_CHARS = 3_000;
const MAX_CONTEXT_CHARS = 1_000;
/** Characters of the fallback text, which notifications show. */
const MAX_TEXT_CHARS = 300;
/** Slack takes 25 buttons. */
const MAX_BUTTONS = 6;

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
        readonly style?: "primary";
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

/** `message` for Slack; `isMarkdown` for a service that shows `text` alone, as Markdown. */
export function toSlackBody(message: AlertMessage, isMarkdown = false): SlackBody {
  const facts = describeAlert(message);
  const issue = getOnlyIssue(facts);
  return {
    text: isMarkdown
      ? toMarkdownText(facts, { toLink: toMarkdownLink, clean: breakAngles })
      : toFallback(toNotification(facts)),
    unfurl_links: false,
    unfurl_media: false,
    link_names: 0,
    parse: "none",
    blocks: [
      toContext(`${facts.mark} ${facts.status}`),
      { type: "header", text: toPlain(toHeadline(facts), MAX_HEADER_CHARS) },
      ...(issue === undefined ? [] : toSections(listLines(issue))),
      ...(facts.summary === undefined ? [] : facts.issues.map(toSummarySection)),
      ...facts.reasons.map(toContext),
      ...toActions([...(issue?.links ?? [facts.main]), facts.settings]),
      ...(facts.footer === "" ? [] : [toContext(facts.footer)]),
    ],
  };
}

/** `TypeError in total.ts:41: Cannot read …`. */
function toNotification(facts: AlertFacts): string {
  const issue = getOnlyIssue(facts);
  return issue === undefined ? `${facts.title} · ${facts.project}` : toLongTitle(issue);
}

function listLines({ headline, cause, source, quote, lines }: IssueFacts): readonly string[] {
  return [
    ...(headline.length > MAX_HEADER_CHARS ? [toCode(headline)] : []),
    ...(cause === undefined ? [] : [toMrkdwn(cause)]),
    ...(source === undefined ? [] : [`\`\`\`${escapeSlack(replaceTicks(source))}\`\`\``]),
    ...(quote === undefined ? [] : [toMrkdwn(quote)]),
    ...lines.map(toMrkdwn),
  ];
}

/** One section. Escaped text is longer, and a truncated code span is not code. */
function toSections(lines: readonly string[]): readonly SlackBlock[] {
  const text = lines.reduce((before, line) => {
    const longer = before === "" ? line : `${before}\n${line}`;
    return longer.length <= MAX_SECTION_CHARS ? longer : before;
  }, "");
  return text === "" ? [] : [toSection(text)];
}

function toSummarySection({ badge, digest, headline, lines, links }: IssueFacts): SlackBlock {
  const [open] = links;
  const name = open === undefined ? toCode(digest) : `<${escapeSlack(open.url)}|${digest}>`;
  const head = `${badge === undefined ? "" : `*${badge}* · `}${name}\n${toCode(headline)}`;
  const last = lines.at(-1);
  const longer = last === undefined ? head : `${head}\n${toMrkdwn(last)}`;
  return toSection(longer.length <= MAX_SECTION_CHARS ? longer : head);
}

function toSection(text: string): SlackBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function toActions(links: readonly AlertLink[]): readonly SlackBlock[] {
  const shown = links.filter(({ url }) => url !== "").slice(0, MAX_BUTTONS);
  if (shown.length === 0) return [];
  const elements = shown.map(({ label, url }, index) => ({
    type: "button" as const,
    text: toPlain(label, 75),
    url,
    action_id: `link-${index}`,
    ...(index === 0 && { style: "primary" as const }),
  }));
  return [{ type: "actions", elements }];
}

function toContext(line: string): SlackBlock {
  return { type: "context", elements: [toPlain(line, MAX_CONTEXT_CHARS)] };
}

function toPlain(text: string, maxChars: number): SlackPlainText {
  return { type: "plain_text", text: truncateText(text, maxChars), emoji: false };
}

/** Text of notifications. Removes a truncated entity. */
function toFallback(text: string): string {
  const escaped = truncateText(escapeSlack(text), MAX_TEXT_CHARS);
  return escaped.replace(/&[a-z]{0,3}…$/, "…");
}

function toMrkdwn(phrase: Phrase): string {
  return formatPhrase(phrase, toCode);
}

function toCode(text: string): string {
  return `\`${escapeSlack(replaceTicks(text)) || " "}\``;
}

function toMarkdownLink({ label, url }: AlertLink): string {
  return `[${label}](${url})`;
}

/** Source: api.slack.com/reference/surfaces/formatting, "Escaping text". */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
