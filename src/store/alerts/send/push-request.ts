/** A request to a push service (RFC 8030) with its authorization (VAPID, RFC 8292). */
import type { OutgoingCall } from "../../../core/alerts/destinations/destination-kind.ts";
import { parseTarget } from "../../../core/alerts/destinations/target-address.ts";
import { fromBase64Url, toBase64Url } from "./base64-url.ts";
import { encryptPush } from "./encrypt-push.ts";
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
