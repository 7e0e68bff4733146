/**
 * The body of a Discord webhook. Reported text appears only in code, where Discord parses nothing,
 * and in authors and footers, which are plain text. `allowed_mentions` is empty too. Limits:
 * Discord API, "Embed Limits".
 */

import { truncateText } from "../../truncate.ts";
import { MAX_RFC3339_MS } from "../../utc-time.ts";
import type { AlertMessage } from "../alert-message.ts";
import {
  type AlertFacts,
  type AlertLink,
  describeAlert,
  getOnlyIssue,
  type IssueFacts,
  toHeadline,
} from "../formats/alert-facts.ts";
import { replaceTicks } from "../formats/inert-text.ts";
import { toCodeSpan, toMarked } from "../formats/markdown-text.ts";
import { defineUrlDestination } from "./destination-kind.ts";

export const discord = defineUrlDestination({
  kind: "discord",
  label: "Discord",
  hint: "The URL of a webhook for the channel.",
  placeholder: "https://discord.com/api/webhooks/…",
  toCall(text, message) {
    const url = new URL(text);
    // Without it, Discord reports no error for a message that it does not store.
    url.searchParams.set("wait", "true");
    return { url: url.href, body: toDiscordBody(message) };
  },
  answers: {
    isChat: true,
    hasRetryAfter: true,
    // Unknown Webhook, and Invalid Webhook Token (Discord › Opcodes and status codes › JSON).
    isGone: (_, text) => /"code"\s{0,9}:\s{0,9}(?:10015|50027)\b/.test(text),
  },
});

const MAX_AUTHOR_CHARS = 256;
const MAX_TITLE_CHARS = 256;
const MAX_FOOTER_CHARS = 2_048;
/** The size of all embeds together. Discord's limit is 6,000. */
const MAX_TOTAL_CHARS = 5_800;
const MAX_DESCRIPTION_CHARS = 4_096;
/** A longer link is omitted if it does not fit. */
const MAX_SHORT_URL_CHARS = 700;
/** Suppresses the notification of summaries. */
const SUPPRESS_NOTIFICATIONS = 4_096;
const COLORS: Readonly<Record<string, number>> = {
  "🔴": 0xc0392b,
  "🟠": 0xd9730d,
  "🟡": 0xb7791f,
  "💬": 0x2563eb,
  "🔵": 0x2563eb,
};

interface DiscordEmbed {
  /** Plain text, unlike `title`. */
  readonly author?: { readonly name: string };
  readonly title?: string;
  readonly url?: string;
  readonly description: string;
  readonly color: number;
  readonly timestamp?: string;
  readonly footer?: { readonly text: string };
}

/** The JSON of `POST https://discord.com/api/webhooks/…`. */
interface DiscordBody {
  readonly username: "Errata";
  readonly allowed_mentions: { readonly parse: readonly [] };
  readonly flags?: number;
  readonly embeds: readonly DiscordEmbed[];
}

/** `message` for Discord. */
export function toDiscordBody(message: AlertMessage): DiscordBody {
  const facts = describeAlert(message);
  const { mark, status, summary, issues, main } = facts;
  const color = COLORS[mark] ?? 0;
  const createHead = (maxUrlChars: number): DiscordEmbed => ({
    author: { name: truncateText(`${mark} ${status}`, MAX_AUTHOR_CHARS) },
    title: toTitle(toHeadline(facts)),
    ...(main.url === "" ? {} : { url: main.url }),
    description: describeHead(facts, maxUrlChars),
    color,
    ...(Math.abs(message.atMs) <= MAX_RFC3339_MS
      ? { timestamp: new Date(message.atMs).toISOString() }
      : {}),
    ...(facts.footer === ""
      ? {}
      : { footer: { text: truncateText(facts.footer, MAX_FOOTER_CHARS) } }),
  });
  const full = createHead(Number.POSITIVE_INFINITY);
  const fits =
    countChars(full) <= MAX_TOTAL_CHARS && full.description.length <= MAX_DESCRIPTION_CHARS;
  const head = fits ? full : createHead(MAX_SHORT_URL_CHARS);
  const others = summary === undefined ? [] : issues.map((one) => toIssueEmbed(one, color));
  return {
    username: "Errata",
    allowed_mentions: { parse: [] },
    ...(summary === undefined ? {} : { flags: SUPPRESS_NOTIFICATIONS }),
    embeds: takeWithin([head, ...others], MAX_TOTAL_CHARS),
  };
}

function describeHead(facts: AlertFacts, maxUrlChars: number): string {
  const issue = getOnlyIssue(facts);
  const links = [...(issue?.links ?? [facts.main]), facts.settings];
  return [
    ...(issue === undefined ? facts.reasons.map(toCodeSpan) : listLines(issue)),
    formatLinks(links.filter(({ url }) => url.length <= maxUrlChars)),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function listLines({ headline, cause, source, quote, lines }: IssueFacts): readonly string[] {
  return [
    ...(headline.length > MAX_TITLE_CHARS - 2 ? [toBlock(headline)] : []),
    ...(cause === undefined ? [] : [toMarked(cause)]),
    ...(source === undefined ? [] : [toBlock(source)]),
    ...(quote === undefined ? [] : [toMarked(quote)]),
    ...lines.map(toMarked),
  ];
}

/** Each has a separate URL, because Discord merges embeds with the same URL. */
function toIssueEmbed({ badge, digest, headline, lines, links }: IssueFacts, color: number) {
  return {
    title: badge === undefined ? digest : `${badge} · ${digest}`,
    ...(links[0] ? { url: links[0].url } : {}),
    description: [toCodeSpan(headline), ...lines.map(toMarked)].join("\n"),
    color,
  };
}

/** Code: Discord reads Markdown in titles. */
function toTitle(headline: string): string {
  return toCodeSpan(truncateText(headline, MAX_TITLE_CHARS - 2));
}

/** Masked links. Labels are words of Errata. */
function formatLinks(links: readonly AlertLink[]): string {
  return links
    .filter(({ url }) => url !== "")
    .map(({ label, url }) => `[${label}](<${url}>)`)
    .join(" · ");
}

function takeWithin(embeds: readonly DiscordEmbed[], maxChars: number): readonly DiscordEmbed[] {
  let chars = 0;
  return embeds.filter((embed) => {
    chars += countChars(embed);
    return chars <= maxChars;
  });
}

/** The characters that Discord counts. */
function countChars({ author, title, description, footer }: DiscordEmbed): number {
  const texts = [author?.name, title, description, footer?.text];
  return texts.reduce<number>((sum, text = "") => sum + text.length, 0);
}

function toBlock(text: string): string {
  return `\`\`\`\n${replaceTicks(text)}\n\`\`\``;
}
