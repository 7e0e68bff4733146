/** Discord. Without `wait`, it reports no error for a message that it does not store. */
import { toDiscordBody } from "../formats/discord-body.ts";
import { createUrlKind } from "./kind.ts";

export const discord = createUrlKind("discord", (text, message) => {
  const url = new URL(text);
  url.searchParams.set("wait", "true");
  return { url: url.href, body: toDiscordBody(message) };
});
