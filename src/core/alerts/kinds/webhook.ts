/** Webhooks of Standard Webhooks. The store signs the body. */
import { refuse } from "../decode.ts";
import { isWebhookSecret } from "../webhook-secret.ts";
import { checkUrl, type KindDefinition, maskUrl, type SettingsOf } from "./kind.ts";

export const webhook: KindDefinition<SettingsOf<"webhook">> = {
  read: (field, secret) => ({ kind: "webhook", url: field("url"), secret }),
  check({ url, secret, previousSecret = secret }, rules) {
    return [secret, previousSecret].every(isWebhookSecret)
      ? checkUrl(url, rules)
      : refuse("The secret must be whsec_ and the base64 of 24 to 64 bytes.");
  },
  describeTarget: ({ url }) => maskUrl(url),
};
