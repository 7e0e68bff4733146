/**
 * The body of a Google Chat webhook: text with code and masked links. Limit: 4,096 characters
 * (Google Chat API › Send messages).
 */
import type { AlertMessage } from "../alert-message.ts";
import { describeAlert } from "../formats/alert-facts.ts";
import { breakAngles, takeLines, toMarkdownText } from "../formats/markdown-text.ts";
import { defineUrlDestination } from "./destination-kind.ts";

const MAX_TEXT_CHARS = 4_000;

export const googleChat = defineUrlDestination({
  kind: "google-chat",
  label: "Google Chat",
  hint: "The URL of a webhook for the space.",
  placeholder: "https://chat.googleapis.com/v1/spaces/…",
  toCall: (_, message) => ({ body: toGoogleChatBody(message) }),
});

/** The JSON of `POST https://chat.googleapis.com/v1/spaces/…`. */
interface GoogleChatBody {
  readonly text: string;
}

/** `message` for Google Chat. */
export function toGoogleChatBody(message: AlertMessage): GoogleChatBody {
  const facts = describeAlert(message);
  const text = toMarkdownText(facts, {
    toLink: ({ label, url }) => `<${url}|${label}>`,
    clean: breakAngles,
  });
  return { text: takeLines(text, MAX_TEXT_CHARS) };
}
