/**
 * The body of a Telegram message. It has no `parse_mode`, and reported text is in `pre` and `code`
 * entities, in which Telegram finds no links, mentions, hashtags or commands. Limits: Telegram Bot
 * API › sendMessage.
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import {
  type AlertLink,
  describeAlert,
  getOnlyIssue,
  type IssueFacts,
} from "../formats/alert-facts.ts";
import type { Phrase } from "../formats/phrase.ts";
import { defineDestination, keySetting } from "./destination-kind.ts";

const ORIGIN = "https://api.telegram.org";

/** Chats of a Telegram bot. */
export const telegram = defineDestination({
  kind: "telegram",
  label: "Telegram",
  hint: "The token of a bot, and a chat with it.",
  settings: {
    token: keySetting(
      {
        label: "Token",
        placeholder: "123456:ABC…",
        problem: "The token must be the one that BotFather shows, such as 123456:ABC….",
      },
      /^\d{3,20}:[\w-]{20,100}$/,
    ),
    chatId: keySetting(
      {
        label: "Chat",
        placeholder: "-1001234567890",
        problem: "The chat must be a number, such as -1001234567890, or an @name.",
      },
      /^(?:-?\d{1,20}|@\w{4,64})$/,
    ),
  },
  describeTarget: ({ chatId }) => `api.telegram.org, chat ${chatId}`,
  createCall: ({ token, chatId }, message) => ({
    kind: "json",
    url: `${ORIGIN}/bot${token}/sendMessage`,
    body: toTelegramBody(message, chatId),
  }),
  answers: {
    isChat: true,
    hasRetryAfter: true,
    isGone: (status, text) =>
      [401, 403, 404, 410].includes(status) ||
      (status === 400 && /chat not found|chat was deleted|upgraded to a supergroup/.test(text)),
  },
});

const MAX_TEXT_CHARS = 4_000;
/** The API takes 100. */
const MAX_ENTITIES = 90;

interface TelegramEntity {
  readonly type: "bold" | "code" | "pre";
  /** UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
}

/** The JSON of `sendMessage`. */
interface TelegramBody {
  readonly chat_id: string;
  readonly text: string;
  readonly entities: readonly TelegramEntity[];
  readonly link_preview_options: { readonly is_disabled: true };
  readonly reply_markup?: {
    readonly inline_keyboard: readonly (readonly {
      readonly text: string;
      readonly url: string;
    }[])[];
  };
}

interface TelegramPart {
  readonly text: string;
  readonly type?: TelegramEntity["type"];
}

/** `message` for the chat. */
export function toTelegramBody(message: AlertMessage, chatId: string): TelegramBody {
  const facts = describeAlert(message);
  const issue = getOnlyIssue(facts);
  const lines: readonly (readonly TelegramPart[])[] = [
    [{ text: `${facts.mark} ` }, { text: facts.status, type: "code" }],
    ...(issue === undefined ? [[{ text: facts.title, type: "code" as const }]] : listLines(issue)),
    ...(facts.summary === undefined ? [] : facts.issues.flatMap(listSummaryLines)),
    ...facts.reasons.map((text) => [{ text, type: "code" as const }]),
    ...(facts.footer === "" ? [] : [[{ text: facts.footer, type: "code" as const }]]),
  ];
  return {
    chat_id: chatId,
    ...joinParts(lines.flatMap((line, n) => (n === 0 ? line : [{ text: "\n" }, ...line]))),
    link_preview_options: { is_disabled: true },
    ...toKeyboard([...(issue?.links ?? [facts.main]), facts.settings]),
  };
}

function listLines(issue: IssueFacts): readonly (readonly TelegramPart[])[] {
  const { headline, cause, source, quote, lines } = issue;
  return [
    [{ text: headline, type: "pre" }],
    ...(cause === undefined ? [] : [toParts(cause)]),
    ...(source === undefined ? [] : [[{ text: source, type: "pre" as const }]]),
    ...(quote === undefined ? [] : [toParts(quote)]),
    ...lines.map(toParts),
  ];
}

function listSummaryLines({ badge, digest, headline }: IssueFacts) {
  const head = badge === undefined ? "" : `${badge} · `;
  return [
    [{ text: head }, { text: digest, type: "bold" as const }],
    [{ text: headline, type: "pre" as const }],
  ];
}

function toParts(phrase: Phrase): readonly TelegramPart[] {
  return phrase.map((part) =>
    typeof part === "string" ? { text: part } : { text: part.reported, type: "code" },
  );
}

function joinParts(parts: readonly TelegramPart[]): Pick<TelegramBody, "text" | "entities"> {
  let text = "";
  const entities: TelegramEntity[] = [];
  for (const part of parts) {
    const shown = truncateText(part.text, MAX_TEXT_CHARS - text.length);
    if (shown === "" || (part.type && entities.length >= MAX_ENTITIES)) continue;
    if (part.type) entities.push({ type: part.type, offset: text.length, length: shown.length });
    text += shown;
  }
  return { text, entities };
}

/** Telegram refuses a message with a button that leads to a host without a dot. */
function toKeyboard(links: readonly AlertLink[]): Pick<TelegramBody, "reply_markup"> {
  const buttons = links
    .filter(({ url }) => URL.parse(url)?.hostname.includes(".") === true)
    .map(({ label, url }) => [{ text: label, url }]);
  return buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: buttons } };
}
