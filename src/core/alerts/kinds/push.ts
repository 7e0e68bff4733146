/** Browsers of people (RFC 8030). The store encrypts the message. */
import { ok } from "../../result.ts";
import { refuse } from "../decode.ts";
import { isAllowedTarget, parseTarget } from "../target-address.ts";
import { type KindDefinition, maskUrl, type SettingsOf } from "./kind.ts";

/** The push services of browsers. Any member can send any endpoint. */
const PUSH_HOSTS =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)*push\.services\.mozilla\.com|(?:[\w-]+\.)*push\.apple\.com|(?:[\w-]+\.)*notify\.windows\.com)$/;

export const push: KindDefinition<SettingsOf<"push">> = {
  check({ endpoint, p256dh, auth }, { allowedTargets }) {
    const target = parseTarget(endpoint, allowedTargets);
    if (!target.ok) return target;
    const { value: url } = target;
    const isKnown = PUSH_HOSTS.test(url.hostname) && (url.port === "" || url.port === "443");
    if (!isKnown && !isAllowedTarget(url, allowedTargets))
      return refuse("Errata does not support the push service of this browser.");
    // An uncompressed point of P-256 and 16 bytes (RFC 8291 § 3.1), in base64url.
    return /^B[\w-]{86}$/.test(p256dh) && /^[\w-]{22}$/.test(auth)
      ? ok(undefined)
      : refuse("The keys of the subscription are not valid.");
  },
  describeTarget: ({ endpoint }) => maskUrl(endpoint),
};
