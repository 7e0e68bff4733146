/**
 * Page tokens: a render signs one for the page that it serves, and the reports of that page carry
 * it. A token proves that a server with the key served a page of an origin in a certain minute. It
 * proves nothing about a report, so it expires and raises the trust of only a few reports a minute.
 *
 * Version 1 has 26 bytes, 35 characters of base64url. Version 2 also has the policy of the page: 30
 * bytes, 40 characters.
 *
 *     version and flags 1 · key id 1 · minutes since 2020 4 · page id 8 · policy 4 · signature 12
 *
 * The signature is HMAC-SHA-256, truncated, over the bytes before it and `project|origin|flags`. Its
 * key is the SHA-256 of a server key, because the registry stores only that hash.
 */

/** The signed part of a token. */
export interface PageTokenClaims {
  /** The token belongs to a cached page, which many visitors get. */
  readonly isShared: boolean;
  /** The page is one of Errata itself: its errors are not errors of the application. */
  readonly isOwn?: boolean;
  /** A page of Errata for a person who is not a member. Its token raises the trust of no report. */
  readonly isForVisitor?: boolean;
  /** The first byte of the key's hash, which identifies the key for verification. */
  readonly keyId: number;
  /** Minutes since the start of 2020, UTC. */
  readonly minutes: number;
  /** 16 hexadecimal digits: the first 8 bytes of the page's trace id. */
  readonly pageId: string;
  /** Of the only policy of the page (`toPolicyHash`). */
  readonly policyHash?: number | undefined;
}

/** A decoded token. Nothing of it is verified. */
export interface PageToken extends PageTokenClaims {
  /** All but the signature: 14 or 18 bytes. */
  readonly claimBytes: Uint8Array;
  /** 12 bytes. */
  readonly signature: Uint8Array;
}

/** The page that a token is for. The token does not contain these; both sides know them. */
export interface TokenScope {
  readonly project: string;
  /** Such as `https://shop.example`. */
  readonly origin: string;
}

/** Whether a token can still be used. */
export type PageTokenAge = "current" | "expired" | "from-the-future";

const VERSION = 0x10;
const VERSION_WITH_POLICY = 0x20;
const FLAGS = 0x0f;
const SHARED_FLAG = 0x01;
const OWN_FLAG = 0x02;
const VISITOR_FLAG = 0x04;
const CLAIM_BYTES = 14;
const POLICY_BYTES = 4;
const SIGNATURE_BYTES = 12;
const EPOCH_MS = Date.UTC(2020, 0, 1);
const MINUTE_MS = 60_000;
const MAX_AGE_MINUTES = 24 * 60;
const MAX_SHARED_AGE_MINUTES = 7 * 24 * 60;
/** The tolerated difference between the clocks of servers. */
const MAX_AHEAD_MINUTES = 5;

/**
 * 40 characters; or 34, and a last one whose unused bits are zero, so that each token has only one
 * spelling.
 */
const TOKEN = /^(?:[\w-]{40}|[\w-]{34}[AEIMQUYcgkosw048])$/;

/** The token as text: 35 or 40 characters. Uses the first 12 bytes of the signature. */
export function encodePageToken(claims: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(claims.length + SIGNATURE_BYTES);
  bytes.set(claims);
  bytes.set(signature.subarray(0, SIGNATURE_BYTES), claims.length);
  return toBase64Url(bytes);
}

/** The decoded token; null for any other text, including unknown versions and flags. */
export function decodePageToken(text: string): PageToken | null {
  if (!TOKEN.test(text)) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const [first = 0, keyId = 0] = bytes;
  const claimBytes = bytes.length - SIGNATURE_BYTES;
  const version = claimBytes === CLAIM_BYTES ? VERSION : VERSION_WITH_POLICY;
  if ((first & ~(SHARED_FLAG | OWN_FLAG | VISITOR_FLAG)) !== version) return null;
  const view = new DataView(bytes.buffer);
  return {
    isShared: (first & SHARED_FLAG) !== 0,
    isOwn: (first & OWN_FLAG) !== 0,
    isForVisitor: (first & VISITOR_FLAG) !== 0,
    keyId,
    minutes: view.getUint32(2),
    pageId: view.getBigUint64(6).toString(16).padStart(16, "0"),
    policyHash: version === VERSION ? undefined : view.getUint32(CLAIM_BYTES),
    claimBytes: bytes.subarray(0, claimBytes),
    signature: bytes.subarray(claimBytes),
  };
}

