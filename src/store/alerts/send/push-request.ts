/** A request to a push service (RFC 8030) with its authorization (VAPID, RFC 8292). */
import type { OutgoingCall } from "../../../core/alerts/destinations/destination-kind.ts";
import { parseTarget } from "../../../core/alerts/destinations/target-address.ts";
import type { OutgoingRequest } from "./send-request.ts";

/** How long push services keep a message for an offline browser. */
const TTL_SECONDS = 24 * 3_600;
/** The subject of a deployment without a public address. The domain exists (RFC 2606 § 3). */
const NO_CONTACT = "mailto:errata@example.com";
/** A token is valid for at most 24 hours (RFC 8292 § 2). */
const TOKEN_SECONDS = 12 * 3_600;

/** The key pair of this deployment: P-256, in base64url. */
export interface VapidKeys {
  /** The uncompressed point, 65 bytes: the `applicationServerKey` of subscriptions. */
  readonly publicKey: string;
  /** The private scalar, 32 bytes. */
  readonly privateKey: string;
}

/** A new key pair. */
export async function createVapidKeys(): Promise<VapidKeys> {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  if (!("privateKey" in pair)) throw new TypeError("expected a key pair");
  const jwk = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const { x = "", y = "", d = "" } = jwk as { x?: string; y?: string; d?: string };
  const point = Uint8Array.of(4, ...fromBase64Url(x), ...fromBase64Url(y));
  return { publicKey: toBase64Url(point), privateKey: d };
}

/** The encrypted message for a browser. Rejects for keys that are not on P-256. */
export async function createPushRequest(
  { endpoint, p256dh, auth, topic, isUrgent, ...call }: Extract<OutgoingCall, { kind: "push" }>,
  context: {
    readonly nowMs: number;
    readonly vapid: VapidKeys;
    readonly ownHost?: string;
    readonly emailFrom?: string;
  },
): Promise<OutgoingRequest> {
  const payload = new TextEncoder().encode(JSON.stringify(call.payload));
  const { vapid, nowMs } = context;
  const token = await signVapid(vapid, {
    audience: new URL(endpoint).origin,
    expiresSeconds: Math.floor(nowMs / 1_000) + TOKEN_SECONDS,
    subject: getSubject(context),
  });
  return {
    url: endpoint,
    headers: {
      authorization: `vapid t=${token}, k=${vapid.publicKey}`,
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(TTL_SECONDS),
      topic,
      urgency: isUrgent ? "high" : "normal",
    },
    body: await encryptPush(payload, { p256dh, auth }),
  };
}

/**
 * The contact of the operator. Apple's push services refuse an address or a host that cannot be
 * reached from elsewhere, such as `errata@localhost`.
 */
function getSubject({ emailFrom = "", ownHost }: { emailFrom?: string; ownHost?: string }): string {
  const [, domain] = /^[\w.+-]{1,64}@([^@]+)$/.exec(emailFrom) ?? [];
  if (domain !== undefined && isPublicHost(domain)) return `mailto:${emailFrom}`;
  return ownHost !== undefined && isPublicHost(ownHost) ? `https://${ownHost}` : NO_CONTACT;
}

function isPublicHost(host: string): boolean {
  return parseTarget(`https://${host}`, []).ok;
}

interface VapidClaims {
  readonly audience: string;
  readonly expiresSeconds: number;
  readonly subject: string;
}

async function signVapid(
  { publicKey, privateKey }: VapidKeys,
  { audience, expiresSeconds, subject }: VapidClaims,
): Promise<string> {
  const point = fromBase64Url(publicKey);
  const key = await crypto.subtle.importKey(
    "jwk",
    {
      kty: "EC",
      crv: "P-256",
      x: toBase64Url(point.subarray(1, 33)),
      y: toBase64Url(point.subarray(33)),
      d: privateKey,
    },
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign"],
  );
  const header = encodeJson({ typ: "JWT", alg: "ES256" });
  const signed = `${header}.${encodeJson({ aud: audience, exp: expiresSeconds, sub: subject })}`;
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    key,
    new TextEncoder().encode(signed),
  );
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
}

function encodeJson(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}

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

/** Base64url without padding (RFC 4648 § 5). */

/** The bytes of `text`. Throws for characters outside the alphabet. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** `bytes` as text. */
export function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
