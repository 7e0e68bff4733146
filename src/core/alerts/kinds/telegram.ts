/** Chats of a Telegram bot. */
import { ok } from "../../result.ts";
import { refuse } from "../decode.ts";
import { toTelegramBody } from "../formats/telegram-body.ts";
import type { KindDefinition, SettingsOf } from "./kind.ts";

const ORIGIN = "https://api.telegram.org";

export const telegram: KindDefinition<SettingsOf<"telegram">> = {
  read: (field) => ({ kind: "telegram", token: field("token"), chatId: field("chatId") }),
  check({ token, chatId }) {
    if (!/^\d{3,20}:[\w-]{20,100}$/.test(token))
      return refuse("The token must be the one that BotFather shows, such as 123456:ABC….");
    return /^(?:-?\d{1,20}|@\w{4,64})$/.test(chatId)
      ? ok(undefined)
      : refuse("The chat must be a number, such as -1001234567890, or an @name.");
  },
  describeTarget: ({ chatId }) => `api.telegram.org, chat ${chatId}`,
  createRequest: ({ token, chatId }, message) => ({
    url: `${ORIGIN}/bot${token}/sendMessage`,
    body: toTelegramBody(message, chatId),
  }),
};
