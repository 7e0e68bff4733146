/**
 * The meaning of a service's answer for a message. `gone`: the service says in its own words that
 * the destination does not exist or rejects every message; `failed`: it rejects this message;
 * `retry`: the problem may be temporary. A status alone can come from a proxy before the service.
 */

import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { DeliveryResult } from "../../../core/alerts/delivery-result.ts";
import type { DestinationKind } from "../../../core/alerts/destination.ts";
import { toInertLine } from "../../../core/alerts/formats/inert-text.ts";
import { isRefusedInside } from "./refused-inside.ts";
import type { ServiceAnswer } from "./send-request.ts";

const MAX_SHOWN_CHARS = 200;
/** Statuses of temporary failures: request timeout, too early, too many requests. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);
/** Statuses with which a service, or a proxy in front of it, refuses every message. */
const REFUSING_STATUSES = new Set([401, 403, 404, 410]);
/** Statuses of a request whose body is refused. */
const MESSAGE_STATUSES = new Set([400, 413, 422]);

/** Services with limits per minute. */
const CHATS: ReadonlySet<DestinationKind> = new Set(["slack", "discord", "teams", "telegram"]);

/** Slack › Incoming webhooks › Handling errors. */
const SLACK_WORDS = new Set([
  ...["no_service", "no_active_hooks", "no_team", "team_disabled"],
  ...["channel_not_found", "channel_is_archived", "user_not_found", "action_prohibited"],
]);

/** True if the answer means in the service's own words that a destination no longer exists. */
const IS_GONE: Readonly<
  Partial<Record<DestinationKind, (status: number, text: string) => boolean>>
> = {
  slack: (_, text) => SLACK_WORDS.has(text.trim()),
  // Unknown Webhook, and Invalid Webhook Token (Discord › Opcodes and status codes › JSON).
  discord: (_, text) => /"code"\s{0,9}:\s{0,9}(?:10015|50027)\b/.test(text),
  ntfy: (_, text) => /"code"\s{0,9}:\s{0,9}40[13]01\b/.test(text),
  telegram: (status, text) =>
    [401, 403, 404, 410].includes(status) ||
    (status === 400 && /chat not found|chat was deleted|upgraded to a supergroup/.test(text)),
  // RFC 8030 § 7.3.
  push: (status) => status === 404 || status === 410,
  webhook: (status) => status === 410,
};

/** The result of an attempt. `secrets` are removed from the shown answer. */
export function interpretResponse(
  kind: DestinationKind,
  { status, text, retryAfterMs, isComplete = true }: ServiceAnswer,
  secrets: readonly string[],
): DeliveryResult {
  const answer = describeAnswer(text, secrets);
  if (status === undefined) return { kind: "retry", answer };
  const statusInText = kind === "teams" ? findTeamsStatus(text) : undefined;
  const actual = statusInText ?? status;
  if (actual >= 200 && actual < 300) {
    // The status is enough if the body does not arrive.
    if (!isComplete || !isRefusedInside(kind, text)) return { kind: "delivered", status, answer };
    return { kind: "retry", status, answer: describeAnswer(`Not accepted: ${text}`, secrets) };
  }
  if (actual >= 300 && actual < 400) {
    const redirected = `Redirects are not followed. ${answer}`.trim();
    const { maxRedirectAttempts: maxAttempts } = alertLimits;
    return { kind: "retry", status, answer: redirected, maxAttempts };
  }
  if (actual < 500 && IS_GONE[kind]?.(actual, text) === true)
    return { kind: "gone", status, answer };
  const isMessageRefused = MESSAGE_STATUSES.has(actual);
  // Receivers of webhooks retry on every other status (Standard Webhooks 1.0.0).
  if (kind !== "webhook" && actual < 500) {
    if (REFUSING_STATUSES.has(actual))
      return { kind: "retry", status, answer, refused: "destination" };
    if (!TEMPORARY_STATUSES.has(actual)) return { kind: "failed", status, answer };
  }
  const afterMs = findRetryAfter(kind, text) ?? retryAfterMs;
  const maxMs = CHATS.has(kind) ? alertLimits.maxChatPauseMs : alertLimits.maxPauseMs;
  return {
    kind: "retry",
    status,
    ...(afterMs === undefined ? {} : { afterMs: Math.min(afterMs, maxMs) }),
    ...(isMessageRefused && { refused: "message" as const }),
    answer,
  };
}

/** Teams states the status of a message that it refused inside the text of a 200. */
function findTeamsStatus(text: string): number | undefined {
  const [, status] = /HTTP error (\d{3})/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** The seconds that Discord and Telegram name in the body: they are more exact than the header. */
function findRetryAfter(kind: DestinationKind, text: string): number | undefined {
  if (kind !== "discord" && kind !== "telegram") return undefined;
  const [, seconds] = /"retry_after"\s*:\s*(\d{1,9}(?:\.\d+)?)/.exec(text) ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

function describeAnswer(text: string, secrets: readonly string[]): string {
  const shown = [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return toInertLine(shown, MAX_SHOWN_CHARS);
}
