/**
 * Verifies the responses of browsers to passkey requests. Attestation is not requested, because any
 * authenticator is accepted. Source: WebAuthn Level 3 § 7.1, § 7.2.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Passkey } from "../../core/accounts/registry.ts";
import { isNextCounter } from "../../core/accounts/sign-in-changes.ts";
import { asArray } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import { importCoseKey } from "./cose-key.ts";
import { decodeCbor } from "./decode-cbor.ts";
import { encodeUserHandle } from "./passkey-options.ts";

/** The desk's origin, such as `https://errata.example`. Passkeys belong to its host name. */
interface RelyingParty {
  readonly origin: string;
  readonly hostname: string;
}

/** The passkey in a response to `challenge`; null for an invalid response. */
export function verifyRegistration(
  { origin, hostname }: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<Omit<Passkey, "name" | "createdMs"> | null> {
  return nullIfInvalid(response, async () => {
    const members = readProperty(response, "response");
    const clientData = readBytes(members, "clientDataJSON");
    checkClientData(clientData, { type: "webauthn.create", challenge, origin });
    const attestation = readAttestationObject(readBytes(members, "attestationObject"));
    const { data, selfSignature } = attestation;
    const { counter, isBackupEligible, credential } = parseAuthenticatorData(data, hostname);
    // The profile could not remove a passkey without an id.
    if (credential === undefined || credential.id.length === 0) return null;
    const id = Buffer.from(credential.id).toString("base64url");
    const publicKey = Buffer.from(credential.publicKey).toString("base64url");
    if (id !== parseCredentialId(response)) return null;
    if (id.length > limits.maxPasskeyIdChars || publicKey.length > limits.maxPasskeyKeyChars)
      return null;
    await importCoseKey(credential.publicKey);
    const isSigned =
      selfSignature === undefined ||
      (await verifySignature(
        credential.publicKey,
        new Uint8Array(selfSignature),
        toSignedBytes(data, clientData),
      ));
    if (!isSigned) return null;
    const stated = asArray(readProperty(members, "transports")) ?? [];
    const transports = TRANSPORTS.filter((one) => stated.includes(one));
    return { id, publicKey, counter, isBackupEligible, transports };
  });
}

/** WebAuthn Level 3 § 5.8.4. */
const TRANSPORTS = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"] as const;

/** The passkey's new counter if its response to `challenge` is valid, else null. */
export function verifyAuthentication(
  { origin, hostname }: RelyingParty,
  passkey: Passkey,
  challenge: string,
  response: unknown,
): Promise<number | null> {
  return nullIfInvalid(response, async () => {
    if (parseCredentialId(response) !== passkey.id) return null;
    const members = readProperty(response, "response");
    const clientData = readBytes(members, "clientDataJSON");
    checkClientData(clientData, { type: "webauthn.get", challenge, origin });
    const data = readBytes(members, "authenticatorData");
    const { counter, isBackupEligible } = parseAuthenticatorData(data, hostname);
    if (!isNextCounter(counter, passkey.counter)) return null;
    if ((passkey.isBackupEligible ?? isBackupEligible) !== isBackupEligible) return null;
    const key = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
    const signed = toSignedBytes(data, clientData);
    return (await verifySignature(key, readBytes(members, "signature"), signed)) ? counter : null;
  });
}

/** The bytes that a passkey signs. Source: WebAuthn Level 3 § 6.3.3. */
function toSignedBytes(data: Uint8Array, clientData: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = createHash("sha256").update(clientData).digest();
  return new Uint8Array(Buffer.concat([data, hash]));
}

/**
 * True unless the response states another person than the one with this id. A browser may state
 * none. Source: WebAuthn Level 3 § 7.2, step 6.
 */
export function isResponseOf(personId: string, response: unknown): boolean {
  const stated = readProperty(readProperty(response, "response"), "userHandle");
  return stated === undefined || stated === null || stated === encodeUserHandle(personId);
}

/** The credential id in an unverified response; undefined if it has none. */
export function parseCredentialId(response: unknown): string | undefined {
  return readString(response, "id");
}

/** The result of `verify`; null if the response is too large, or `verify` rejects. */
async function nullIfInvalid<T>(
  response: unknown,
  verify: () => Promise<T | null>,
): Promise<T | null> {
  if (readString(response, "type") !== "public-key") return null;
  if (readString(response, "rawId") !== parseCredentialId(response)) return null;
  try {
    // This throws for a value that is nested too deeply.
    if (JSON.stringify(response).length > limits.maxPasskeyResponseChars) return null;
    return await verify();
  } catch {
    // The response comes from the client, and malformed bytes are one way to be invalid.
    return null;
  }
}

/** The bytes of a member in base64url. Throws if it has none. */
function readBytes(members: unknown, name: string): Uint8Array<ArrayBuffer> {
  const text = readString(members, name);
  if (text === undefined || !/^[\w-]+$/.test(text)) throw new Error(`${name} is not base64url`);
  return new Uint8Array(Buffer.from(text, "base64url"));
}

/** The statements that a browser must make about the request. */
interface ExpectedClientData {
  readonly type: "webauthn.create" | "webauthn.get";
  readonly challenge: string;
  readonly origin: string;
}

/** Throws unless the client data are the expected ones, from a page that no other one embeds. */
function checkClientData(json: Uint8Array, expected: ExpectedClientData): void {
  const stated: unknown = JSON.parse(new TextDecoder().decode(json));
  for (const name of ["type", "challenge", "origin"] as const)
    if (readString(stated, name) !== expected[name]) throw new Error(`Unexpected ${name}`);
  if (readProperty(stated, "crossOrigin") === true || readString(stated, "topOrigin") !== undefined)
    throw new Error("Requested by a page inside another one");
}

// The authenticator data of a WebAuthn response. Source: WebAuthn Level 3 § 6.1, § 6.5.1.

/** The statements of an authenticator about one use of a passkey. */
interface AuthenticatorData {
  /** The number of uses; 0 from authenticators that do not count, such as those that sync keys. */
  readonly counter: number;
  /** Whether the passkey can be copied to other devices. */
  readonly isBackupEligible: boolean;
  /** The new passkey in the response to a registration: its id and its COSE key. */
  readonly credential: { readonly id: Uint8Array; readonly publicKey: Uint8Array } | undefined;
}

/** Bits of the flags. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;
const HAS_EXTENSIONS = 0x80;

const HASH_BYTES = 32;
const FLAGS_OFFSET = HASH_BYTES;
const COUNTER_OFFSET = FLAGS_OFFSET + 1;
const CREDENTIAL_OFFSET = COUNTER_OFFSET + 4;
const MODEL_ID_BYTES = 16;

/**
 * Parses and checks the data: it is about `hostname`, and the authenticator verified a present
 * user. Throws if a check fails or the bytes are malformed.
 */
function parseAuthenticatorData(bytes: Uint8Array, hostname: string): AuthenticatorData {
  const hash = createHash("sha256").update(hostname).digest();
  if (!hash.equals(bytes.subarray(0, HASH_BYTES))) throw new Error("Data about another host");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(FLAGS_OFFSET);
  const has = (bits: number) => (flags & bits) === bits;
  if (!has(USER_PRESENT | USER_VERIFIED)) throw new Error("The user was not verified");
  if (has(BACKED_UP) && !has(BACKUP_ELIGIBLE)) throw new Error("Contradictory backup flags");
  const counter = view.getUint32(COUNTER_OFFSET);

  let offset = CREDENTIAL_OFFSET;
  const readCbor = () => {
    const start = offset;
    offset = decodeCbor(bytes, start).end;
    return bytes.subarray(start, offset);
  };
  let credential: AuthenticatorData["credential"];
  if (has(HAS_CREDENTIAL)) {
    const idOffset = offset + MODEL_ID_BYTES + 2;
    offset = idOffset + view.getUint16(idOffset - 2);
    credential = { id: bytes.subarray(idOffset, offset), publicKey: readCbor() };
  }
  if (has(HAS_EXTENSIONS) && !(decodeCbor(readCbor()).value instanceof Map))
    throw new Error("Extensions that are not a map");
  if (offset !== bytes.length) throw new Error("The data does not have the length that it states");
  return { counter, isBackupEligible: has(BACKUP_ELIGIBLE), credential };
}

/** The members of an attestation object. */
interface Attestation {
  /** The authenticator data. */
  readonly data: Uint8Array;
  /** The signature of the new passkey itself; undefined without a statement. */
  readonly selfSignature: Uint8Array | undefined;
}

/**
 * Reads an attestation object. Browsers pass on no statement except that of the new passkey itself
 * (WebAuthn Level 3 § 5.1.3). Throws for any other statement, and on malformed bytes.
 */
function readAttestationObject(bytes: Uint8Array): Attestation {
  const { value, end } = decodeCbor(bytes);
  if (!(value instanceof Map) || end !== bytes.length) throw new Error("Not an attestation object");
  const data = value.get("authData");
  const statement = value.get("attStmt");
  if (!(data instanceof Uint8Array && statement instanceof Map))
    throw new Error("An attestation object without its members");
  const format = value.get("fmt");
  if (format === "none" && statement.size === 0) return { data, selfSignature: undefined };
  const selfSignature = statement.get("sig");
  if (format !== "packed" || statement.has("x5c") || !(selfSignature instanceof Uint8Array))
    throw new Error("A statement that Errata did not request");
  return { data, selfSignature };
}

// The signatures of passkeys. Source: WebAuthn Level 3 § 6.5.5.

/** Whether `signature` is that of `data`. Rejects for a malformed key or signature. */
async function verifySignature(
  cose: Uint8Array,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { key, algorithm } = await importCoseKey(cose);
  const raw = algorithm.name === "ECDSA" ? decodeDerSignature(signature) : signature;
  return crypto.subtle.verify(algorithm, key, raw, data);
}

/** The size of each of the two integers of a P-256 signature. */
const INTEGER_BYTES = 32;

/**
 * The two integers of an ES256 signature in DER, each with 32 bytes, as `crypto.subtle` reads them.
 * Throws on malformed bytes. Source: RFC 3279 § 2.2.3.
 */
function decodeDerSignature(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(2 * INTEGER_BYTES);
  // A sequence (0x30) of two integers (0x02), each tag followed by the length of its content.
  let offset = 2;
  if (der[0] !== 0x30 || der[1] !== der.length - offset) throw new Error("Not a DER sequence");
  for (const end of [INTEGER_BYTES, 2 * INTEGER_BYTES]) {
    const length = der[offset + 1] ?? 0;
    const integer = der.subarray(offset + 2, offset + 2 + length);
    if (der[offset] !== 0x02 || length === 0 || integer.length !== length)
      throw new Error("Not a DER integer");
    // A positive integer begins with 0x00 if its first bit is set, and only then.
    const [first = 0, second = 0] = integer;
    if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80))
      throw new Error("Not a positive integer in its shortest form");
    const digits = integer[0] === 0 ? integer.subarray(1) : integer;
    if (digits.length > INTEGER_BYTES) throw new Error("Not an integer of P-256");
    raw.set(digits, end - digits.length);
    offset += 2 + length;
  }
  if (offset !== der.length) throw new Error("Bytes after the DER sequence");
  return raw;
}
