/**
 * Message encryption for Web Push (RFC 8291) with the content coding `aes128gcm` (RFC 8188), one
 * record.
 */

import { fromBase64Url } from "./base64-url.ts";

const RECORD_SIZE = 4_096;
/** Marks the last record; no padding follows. */
const LAST_RECORD = 2;

/** The keys of a subscription, base64url. */
interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** The random parts of a message: a salt of 16 bytes, and a new key pair on P-256. */
interface PushRandomness {
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly keys: CryptoKeyPair;
}

/** The body of a push request. `randomness` is for test vectors. Rejects for invalid keys. */
export async function encryptPush(
  payload: Uint8Array,
  { p256dh, auth }: SubscriptionKeys,
  randomness?: PushRandomness,
): Promise<Uint8Array<ArrayBuffer>> {
  const { salt, keys } = randomness ?? (await createRandomness());
  const receiverPoint = fromBase64Url(p256dh);
  const receiverKey = await crypto.subtle.importKey(
    "raw",
    receiverPoint,
    { name: "ECDH", namedCurve: "P-256" },
    false,
    [],
  );
  const exported = await crypto.subtle.exportKey("raw", keys.publicKey);
  const senderPoint = new Uint8Array(exported as ArrayBuffer);
  // The types of Workers call this member `$public`; the runtime uses the standard's name.
  const algorithm = { name: "ECDH", public: receiverKey } as unknown as { name: string };
  const shared = await crypto.subtle.deriveBits(algorithm, keys.privateKey, 256);
  const info = join("WebPush: info\0", receiverPoint, senderPoint);
  const secret = await derive(new Uint8Array(shared), fromBase64Url(auth), info, 32);
  const [contentKey, nonce] = await Promise.all([
    derive(secret, salt, join("Content-Encoding: aes128gcm\0"), 16),
    derive(secret, salt, join("Content-Encoding: nonce\0"), 12),
  ]);
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  const encrypted = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce },
    key,
    join(payload, Uint8Array.of(LAST_RECORD)),
  );
  const size = new Uint8Array(5);
  new DataView(size.buffer).setUint32(0, RECORD_SIZE);
  size[4] = senderPoint.length;
  return join(salt, size, senderPoint, new Uint8Array(encrypted));
}

async function createRandomness(): Promise<PushRandomness> {
  const keys = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, [
    "deriveBits",
  ]);
  if (!("privateKey" in keys)) throw new TypeError("expected a key pair");
  return { salt: crypto.getRandomValues(new Uint8Array(16)), keys };
}

/** HKDF with SHA-256 (RFC 5869). */
async function derive(
  secret: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, bytes * 8));
}

function join(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const all = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const joined = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  all.reduce((offset, part) => {
    joined.set(part, offset);
    return offset + part.length;
  }, 0);
  return joined;
}
