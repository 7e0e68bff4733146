/** Incoming webhooks of Rocket.Chat. */
import { toRocketChatBody } from "../formats/rocket-chat-body.ts";
import { createUrlKind } from "./kind.ts";

export const rocketChat = createUrlKind("rocket-chat", (url, message) => ({
  url,
  body: toRocketChatBody(message),
}));
