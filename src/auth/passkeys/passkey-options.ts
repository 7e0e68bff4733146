/**
 * The options of WebAuthn requests, as JSON for `PublicKeyCredential.parse…OptionsFromJSON`. A
 * passkey belongs to the host name of the desk and requires that the device verifies its user.
 */
import { Buffer } from "node:buffer";
import type { Person } from "../../core/accounts/registry.ts";
import { PASSKEY_ALGORITHMS } from "./cose-key.ts";

const RELYING_PARTY_NAME = "Errata";
const TIMEOUT_MS = 60_000;

/** A challenge: 32 bytes in base64url, from two ids of 32 hex characters with 244 random bits. */
export function createChallenge(newId: () => string): string {
  return Buffer.from(newId() + newId(), "hex").toString("base64url");
}

/** The id of a person as a passkey stores it, in base64url. Source: WebAuthn Level 3 § 5.4.3. */
export function encodeUserHandle(personId: string): string {
  return Buffer.from(personId).toString("base64url");
}

/** The desk's host name, and a new random challenge in base64url. */
interface PasskeyRequest {
  readonly hostname: string;
  readonly challenge: string;
}

/**
 * Options that create a passkey; an authenticator that already has one of this person is excluded.
 * Source: WebAuthn Level 3 § 5.4.
 */
export function createRegistrationOptions(
  { hostname, challenge }: PasskeyRequest,
  person: Person,
): object {
  const { id, name, passkeys } = person;
  return {
    challenge,
    rp: { name: RELYING_PARTY_NAME, id: hostname },
    user: { id: encodeUserHandle(id), name, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: TIMEOUT_MS,
    attestation: "none",
    excludeCredentials: passkeys.map((passkey) => ({ type: "public-key", id: passkey.id })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/**
 * Options that request a signature by any passkey that the browser has for this host. Source:
 * WebAuthn Level 3 § 5.5.
 */
export function createAuthenticationOptions({ hostname, challenge }: PasskeyRequest): object {
  return { challenge, rpId: hostname, timeout: TIMEOUT_MS, userVerification: "required" };
}
