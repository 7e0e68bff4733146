/**
 * Whether Errata may send to a destination. Checked when a destination is saved and before each
 * attempt.
 */

import { assertNever, ok, type Result } from "../result.ts";
import { alertLimits } from "./alert-limits.ts";
import type { DestinationSettings } from "./destination.ts";
import { refuse } from "./preferences.ts";
import { isAllowedTarget, parseNtfyUrl, parseTarget } from "./target-address.ts";
import { isWebhookSecret } from "./webhook-secret.ts";

/** RFC 5321 § 4.5.3.1.3. */
const MAX_ADDRESS_CHARS = 254;
/** The push services of browsers. Any member can send any endpoint. */
const PUSH_HOSTS =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)*push\.services\.mozilla\.com|(?:[\w-]+\.)*push\.apple\.com|(?:[\w-]+\.)*notify\.windows\.com)$/;
const ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\.]+$/;
/** Control characters, and invisible ones that turn or hide parts of an address. */
const UNSEEN_CHARS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

/** Accepts the settings, or refuses them with a sentence for the form. */
export function checkDestination(
  settings: DestinationSettings,
  allowedTargets: readonly string[],
  ownHost?: string,
): Result<void, { reason: "invalid"; detail: string }> {
  switch (settings.kind) {
    case "slack":
    case "discord":
    case "teams":
      return checkUrl(settings.url, allowedTargets, ownHost);
    case "webhook": {
      const secrets = [settings.secret, settings.previousSecret ?? settings.secret];
      return secrets.every(isWebhookSecret)
        ? checkUrl(settings.url, allowedTargets, ownHost)
        : refuse("The secret must be whsec_ and the base64 of 24 to 64 bytes.");
    }
    case "email":
      return checkAddresses(settings.to);
    case "ntfy": {
      if (/[^\x21-\x7e]/.test(settings.token ?? "")) return refuse("The token is not valid.");
      const checked = checkUrl(settings.url, allowedTargets, ownHost);
      if (!checked.ok) return checked;
      return /^[\w-]{1,64}$/.test(parseNtfyUrl(settings.url).topic)
        ? ok(undefined)
        : refuse("The URL must end in the name of a topic, such as https://ntfy.sh/my-topic.");
    }
    case "telegram":
      if (!/^\d{3,20}:[\w-]{20,100}$/.test(settings.token))
        return refuse("The token must be the one that BotFather shows, such as 123456:ABC….");
      return /^(?:-?\d{1,20}|@\w{4,64})$/.test(settings.chatId)
        ? ok(undefined)
        : refuse("The chat must be a number, such as -1001234567890, or an @name.");
    case "push":
      return checkPush(settings, allowedTargets);
    default:
      return assertNever(settings, refuse("Unknown kind of destination."));
  }
}

function checkUrl(url: string, allowedTargets: readonly string[], ownHost?: string) {
  const target = parseTarget(url, allowedTargets, ownHost);
  return target.ok ? ok(undefined) : target;
}

function checkAddresses(addresses: readonly string[]) {
  if (addresses.length === 0) return refuse("Enter at least one email address.");
  const { maxRecipients } = alertLimits;
  if (addresses.length > maxRecipients) return refuse(`At most ${maxRecipients} addresses.`);
  const areValid = addresses.every(
    (address) =>
      address.length <= MAX_ADDRESS_CHARS && ADDRESS.test(address) && !UNSEEN_CHARS.test(address),
  );
  return areValid ? ok(undefined) : refuse("Enter email addresses such as ada@example.com.");
}

function checkPush(
  { endpoint, p256dh, auth }: Extract<DestinationSettings, { kind: "push" }>,
  allowedTargets: readonly string[],
) {
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
}
