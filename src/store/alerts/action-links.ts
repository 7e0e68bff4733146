/**
 * Signed links that resolve, mute or assign an issue. The page that they open asks for confirmation
 * and for the rights of a member; the signature keeps anyone from making such a link for others.
 */
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { SignedAction } from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";
import { ALERT_ACTION_PATH } from "../../core/scrubbing/own-secrets.ts";

interface LinkKey {
  readonly project: string;
  /** base64url. */
  readonly actionKey: string;
}

/** The path of a link, relative to the project. The same for every attempt of a message. */
export function createActionPath(
  key: LinkKey,
  action: SignedAction["action"],
  digest: Digest,
  atMs: number,
): string {
  const untilMs = atMs + alertLimits.actionLinkMs;
  const signature = sign(key, { action, digest, untilMs });
  const query = new URLSearchParams({ action, digest, until: String(untilMs), signature });
  return `${ALERT_ACTION_PATH}?${query}`;
}

/** True if the link was made with this key and has not expired. */
export function verifyAction(key: LinkKey, action: SignedAction, nowMs: number): boolean {
  const expected = Buffer.from(sign(key, action));
  const actual = Buffer.from(action.signature);
  const isSigned = expected.length === actual.length && timingSafeEqual(expected, actual);
  return isSigned && action.untilMs > nowMs;
}

function sign(
  { project, actionKey }: LinkKey,
  { action, digest, untilMs }: Omit<SignedAction, "signature">,
): string {
  const text = ["errata-action", project, action, digest, untilMs].join("\n");
  return createHmac("sha256", Buffer.from(actionKey, "base64url")).update(text).digest("base64url");
}
