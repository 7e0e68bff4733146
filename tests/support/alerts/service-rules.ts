/**
 * The rules of each service as its documentation states them: what it refuses, and what it makes of
 * a text. A function returns the problems of a body, so that a test shows all of them.
 */

type Json = Readonly<Record<string, unknown>>;

/** The only links that a message of the tests may have. */
const OWN_URL = /https:\/\/(?:errata\.example|github\.com\/acme\/shop)[^\s"<>|)]*/g;
/**
 * Text that mail programs and phones turn into links. Endings of source files that are no top-level
 * domains make none, and neither does a version after `@`.
 */
const LINKED =
  /\b(?:https?|ftp):\/|\b(?:mailto|tel):|\/\/|\w\.(?!(?:tsx?|[cm]?jsx?|java|rb|go|php|cs|html?|py:\d)\b(?![./]))[a-z]{2}|\S@(?!v?\d+\.\d)\w|\d{7}|\d+\.\d+\.\d+\.\d/iu;
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\u2028\u2029]|(?!\n)\p{Cc}/u;
const WORDS = /^[\w\s,.:;·•×“”()🔴🟠🟡🔵💬-]*$/u;

/** Problems of a body for a Slack incoming webhook. */
export function checkSlack(body: Json): string[] {
  const problems: string[] = [];
  const blocks = asArray(body.blocks);
  if (typeof body.text !== "string" || body.text === "") problems.push("no_text");
  // Services that read the text as Markdown need no escapes, but find mentions in it.
  if (/<(?:[!@#]|\w{1,20}:)/.test(String(body.text))) problems.push("a mention in the text");
  if (blocks.length > 50) problems.push("invalid_blocks: more than 50");
  for (const block of blocks) problems.push(...checkSlackBlock(block));
  return [...problems, ...checkInvisible(body)];
}

function checkSlackBlock(block: Json): string[] {
  const text = (block.text ?? {}) as Json;
  const written = String(text.text ?? "");
  switch (block.type) {
    case "header":
      return [
        ...(text.type === "plain_text" ? [] : ["header: not plain_text"]),
        ...checkLength("header", written, 150),
      ];
    case "section":
      return [
        ...checkLength("section", written, 3_000),
        ...(text.type === "plain_text" ? [] : checkMrkdwn(text)),
      ];
    case "actions":
      return asArray(block.elements).flatMap((button) => [
        ...checkLength("button", String((button.text as Json).text), 75),
        ...checkLength("url", String(button.url), 3_000),
        ...checkOwnUrl(String(button.url)),
      ]);
    case "context":
      return [
        ...(asArray(block.elements).length <= 10 ? [] : ["context: more than 10"]),
        ...asArray(block.elements).flatMap((element) =>
          element.type === "plain_text"
            ? checkLength("context", String(element.text), 3_000)
            : ["context: not plain_text"],
        ),
      ];
    default:
      return [`invalid_blocks: ${String(block.type)}`];
  }
}

/** A link to the page of a digest. */
const OWN_LINK = /<https:\/\/errata\.example[^|>\s]*\|[\w-]+>/g;

function checkMrkdwn(text: Json): string[] {
  const written = String(text.text);
  const outside = written
    .replace(/```[^`]*```/g, "")
    .replace(/`[^`\n]+`/g, "")
    .replace(OWN_LINK, "")
    .replace(/^\*[\w ]+\*/, "");
  return [
    ...(text.verbatim === true ? [] : ["mrkdwn without verbatim"]),
    ...checkMentions(written.replace(OWN_LINK, "")),
    ...(WORDS.test(outside) ? [] : [`mrkdwn outside of code: ${outside}`]),
  ];
}

/** Slack makes mentions and links of `<…>` in every text that is not `plain_text`. */
function checkMentions(text: string): string[] {
  return /[<>]|&(?!amp;|lt;|gt;)/.test(text) ? [`not escaped: ${text}`] : [];
}

/** Problems of Markdown in which only code is reported: Mattermost finds mentions elsewhere. */
export function checkMarkdownText(text: string): string[] {
  const outside = text
    .replace(/`[^`\n]+`/g, "Code")
    .replace(/\[[\w -]+\]\(https:\/\/(?:errata\.example|github\.com\/acme)[^)\s]*\)/g, "");
  return WORDS.test(outside) ? [] : [`Markdown outside of code: ${outside}`];
}

/** Problems of a body for a Discord webhook. */
export function checkDiscord(body: Json): string[] {
  const embeds = asArray(body.embeds);
  const parse = (body.allowed_mentions as Json | undefined)?.parse;
  const urls = embeds.map((embed) => embed.url);
  return [
    ...(Array.isArray(parse) && parse.length === 0 ? [] : ["mentions are allowed"]),
    ...checkLength("content", String(body.content ?? ""), 2_000),
    ...(embeds.length >= 1 && embeds.length <= 10 ? [] : [`${embeds.length} embeds`]),
    ...(new Set(urls).size === urls.length ? [] : ["embeds with one URL are merged"]),
    ...(embeds.reduce((sum, embed) => sum + countEmbedChars(embed), 0) <= 6_000
      ? []
      : ["embeds: more than 6,000 characters"]),
    ...embeds.flatMap(checkEmbed),
    ...checkInvisible(body),
  ];
}

function countEmbedChars(embed: Json): number {
  const fields = asArray(embed.fields).flatMap((field) => [field.name, field.value]);
  const nested = ["author", "footer"].map((name) => embed[name] as Json | undefined);
  const texts = [embed.title, embed.description, nested[0]?.name, nested[1]?.text];
  return [...texts, ...fields].reduce<number>((sum, text) => sum + String(text ?? "").length, 0);
}

function checkEmbed(embed: Json): string[] {
  const fields = asArray(embed.fields);
  const { name = "" } = (embed.author ?? {}) as { name?: string };
  const { text = "" } = (embed.footer ?? {}) as { text?: string };
  return [
    ...checkLength("author", name, 256),
    ...checkLength("title", String(embed.title ?? ""), 256),
    ...checkDiscordMarkdown(String(embed.title ?? "")),
    ...checkLength("description", String(embed.description ?? ""), 4_096),
    ...checkDiscordMarkdown(String(embed.description ?? "")),
    ...checkLength("footer", text, 2_048),
    ...(fields.length <= 25 ? [] : ["more than 25 fields"]),
    ...fields.flatMap((field) => [
      ...(String(field.name) === "" || String(field.value) === "" ? ["empty field"] : []),
      ...checkLength("field name", String(field.name), 256),
      ...checkLength("field value", String(field.value), 1_024),
      ...checkDiscordMarkdown(String(field.value)),
    ]),
    ...(embed.url === undefined ? [] : checkOwnUrl(String(embed.url))),
  ];
}

function checkDiscordMarkdown(text: string): string[] {
  const outside = text
    .replace(/```\n[^`]*\n```/g, "")
    .replace(/`[^`\n]+`/g, "Code")
    .replace(/\[[\w ]+\]\(<https:\/\/(?:errata\.example|github\.com\/acme)[^>\s]*>\)/g, "");
  return WORDS.test(outside) ? [] : [`Markdown outside of code: ${outside}`];
}

/** Problems of a body for a Teams workflow. */
export function checkTeams(body: Json): string[] {
  const [attachment, ...others] = asArray(body.attachments);
  const card = (attachment?.content ?? {}) as Json;
  return [
    ...(body.type === "message" && others.length === 0 ? [] : ["not a message with one card"]),
    ...(attachment?.contentType === "application/vnd.microsoft.card.adaptive"
      ? []
      : ["not an Adaptive Card"]),
    ...(card.type === "AdaptiveCard" && card.version === "1.4" ? [] : ["not version 1.4"]),
    ...(countBytes(JSON.stringify(body)) <= 28 * 1024 ? [] : ["more than 28 KB"]),
    ...asArray(card.body).flatMap((block) =>
      block.type !== "RichTextBlock"
        ? [`renders Markdown: ${String(block.type)}`]
        : asArray(block.inlines).flatMap((run) =>
            run.type === "TextRun"
              ? checkUnlinked(String(run.text))
              : [`not a TextRun: ${String(run.type)}`],
          ),
    ),
    ...(asArray(card.actions).length <= 6 ? [] : ["more than 6 actions"]),
    ...asArray(card.actions).flatMap((action) => [
      ...(action.type === "Action.OpenUrl" ? [] : [`action ${String(action.type)}`]),
      ...checkOwnUrl(String(action.url)),
    ]),
    ...checkInvisible(body),
  ];
}

/** Problems of the JSON for an ntfy server. */
export function checkNtfy(body: Json): string[] {
  const actions = asArray(body.actions);
  return [
    ...(/^[\w-]{1,64}$/.test(String(body.topic)) ? [] : ["invalid topic"]),
    ...(countBytes(String(body.message)) <= 4_096 ? [] : ["message over 4,096 bytes"]),
    ...(body.markdown === undefined ? [] : ["Markdown"]),
    ...(actions.length <= 3 ? [] : ["more than 3 actions"]),
    ...[body.click, ...actions.map((action) => action.url)].flatMap((url) =>
      url === undefined ? [] : checkOwnUrl(String(url)),
    ),
    ...checkUnlinked(String(body.title)),
    ...checkUnlinked(String(body.message)),
    ...checkInvisible(body),
  ];
}

/** Problems of the JSON for Telegram's `sendMessage`. */
export function checkTelegram(body: Json): string[] {
  const text = String(body.text);
  const entities = asArray(body.entities);
  let outside = text;
  for (const entity of [...entities].reverse()) {
    const [offset, length] = [Number(entity.offset), Number(entity.length)];
    outside = outside.slice(0, offset) + outside.slice(offset + length);
  }
  const keyboard = body.reply_markup as { inline_keyboard: Json[][] } | undefined;
  return [
    ...(text.length >= 1 && text.length <= 4_096 ? [] : [`${text.length} characters`]),
    ...(body.parse_mode === undefined ? [] : ["parse_mode"]),
    ...(entities.length <= 100 ? [] : ["more than 100 entities"]),
    ...(entities.every((e) => Number(e.offset) + Number(e.length) <= text.length)
      ? []
      : ["entity out of range"]),
    ...(WORDS.test(outside) ? [] : [`text outside of code: ${outside}`]),
    ...(keyboard?.inline_keyboard ?? []).flat().flatMap((key) => checkOwnUrl(String(key.url))),
    ...checkInvisible(body),
  ];
}

/** Problems of an email for Cloudflare's `send_email` binding, which SMTP servers share. */
export function checkEmail(mail: {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}): string[] {
  const allowed = /^(?:In-Reply-To|References|Auto-Submitted|List-Unsubscribe|X-[\w-]+)$/;
  // An element between two words breaks a link.
  const [, body = ""] = mail.html.split("</style>");
  const visible = body.replace(/<[^>]*>/g, " ");
  return [
    ...(/[\r\n]/.test(mail.subject) ? ["line break in the subject"] : []),
    ...checkLength("subject", mail.subject, 998),
    ...checkUnlinked(mail.subject),
    ...checkUnlinked(mail.text),
    ...checkUnlinked(
      visible.replace(/&#\d+;/g, (code) => String.fromCharCode(Number(code.slice(2, -1)))),
    ),
    ...checkTags(mail.html),
    ...Object.entries(mail.headers).flatMap(([name, value]) => [
      ...(allowed.test(name) ? [] : [`E_HEADER_NOT_ALLOWED ${name}`]),
      ...(/[\r\n]/.test(value) || value === "" ? [`E_HEADER_VALUE_INVALID ${name}`] : []),
      ...(countBytes(value) <= 2_048 ? [] : [`E_HEADER_VALUE_TOO_LONG ${name}`]),
    ]),
  ];
}

/** Tags and attributes of HTML other than those that messages have. */
function checkTags(html: string): string[] {
  const tag =
    /^<(?:!doctype html|\/?(?:html|head|title|style|body|h1|p|div|table|tr|td|wbr|a|meta)(?: (?:lang|charset|name|content|class|role|width|cellpadding|cellspacing|style|align)="[^"<>&]*"| href="https:\/\/(?:errata\.example|github\.com\/acme\/shop)[^"<>]*")*)>$/;
  return [...html.matchAll(/<[^>]*>?/g)].map(([text]) => text).filter((text) => !tag.test(text));
}

/** Problems if a text has something that readers turn into a link, besides Errata's own URLs. */
export function checkUnlinked(text: string): string[] {
  const [linked] = LINKED.exec(text.replace(OWN_URL, "")) ?? [];
  return linked === undefined ? [] : [`becomes a link: ${linked} in ${text}`];
}

function checkOwnUrl(url: string): string[] {
  return url.replace(OWN_URL, "") === "" ? [] : [`foreign URL: ${url}`];
}

function checkInvisible(body: Json): string[] {
  const strings: string[] = [];
  JSON.stringify(body, (_, value) => {
    if (typeof value === "string") strings.push(value);
    return value;
  });
  return strings.filter((text) => INVISIBLE.test(text)).map((text) => `invisible in ${text}`);
}

function checkLength(name: string, text: string, maxChars: number): string[] {
  return text.length <= maxChars ? [] : [`${name}: ${text.length} of ${maxChars} characters`];
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function asArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
