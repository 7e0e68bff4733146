/**
 * Signed values in cookies: sessions and challenges. The signature is an HMAC-SHA-256 over the
 * purpose and the text, so that a value of one purpose is invalid for another. Source: RFC 2104.
 */
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The purpose of a signature. `add-passkey` contains the id of the person, `consent` the session.
 */
export type SignaturePurpose =
  | "session"
  | "sign-in"
  | "access-token"
  | `add-passkey ${string}`
  | `consent ${string}`;

/** `<text>.<signature in base64url>`. */
export function signValue(purpose: SignaturePurpose, text: string, secret: string): string {
  return `${text}.${computeSignature(purpose, text, secret)}`;
}

/** The text of a value with a valid signature, else null. Compares in constant time. */
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
