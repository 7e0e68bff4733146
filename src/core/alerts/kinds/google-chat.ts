/** Webhooks of Google Chat. */
import { toGoogleChatBody } from "../formats/google-chat-body.ts";
import { createUrlKind } from "./kind.ts";

export const googleChat = createUrlKind("google-chat", (url, message) => ({
  url,
  body: toGoogleChatBody(message),
}));
