/** Checks the signature of a webhook in constant time. */
import { fromHex } from "../../../core/hex.ts";
import { WEBHOOK_SECRET_PREFIX } from "../../../core/scrubbing/own-secrets.ts";
import type { HookSignature, ReadHeader } from "../../../core/trackers/tracker-kind.ts";

/** How far the clock of a sender may be off, and how long a delivery may be on its way, ms. */
export const MAX_AGE_MS = 5 * 60_000;

/** A delivery. */
interface SignedBody {
  readonly readHeader: ReadHeader;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** True if one of the signatures that the delivery has is that of the secret. */
export async function verifyHook(
  signatures: readonly HookSignature[],
  delivery: SignedBody,
  secret: string,
  nowMs: number,
): Promise<boolean> {
  // Only the first header that is there counts: a wrong signature must not fall back to a token.
  const used = signatures.find((one) => delivery.readHeader(getHeader(one)) !== undefined);
  return used !== undefined && verify(used, delivery, secret, nowMs);
}

function getHeader(signature: HookSignature): string {
  return signature.scheme === "standard" ? "webhook-signature" : signature.header;
}

async function verify(
  signature: HookSignature,
  { readHeader, body }: SignedBody,
  secret: string,
  nowMs: number,
): Promise<boolean> {
  const sent = readHeader(getHeader(signature)) ?? "";
  switch (signature.scheme) {
    case "hmac": {
      if (!sent.startsWith(signature.prefix)) return false;
      const bytes = fromHex(sent.slice(signature.prefix.length));
      if (bytes === undefined) return false;
      const key = await importKey(encode(secret));
      return crypto.subtle.verify("HMAC", key, bytes, body);
    }
    case "token": {
      // Both texts are signed, so that the comparison tells nothing about their beginnings.
      const key = await importKey(crypto.getRandomValues(new Uint8Array(32)));
      const expected = await crypto.subtle.sign("HMAC", key, encode(secret));
      return crypto.subtle.verify("HMAC", key, expected, encode(sent));
    }
    case "standard": {
      const id = readHeader("webhook-id") ?? "";
      const time = readHeader("webhook-timestamp") ?? "";
      const isRecent = Math.abs(Number(time) * 1_000 - nowMs) <= MAX_AGE_MS;
      const keyBytes = fromBase64(secret.slice(WEBHOOK_SECRET_PREFIX.length));
      if (id === "" || !/^\d{1,12}$/.test(time) || !isRecent || keyBytes === undefined)
        return false;
      const key = await importKey(keyBytes);
      const head = encode(`${id}.${time}.`);
      const signed = new Uint8Array(head.length + body.length);
      signed.set(head);
      signed.set(body, head.length);
      const versions = sent.split(" ").filter((one) => one.startsWith("v1,"));
      const checks = versions.slice(0, 5).map(async (one) => {
        const bytes = fromBase64(one.slice("v1,".length));
        return bytes !== undefined && crypto.subtle.verify("HMAC", key, bytes, signed);
      });
      return (await Promise.all(checks)).includes(true);
    }
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
