/**
 * The body of a Discord webhook. Reported text appears only in code, where Discord parses nothing,
 * and in footers, which are plain text. `allowed_mentions` is empty too. Limits: Discord API,
 * "Embed Limits".
 */

import { truncateText } from "../../truncate.ts";
import { MAX_RFC3339_MS } from "../../utc-time.ts";
import type { AlertMessage } from "../alert-message.ts";
import {
  type AlertFacts,
  type AlertLink,
  describeAlert,
  describeRules,
  type IssueFacts,
} from "./alert-facts.ts";
import { replaceTicks } from "./inert-text.ts";

const MAX_AUTHOR_CHARS = 256;
const MAX_FIELD_CHARS = 1_024;
const MAX_FOOTER_CHARS = 2_048;
/** The size of all embeds together. Discord's limit is 6,000. */
const MAX_TOTAL_CHARS = 5_800;
const MAX_DESCRIPTION_CHARS = 4_096;
/** A longer link is omitted if it does not fit. */
const MAX_SHORT_URL_CHARS = 700;
/** Suppresses the notification of summaries. */
const SUPPRESS_NOTIFICATIONS = 4_096;
const COLORS = { issue: 0xc0392b, project: 0xb7791f, summary: 0xb7791f, test: 0x2563eb };

interface DiscordEmbed {
  /** Plain text, unlike `title`. */
  readonly author?: { readonly name: string };
  readonly title?: string;
  readonly url?: string;
  readonly description: string;
  readonly color: number;
  readonly timestamp?: string;
  readonly fields?: readonly {
    readonly name: string;
    readonly value: string;
    readonly inline: true;
  }[];
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
  const isSummary = facts.summary !== undefined;
  const color = COLORS[message.kind];
  const createHead = (maxUrlChars: number): DiscordEmbed => ({
    author: { name: truncateText(`${facts.title} · ${facts.project}`, MAX_AUTHOR_CHARS) },
    title: (isSummary ? undefined : facts.issues[0]?.digest) ?? facts.main.label,
    ...(facts.main.url === "" ? {} : { url: facts.main.url }),
    description: describeHead(facts, isSummary, maxUrlChars),
    color,
    ...(Math.abs(message.atMs) <= MAX_RFC3339_MS
      ? { timestamp: new Date(message.atMs).toISOString() }
      : {}),
    ...(isSummary || !facts.issues[0] ? {} : { fields: toFields(facts.issues[0]) }),
    ...toFooter(facts),
  });
  const full = createHead(Number.POSITIVE_INFINITY);
  const fits =
    countChars(full) <= MAX_TOTAL_CHARS && full.description.length <= MAX_DESCRIPTION_CHARS;
  const head = fits ? full : createHead(MAX_SHORT_URL_CHARS);
  const others = isSummary ? facts.issues.map((issue) => toIssueEmbed(issue, color)) : [];
  return {
    username: "Errata",
    allowed_mentions: { parse: [] },
    ...(isSummary ? { flags: SUPPRESS_NOTIFICATIONS } : {}),
    embeds: takeWithin([head, ...others], MAX_TOTAL_CHARS),
  };
}

function describeHead(facts: AlertFacts, isSummary: boolean, maxUrlChars: number): string {
  const [issue] = facts.issues;
  const text = isSummary || !issue ? [facts.summary ?? ""] : [toBlock(issue.reported)];
  const links = isSummary || !issue ? [facts.main] : issue.links;
  const rules = facts.rules.slice(0, 1).map((rule) => ({ ...rule, label: toCode(rule.label) }));
  const shown = [...links, ...rules, facts.settings].filter(({ url }) => url.length <= maxUrlChars);
  return [...text, formatLinks(shown)].filter((part) => part !== "").join("\n");
}

/** Each has a separate URL, because Discord merges embeds with the same URL. */
function toIssueEmbed({ digest, reported, facts, links }: IssueFacts, color: number): DiscordEmbed {
  const values = facts
    .slice(0, 4)
    .map(([label, value]) => `${label}: ${toCode(value)}`)
    .join("\n");
  return {
    title: digest,
    ...(links[0] ? { url: links[0].url } : {}),
    description: `${toBlock(reported)}\n${values}`,
    color,
  };
}

function toFields({ facts }: IssueFacts): NonNullable<DiscordEmbed["fields"]> {
  return facts.map(([name, value]) => ({
    name,
    value: truncateText(toCode(value), MAX_FIELD_CHARS),
    inline: true,
  }));
}

function toFooter({ reasons, rules, quiet = "" }: AlertFacts): Pick<DiscordEmbed, "footer"> {
  const lines = [...reasons, describeRules(rules), quiet].filter((line) => line !== "");
  return lines.length === 0
    ? {}
    : { footer: { text: truncateText(lines.join("\n"), MAX_FOOTER_CHARS) } };
}

/** Masked links. Labels are words of Errata, or code. */
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
function countChars({ author, title, description, fields, footer }: DiscordEmbed): number {
  const texts = [author?.name, title, description, footer?.text];
  const inFields = (fields ?? []).flatMap(({ name, value }) => [name, value]);
  return [...texts, ...inFields].reduce((sum, text = "") => sum + text.length, 0);
}

function toCode(text: string): string {
  return `\`${replaceTicks(text) || " "}\``;
}

function toBlock(text: string): string {
  return `\`\`\`\n${replaceTicks(text)}\n\`\`\``;
}
