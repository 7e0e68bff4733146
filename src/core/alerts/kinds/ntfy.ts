/** Topics of an ntfy server. */
import { ok } from "../../result.ts";
import { refuse } from "../decode.ts";
import { toNtfyBody } from "../formats/ntfy-body.ts";
import { parseNtfyUrl } from "../target-address.ts";
import { checkUrl, type KindDefinition, maskUrl, type SettingsOf } from "./kind.ts";

export const ntfy: KindDefinition<SettingsOf<"ntfy">> = {
  read: (field) => ({
    kind: "ntfy",
    url: field("url"),
    ...(field("token") !== "" && { token: field("token") }),
  }),
  check({ url, token = "" }, rules) {
    if (/[^\x21-\x7e]/.test(token)) return refuse("The token is not valid.");
    const checked = checkUrl(url, rules);
    if (!checked.ok) return checked;
    return /^[\w-]{1,64}$/.test(parseNtfyUrl(url).topic)
      ? ok(undefined)
      : refuse("The URL must end in the name of a topic, such as https://ntfy.sh/my-topic.");
  },
  describeTarget: ({ url }) => maskUrl(url),
  createRequest({ url, token = "" }, message) {
    const { topic, server } = parseNtfyUrl(url);
    const headers: Record<string, string> =
      token === "" ? {} : { authorization: `Bearer ${token}` };
    return {
      url: server,
      headers,
      body: toNtfyBody(message, topic),
    };
  },
};
