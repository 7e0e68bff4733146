/** Secrets of webhooks (Standard Webhooks 1.0.0): `whsec_` and base64 of 24 to 64 bytes. */
import { WEBHOOK_SECRET_PREFIX } from "../scrubbing/own-secrets.ts";

const WEBHOOK_SECRET = new RegExp(`^${WEBHOOK_SECRET_PREFIX}([A-Za-z0-9+/]{32,86}={0,2})$`);

/** The secret of random `bytes`, of which 32 are usual. */
export function formatWebhookSecret(bytes: Uint8Array): string {
  return `${WEBHOOK_SECRET_PREFIX}${btoa(String.fromCharCode(...bytes))}`;
}

/** True for a secret that receivers accept. */
export function isWebhookSecret(secret: string): boolean {
  const [, base64] = WEBHOOK_SECRET.exec(secret) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const bytes = (base64.replace(/=+$/, "").length * 3) >> 2;
  return bytes >= 24 && bytes <= 64;
}
