/**
 * Signed links: those that resolve, snooze or assign an issue, and those that confirm an address.
 * The page of an action asks for confirmation and for the rights of a member; the signature keeps
 * anyone from making such a link for others.
 */
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { SignedAction, SignedAddress } from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";
import {
  ALERT_ACTION_PATH,
  CONFIRM_EMAIL_PATH,
  VISITOR_LINK_PATH,
} from "../../core/scrubbing/own-secrets.ts";

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
  return isEqual(sign(key, action), action.signature) && action.untilMs > nowMs;
}

/** The path of a link that confirms a mail address, relative to the project. */
export function createConfirmationPath(key: LinkKey, address: string, untilMs: number): string {
  const signature = signAddress(key, { address, untilMs });
  const query = new URLSearchParams({ address, until: String(untilMs), signature });
  return `${CONFIRM_EMAIL_PATH}?${query}`;
}

/** The link that confirms the request of a visitor. `receiptUrl` is that of the receipt. */
export function createVisitorLink(receiptUrl: string, token: string): string {
  return `${receiptUrl}${VISITOR_LINK_PATH}?${new URLSearchParams({ token })}`;
}

/** True if the link was made with this key and has not expired. */
export function verifyAddressLink(key: LinkKey, link: SignedAddress, nowMs: number): boolean {
  return isEqual(signAddress(key, link), link.signature) && link.untilMs > nowMs;
}

function sign(key: LinkKey, { action, digest, untilMs }: Omit<SignedAction, "signature">): string {
  return computeHmac(key, ["errata-action", key.project, action, digest, untilMs]);
}

function signAddress(key: LinkKey, { address, untilMs }: Omit<SignedAddress, "signature">): string {
  return computeHmac(key, ["errata-address", key.project, untilMs, address]);
}

function computeHmac({ actionKey }: LinkKey, parts: readonly (string | number)[]): string {
  const hmac = createHmac("sha256", Buffer.from(actionKey, "base64url"));
  return hmac.update(parts.join("\n")).digest("base64url");
}

/** Compares in constant time. */
function isEqual(expectedText: string, actualText: string): boolean {
  const [expected, actual] = [Buffer.from(expectedText), Buffer.from(actualText)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
