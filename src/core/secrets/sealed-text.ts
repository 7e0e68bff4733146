/**
 * The form of an encrypted secret in stored data: `sealed:1:<key>:<bytes>`, both base64url. `key`
 * names the key; the bytes are nonce, ciphertext and tag of AES-256-GCM. A text of any other form
 * is a secret that an earlier release stored as it was entered. Pure.
 */

/** The fixed part, with the version of the form. */
export const SEALED_PREFIX = "sealed:1:";

/** What people read instead of a secret that no key of the deployment opens. */
export const LOST_SECRET =
  "The secret cannot be read, because the key of this deployment has changed. Enter it again.";

/** True for an encrypted secret, also one of a later version. People cannot enter such a text. */
export function isSealed(text: string): boolean {
  return /^sealed:\d{1,3}:/.test(text);
}
