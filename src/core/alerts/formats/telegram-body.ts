/**
 * The body of a Telegram message. It has no `parse_mode`, and reported text is in `pre` and `code`
 * entities, in which Telegram finds no links, mentions, hashtags or commands. Limits: Telegram Bot
 * API › sendMessage.
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { type AlertLink, describeAlert, describeRules } from "./alert-facts.ts";

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

/** `message` for the chat. */
export function toTelegramBody(message: AlertMessage, chatId: string): TelegramBody {
  const facts = describeAlert(message);
  const isSummary = facts.summary !== undefined;
  const parts: { readonly text: string; readonly type?: TelegramEntity["type"] }[] = [
    { text: `${facts.title} · ${facts.project}`, type: "code" },
    { text: "\n" },
    { text: facts.summary ?? "" },
    ...facts.issues.flatMap(({ digest, reported, facts: values }) => [
      { text: "\n" },
      { text: digest, type: "bold" as const },
      { text: "\n" },
      { text: reported, type: "pre" as const },
      ...values
        .slice(0, isSummary ? 3 : values.length)
        .flatMap(([label, value]) => [
          { text: `\n${label}: ` },
          { text: value, type: "code" as const },
        ]),
      { text: "\n" },
    ]),
    ...[...facts.reasons, describeRules(facts.rules), facts.quiet ?? ""].flatMap((text) => [
      { text: text === "" ? "" : "\n" },
      { text, type: "code" as const },
    ]),
  ];
  const links = isSummary ? [] : (facts.issues[0]?.links.slice(1) ?? []);
  return {
    chat_id: chatId,
    ...joinParts(parts),
    link_preview_options: { is_disabled: true },
    ...toKeyboard([facts.main, ...links, facts.settings]),
  };
}

function joinParts(
  parts: readonly { readonly text: string; readonly type?: TelegramEntity["type"] }[],
): Pick<TelegramBody, "text" | "entities"> {
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
