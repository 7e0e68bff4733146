/** The body of a Rocket.Chat webhook: Markdown text, whose links have no previews. */
import type { AlertMessage } from "../alert-message.ts";
import { describeAlert } from "../formats/alert-facts.ts";
import { takeLines, toMarkdownText } from "../formats/markdown-text.ts";
import { defineUrlDestination } from "./destination-kind.ts";

/** The default of `Message_MaxAllowedSize`. */
const MAX_TEXT_CHARS = 4_900;

export const rocketChat = defineUrlDestination({
  kind: "rocket-chat",
  label: "Rocket.Chat",
  hint: "The URL of an incoming webhook.",
  placeholder: "https://chat.example.com/hooks/…",
  toCall: (_, message) => ({ body: toRocketChatBody(message) }),
});

/** The JSON of `POST https://chat.example/hooks/…`. */
interface RocketChatBody {
  readonly alias: "Errata";
  readonly text: string;
  readonly parseUrls: false;
}

/** `message` for Rocket.Chat. */
export function toRocketChatBody(message: AlertMessage): RocketChatBody {
  const text = toMarkdownText(describeAlert(message), {
    toLink: ({ label, url }) => `[${label}](${url})`,
  });
  return { alias: "Errata", text: takeLines(text, MAX_TEXT_CHARS), parseUrls: false };
}
