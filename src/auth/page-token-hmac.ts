/**
 * Signatures of page tokens with WebCrypto. A key is imported once per isolate, since a signature
 * with an imported key costs a third.
 */

import { MemoCache } from "../core/memo-cache.ts";
import {
  encodePageToken,
  hasSignature,
  type PageToken,
  type PageTokenClaims,
  type TokenScope,
  toClaimBytes,
  toKeyId,
  toPageId,
  toSignedBytes,
  toTokenMinutes,
} from "../core/trust/page-token-format.ts";

/** The claims of a token that is signed now, for the page with a trace id of 32 hex digits. */
export interface NewClaims
  extends Pick<PageTokenClaims, "isShared" | "isOwn" | "isForVisitor" | "policyHash"> {
  readonly traceId: string;
  readonly nowMs: number;
}

/** The claims of a new token as its first bytes. */
function toNewClaimBytes(keyHash: string, { traceId, nowMs, ...facts }: NewClaims): Uint8Array {
  return toClaimBytes({
    ...facts,
    keyId: toKeyId(keyHash),
    minutes: toTokenMinutes(nowMs),
    pageId: toPageId(traceId),
  });
}

/** A token that is signed with a key: the SHA-256 of a server key in hexadecimal digits. */
export async function signPageToken(
  keyHash: string,
  newClaims: NewClaims,
  scope: TokenScope,
): Promise<string> {
  const claims = toNewClaimBytes(keyHash, newClaims);
  const signature = await computeHmac(keyHash, toSignedBytes(claims, scope));
  return encodePageToken(claims, new Uint8Array(signature));
}

/** The same token at once, with another HMAC-SHA-256 than WebCrypto's, which makes the caller wait. */
export function signPageTokenNow(
  keyHash: string,
  newClaims: NewClaims,
  scope: TokenScope,
  hmac: (key: Uint8Array, message: Uint8Array) => Uint8Array,
): string {
  const claims = toNewClaimBytes(keyHash, newClaims);
  return encodePageToken(claims, hmac(toKeyBytes(keyHash), toSignedBytes(claims, scope)));
}

/** True if one of the keys signed the token for this scope. */
export async function isSignedBy(
  keyHashes: readonly string[],
  token: PageToken,
  scope: TokenScope,
): Promise<boolean> {
  const bytes = toSignedBytes(token.claimBytes, scope);
  for (const keyHash of keyHashes) {
    if (toKeyId(keyHash) !== token.keyId) continue;
    const signature = new Uint8Array(await computeHmac(keyHash, bytes));
    if (hasSignature(token, signature)) return true;
  }
  return false;
}

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Keys, not promises of keys: workerd resolves a promise only for the request that created it. */
const importedKeys = new MemoCache<CryptoKey>();

function computeHmac(keyHash: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const key = importedKeys.get(keyHash);
  const sign = (imported: CryptoKey) => crypto.subtle.sign(HMAC.name, imported, bytes);
  return key === undefined ? importHmacKey(keyHash).then(sign) : sign(key);
}

async function importHmacKey(keyHash: string): Promise<CryptoKey> {
  const key = await crypto.subtle.importKey("raw", toKeyBytes(keyHash), HMAC, false, ["sign"]);
  importedKeys.set(keyHash, key);
  return key;
}

function toKeyBytes(keyHash: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(keyHash.match(/../g) ?? [], (digits) => Number(`0x${digits}`));
}
