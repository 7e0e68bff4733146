/** Signs page tokens at once: `writeHead` of Node.js does not wait for `crypto.subtle`. */

import { type NewClaims, toNewClaimBytes } from "../auth/page-token-hmac.ts";
import {
  encodePageToken,
  type TokenScope,
  toSignedBytes,
} from "../core/trust/page-token-format.ts";
import { hmacSha256 } from "./sha256.ts";

/** The same token as `signPageToken`: `keyHash` is the SHA-256 of a server key in hexadecimal. */
export function signPageTokenNow(keyHash: string, claims: NewClaims, scope: TokenScope): string {
  const bytes = toNewClaimBytes(keyHash, claims);
  const key = Uint8Array.from(keyHash.match(/../g) ?? [], (digits) => Number(`0x${digits}`));
  return encodePageToken(bytes, hmacSha256(key, toSignedBytes(bytes, scope)));
}
