/** Refusals inside a response with a status of success. */
import type { DestinationKind } from "../../../core/alerts/destination.ts";

/** Receivers whose status alone says whether a message was accepted (their standards). */
const STATUS_IS_ENOUGH: ReadonlySet<DestinationKind> = new Set(["webhook", "push", "email"]);

/**
 * True if a service refused the message in the body of a 2xx response, or if a page, such as that
 * of a sign-in, was sent in place of the service's answer.
 */
export function isRefusedInside(kind: DestinationKind, text: string): boolean {
  if (STATUS_IS_ENOUGH.has(kind)) return false;
  const body = text.trim();
  if (body.startsWith("<")) return true;
  const success = findSuccess(body);
  // Slack and Mattermost answer `ok`, Rocket.Chat `{"success":true}`.
  if (kind === "slack") return body !== "" && body !== "ok" && success !== true;
  if (kind === "teams" && /\bdelivery failed\b/i.test(body)) return true;
  return success === false;
}

/** The member `success` or `ok` of a JSON object; undefined without one. */
function findSuccess(body: string): boolean | undefined {
  if (!body.startsWith("{")) return undefined;
  try {
    const { success, ok } = JSON.parse(body) as { readonly success?: unknown; ok?: unknown };
    const stated = success ?? ok;
    return typeof stated === "boolean" ? stated : undefined;
  } catch {
    // Only the beginning of a long answer was read.
    return undefined;
  }
}
