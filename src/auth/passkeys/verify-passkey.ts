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
import { parseAuthenticatorData, readAttestationObject } from "./authenticator-data.ts";
import { importCoseKey } from "./cose-key.ts";
import { encodeUserHandle } from "./passkey-options.ts";
import { verifySignature } from "./verify-signature.ts";

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