/** The claims as the first 14 bytes of a token, or 18 with a policy. */
export function toClaimBytes(claims: PageTokenClaims): Uint8Array {
  const { policyHash } = claims;
  const bytes = new Uint8Array(CLAIM_BYTES + (policyHash === undefined ? 0 : POLICY_BYTES));
  const view = new DataView(bytes.buffer);
  const flags =
    (claims.isShared ? SHARED_FLAG : 0) |
    (claims.isOwn ? OWN_FLAG : 0) |
    (claims.isForVisitor ? VISITOR_FLAG : 0);
  view.setUint8(0, (policyHash === undefined ? VERSION : VERSION_WITH_POLICY) | flags);
  view.setUint8(1, claims.keyId);
  view.setUint32(2, claims.minutes);
  view.setUint32(6, Number.parseInt(claims.pageId.slice(0, 8), 16));
  view.setUint32(10, Number.parseInt(claims.pageId.slice(8), 16));
  if (policyHash !== undefined) view.setUint32(CLAIM_BYTES, policyHash);
  return bytes;
}

/** The bytes to sign: the claims, then `project|origin|flags`. */
export function toSignedBytes(claims: Uint8Array, { project, origin }: TokenScope) {
  const flags = (claims[0] ?? 0) & FLAGS;
  const scope = new TextEncoder().encode(`${project}|${origin}|${flags}`);
  const bytes = new Uint8Array(claims.length + scope.length);
  bytes.set(claims);
  bytes.set(scope, claims.length);
  return bytes;
}

/** True if the token has the first 12 bytes of the signature. Compares in constant time. */
export function hasSignature({ signature }: PageToken, expected: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < SIGNATURE_BYTES; i++) difference |= (signature[i] ?? 0) ^ (expected[i] ?? 0);
  return difference === 0;
}

/**
 * The state of a token's age. A token is current for 24 hours, the token of a cached page for a
 * week.
 */
export function getTokenAge({ minutes, isShared }: PageTokenClaims, nowMs: number): PageTokenAge {
  const age = toTokenMinutes(nowMs) - minutes;
  if (age < -MAX_AHEAD_MINUTES) return "from-the-future";
  return age <= (isShared ? MAX_SHARED_AGE_MINUTES : MAX_AGE_MINUTES) ? "current" : "expired";
}

/** The minute of a time. */
export function toTokenMinutes(ms: number): number {
  return Math.floor((ms - EPOCH_MS) / MINUTE_MS);
}

/** The key id of a key's hash in hexadecimal digits. */
export function toKeyId(keyHash: string): number {
  return Number.parseInt(keyHash.slice(0, 2), 16);
}

export function toPageId(traceId: string): string {
  return traceId.slice(0, 16);
}

/** The first bytes of the SHA-256 of a policy without page tokens. */
export function toPolicyHash(policy: string, sha256: (text: string) => Uint8Array): number {
  const { buffer, byteOffset } = Uint8Array.from(sha256(removePageTokens(policy)));
  return new DataView(buffer, byteOffset).getUint32(0);
}

/**
 * The text without the `t` parameters of its URLs. Browsers repeat a page's policy, with the token
 * in the reporting address, in reports about it.
 */
export function removePageTokens(text: string): string {
  return text.replace(
    /([?&])t=[\w-]{35}(?:[\w-]{5})?(?![\w-])(&?)/g,
    (_, before: string, after: string) => (after === "" ? "" : before),
  );
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Avoids `btoa`, which needs a binary string and three replacements and takes twice as long. */
function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += BASE64URL[(buffer >> bits) & 63];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE64URL[(buffer << (6 - bits)) & 63];
}
