/**
 * Passkeys: creates WebAuthn requests and verifies responses. The library is imported on demand,
 * because it is a quarter of the Worker's code and ingest does not need it. Source: WebAuthn Level
 * 3 § 7.1, § 7.2.
 */
import { Buffer } from "node:buffer";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Passkey, Person } from "../core/accounts/registry.ts";
import { limits } from "../core/limits.ts";

/** The desk's origin, such as `https://errata.example`. Passkeys belong to its host name. */
interface RelyingParty {
  readonly origin: string;
  readonly hostname: string;
}

/** Options for `PublicKeyCredential.parse…OptionsFromJSON`, and their challenge. */
interface PasskeyRequest {
  readonly challenge: string;
  readonly options: object;
}

const RELYING_PARTY_NAME = "Errata";

/** Requests a new passkey; authenticators that already have one of this person are excluded. */
export async function createRegistrationRequest(
  { hostname }: RelyingParty,
  person: Person,
): Promise<PasskeyRequest> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: hostname,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.name,
    attestationType: "none",
    excludeCredentials: person.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { challenge: options.challenge, options };
}

/** The passkey in a response to `challenge`; null for an invalid response. */
export async function verifyRegistration(
  { origin, hostname }: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<Omit<Passkey, "name" | "createdMs"> | null> {
  if (!isWithinSizeLimit(response)) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
    });
    if (!verified || registrationInfo === undefined) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const key = Buffer.from(publicKey).toString("base64url");
    if (id.length > limits.maxPasskeyIdChars || key.length > limits.maxPasskeyKeyChars) return null;
    const knownTransports = TRANSPORTS.filter((one) =>
      (transports as readonly string[]).includes(one),
    );
    return { id, publicKey: key, counter, transports: knownTransports };
  } catch {
    // The library throws on malformed input, which comes from the client.
    return null;
  }
}

/** WebAuthn Level 3 § 5.8.4. */
const TRANSPORTS = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"] as const;

function isWithinSizeLimit(response: unknown): boolean {
  return (JSON.stringify(response) ?? "").length <= limits.maxPasskeyResponseChars;
}

/** Requests a signature by any passkey that the browser has for this host. */
export async function createAuthenticationRequest({
  hostname,
}: RelyingParty): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: hostname,
    userVerification: "required",
  });
  return { challenge: options.challenge, options };
}

/** The credential id in an unverified response; undefined if it has none. */
export function parseCredentialId(response: unknown): string | undefined {
  const id = (response as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : undefined;
}

/** The passkey's new counter if its response to `challenge` is valid, else null. */
export async function verifyAuthentication(
  { origin, hostname }: RelyingParty,
  passkey: Passkey,
  challenge: string,
  response: unknown,
): Promise<number | null> {
  if (!isWithinSizeLimit(response)) return null;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
        transports: [...passkey.transports] as AuthenticatorTransport[],
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // As in `verifyRegistration`.
    return null;
  }
}
