/**
 * The meaning of a service's answer for a message. `gone`: the destination no longer exists or
 * rejects every message; `failed`: it rejects this message; `retry`: the problem may be temporary.
 */

import type { DeliveryResult } from "../../../core/alerts/delivery-result.ts";
import type { DestinationKind } from "../../../core/alerts/destination.ts";
import { toInertLine } from "../../../core/alerts/formats/inert-text.ts";
import type { ServiceAnswer } from "./send-request.ts";

const MAX_SHOWN_CHARS = 200;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** Statuses of temporary failures: request timeout, too early, too many requests. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/** The statuses, besides 410, that mean that a destination no longer accepts messages. */
const GONE: Readonly<Partial<Record<DestinationKind, ReadonlySet<number>>>> = {
  slack: new Set([401, 403, 404]),
  discord: new Set([401, 403, 404]),
  teams: new Set([401, 403, 404]),
  ntfy: new Set([401, 403]),
  telegram: new Set([401, 403, 404]),
  push: new Set([403, 404]),
};

/** The result of an attempt. `secrets` are removed from the shown answer. */
export function interpretResponse(
  kind: DestinationKind,
  { status, text, retryAfterMs }: ServiceAnswer,
  secrets: readonly string[],
): DeliveryResult {
  const answer = describeAnswer(text, secrets);
  if (status === undefined) return { kind: "retry", answer };
  const statusInText = kind === "teams" ? findTeamsStatus(text) : undefined;
  const actual = statusInText ?? status;
  if (actual >= 200 && actual < 300) return { kind: "delivered", status, answer };
  if (actual >= 300 && actual < 400)
    return { kind: "failed", status, answer: `Redirects are not followed. ${answer}`.trim() };
  if (isGone(kind, actual, text)) return { kind: "gone", status, answer };
  // Receivers of webhooks retry on every other status (Standard Webhooks 1.0.0).
  if (kind !== "webhook" && actual < 500 && !TEMPORARY_STATUSES.has(actual))
    return { kind: "failed", status, answer };
  const afterMs = findRetryAfter(kind, text) ?? retryAfterMs;
  return {
    kind: "retry",
    status,
    ...(afterMs === undefined ? {} : { afterMs: Math.min(afterMs, MAX_RETRY_AFTER_MS) }),
    answer,
  };
}

function isGone(kind: DestinationKind, status: number, text: string): boolean {
  if (status === 410 || GONE[kind]?.has(status) === true) return true;
  // These texts name a channel, a person or a chat that does not exist.
  return (
    status === 400 &&
    ((kind === "slack" && /^(?:user|channel)_not_found|^no_(?:service|team)/.test(text)) ||
      (kind === "telegram" &&
        /chat not found|chat was deleted|upgraded to a supergroup/.test(text)))
  );
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
