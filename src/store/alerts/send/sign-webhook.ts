/** Signatures of webhooks (Standard Webhooks 1.0.0). */
import { WEBHOOK_SECRET_PREFIX } from "../../../core/scrubbing/own-secrets.ts";

interface SignOptions {
  readonly id: string;
  readonly nowMs: number;
  readonly body: string;
  /** `whsec_` and base64; two during a rotation. */
  readonly secrets: readonly string[];
}

/** The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
export async function signWebhook(options: SignOptions): Promise<Readonly<Record<string, string>>> {
  const { id, nowMs, body, secrets } = options;
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey(
        "raw",
        Uint8Array.from(atob(secret.slice(WEBHOOK_SECRET_PREFIX.length)), (char) =>
          char.charCodeAt(0),
        ),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
      return `v1,${btoa(String.fromCharCode(...bytes))}`;
    }),
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
