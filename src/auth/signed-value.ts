/**
 * What Errata gives away and takes back unchanged: sessions and challenges. A seal is an HMAC over the text and what it is for, so
 * that one kind is never taken for another.
 * Source: RFC 2104; SHA-256.
 */
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/** What something is sealed for; a new passkey for whom. */
export type SignaturePurpose = "session" | "sign-in" | `add-passkey ${string}`;

/** `text`, a dot, and its seal in base64url. */
export function signValue(purpose: SignaturePurpose, text: string, secret: string): string {
  return `${text}.${computeSignature(purpose, text, secret)}`;
}

/** The text of something that was sealed for this with this secret; null for anything else. Takes as long whatever the seal says. */
export function verifySignedValue(
  purpose: SignaturePurpose,
  value: string,
  secret: string,
): string | null {
  const at = value.lastIndexOf(".");
  const text = value.slice(0, Math.max(at, 0));
  const expected = Buffer.from(computeSignature(purpose, text, secret));
  const signature = Buffer.from(value.slice(at + 1));
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? text : null;
}

function computeSignature(purpose: SignaturePurpose, text: string, secret: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n${text}`).digest("base64url");
}
