import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeUserHandle } from "#src/auth/passkeys/passkey-options.ts";
import {
  isResponseOf,
  verifyAuthentication,
  verifyRegistration,
} from "#src/auth/passkeys/verify-passkey.ts";
import type { Passkey } from "#src/core/accounts/registry.ts";
import {
  type CoseAlgorithm,
  createAuthenticator,
  type Deviation,
  type PasskeyPrompt,
  type PasskeyResponse,
} from "#support/accounts/authenticator.ts";

const prompt: PasskeyPrompt = {
  origin: "https://errata.example",
  hostname: "errata.example",
  challenge: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA",
};
const ALGORITHMS: readonly CoseAlgorithm[] = ["-7", "-8", "-257"];
/** At most the size of the authenticator data with a key of each algorithm. */
const DATA_BYTES = { "-7": 150, "-8": 110, "-257": 340 } as const;
const ID = Uint8Array.from({ length: 20 }, (_, n) => 255 - n);

async function register(algorithm: CoseAlgorithm) {
  const authenticator = await createAuthenticator(algorithm, ID);
  const found = await verifyRegistration(prompt, prompt.challenge, authenticator.register(prompt));
  if (found === null) throw new Error("The registration is valid");
  const passkey: Passkey = { ...found, name: "Passkey", createdMs: 0 };
  return { authenticator, passkey };
}

/** Invalid in the response to a registration and to a sign-in. */
const DEVIATIONS: readonly (readonly [string, Deviation])[] = [
  ["another challenge", { clientData: { challenge: "AAAA" } }],
  ["another origin", { clientData: { origin: "https://errata.example.org" } }],
  ["another type", { clientData: { type: "payment.get" } }],
  ["a page inside a page of another origin", { clientData: { crossOrigin: true } }],
  ["a page inside another one", { clientData: { topOrigin: "https://evil.example" } }],
  ["an absent user", { flags: 0x04 }],
  ["a user who is present, but not verified", { flags: 0x01 }],
  ["a backup of a key that cannot be backed up", { flags: 0x15 }],
  ["bytes after the data", { rest: [0] }],
  ["extensions that it does not have", { flags: 0x85 }],
  ["extensions that are not a map", { flags: 0x85, rest: [0x80] }],
];

describe.each(ALGORITHMS)("a passkey with the algorithm %s", (algorithm) => {
  it("is registered, and its signatures sign in", async () => {
    const { authenticator, passkey } = await register(algorithm);
    expect(passkey).toMatchObject({ id: authenticator.id, counter: 0, transports: ["internal"] });
    for (const counter of [0, 1, 4_294_967_295]) {
      const response = await authenticator.sign(prompt, { counter });
      expect(await verifyAuthentication(prompt, passkey, prompt.challenge, response)).toBe(counter);
    }
  });

  it.each(DEVIATIONS)("is refused for %s", async (_, deviation) => {
    const { authenticator, passkey } = await register(algorithm);
    const created = authenticator.register(prompt, deviation);
    expect(await verifyRegistration(prompt, prompt.challenge, created)).toBeNull();
    const signed = await authenticator.sign(prompt, deviation);
    expect(await verifyAuthentication(prompt, passkey, prompt.challenge, signed)).toBeNull();
  });

  it("is refused for another host, another passkey and another key", async () => {
    const { authenticator, passkey } = await register(algorithm);
    const elsewhere = await authenticator.sign({ ...prompt, hostname: "errata.example.org" });
    expect(await verifyAuthentication(prompt, passkey, prompt.challenge, elsewhere)).toBeNull();
    const signed = await authenticator.sign(prompt);
    const other = await register(algorithm);
    for (const one of [{ ...passkey, id: "AAAA" }, other.passkey])
      expect(await verifyAuthentication(prompt, one, prompt.challenge, signed)).toBeNull();
  });

  it("is refused without an id, with the id of another passkey and without a key", async () => {
    const nameless = await createAuthenticator(algorithm, new Uint8Array(0));
    const { authenticator } = await register(algorithm);
    const created = authenticator.register(prompt);
    const responses = [
      nameless.register(prompt),
      { ...created, id: "AAAA" },
      authenticator.register(prompt, { flags: 0x05, isWithoutKey: true }),
      authenticator.register(prompt, { cutBytes: 1 }),
    ];
    for (const response of responses)
      expect(await verifyRegistration(prompt, prompt.challenge, response)).toBeNull();
  });

  it("is refused if its raw id is another one", async () => {
    const { authenticator, passkey } = await register(algorithm);
    for (const rawId of ["AAAA", undefined]) {
      const created = { ...authenticator.register(prompt), rawId };
      expect(await verifyRegistration(prompt, prompt.challenge, created)).toBeNull();
      const signed = { ...(await authenticator.sign(prompt)), rawId };
      expect(await verifyAuthentication(prompt, passkey, prompt.challenge, signed)).toBeNull();
    }
  });

  it.each<readonly [string, NonNullable<Deviation["attestation"]>]>([
    ["an unknown format", ["sealed", new Map()]],
    ["no format", [7, new Map()]],
    ["a statement that is no map", ["none", []]],
    ["a statement in the format none", ["none", new Map([["alg", -7]])]],
    ["a signature of its own that is wrong", ["packed", new Map([["sig", new Uint8Array(64)]])]],
    ["no signature", ["packed", new Map()]],
    ["a certificate", ["packed", new Map([["x5c", [new Uint8Array(9)]]])]],
  ])("is refused with %s", async (_, attestation) => {
    const { authenticator } = await register(algorithm);
    const created = authenticator.register(prompt, { attestation });
    expect(await verifyRegistration(prompt, prompt.challenge, created)).toBeNull();
  });

  it("may sign its own attestation, which browsers keep", async () => {
    const { authenticator, passkey } = await register(algorithm);
    const created = await authenticator.registerSelfSigned(prompt);
    const found = await verifyRegistration(prompt, prompt.challenge, created);
    expect(found?.publicKey).toBe(passkey.publicKey);
  });

  it("is refused when it states another eligibility for backups than when it was added", async () => {
    const { authenticator, passkey } = await register(algorithm);
    expect(passkey.isBackupEligible).toBe(false);
    const synced = await authenticator.sign(prompt, { flags: 0x0d });
    const { isBackupEligible: _, ...old } = passkey;
    const verify = (one: Passkey) => verifyAuthentication(prompt, one, prompt.challenge, synced);
    expect(await verify(passkey)).toBeNull();
    expect(await verify({ ...passkey, isBackupEligible: true })).toBe(0);
    expect(await verify(old)).toBe(0);
  });

  it("is refused when its counter does not grow", async () => {
    const { authenticator, passkey } = await register(algorithm);
    const used = { ...passkey, counter: 7 };
    const verify = async (counter: number) => {
      const response = await authenticator.sign(prompt, { counter });
      return verifyAuthentication(prompt, used, prompt.challenge, response);
    };
    expect([await verify(0), await verify(7), await verify(8)]).toEqual([null, null, 8]);
  });

  it("accepts no changed byte, and no changed data that @simplewebauthn/server refuses", async () => {
    const { authenticator, passkey } = await register(algorithm);
    const signed = await authenticator.sign(prompt);
    const created = authenticator.register(prompt);
    const member = fc.constantFrom("clientDataJSON", "authenticatorData", "signature");
    const change = fc.tuple(member, fc.nat(), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, fc.nat(), fc.nat(255), async ([name, at, byte], nth, other) => {
        const forged = changeByte(signed, name, at, byte);
        const counter = await verifyAuthentication(prompt, passkey, prompt.challenge, forged);
        expect(counter !== null).toBe(JSON.stringify(forged) === JSON.stringify(signed));
        if (counter !== null) expect(await acceptsSignature(passkey, forged)).toBe(true);
        // The data are at the end. The name of the format before them is not read.
        const place = -1 - (nth % DATA_BYTES[algorithm]);
        const unusual = changeByte(created, "attestationObject", place, other);
        const found = await verifyRegistration(prompt, prompt.challenge, unusual);
        if (found !== null) expect(await acceptsRegistration(unusual)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

it("zeros before a short RSA modulus do not make it longer", async () => {
  const authenticator = await createAuthenticator("-257", ID);
  const modulus = new Uint8Array(256).fill(0xc5, 128);
  const created = authenticator.register(prompt, { modulus });
  expect(await verifyRegistration(prompt, prompt.challenge, created)).toBeNull();
});

it("a response may name its person, and no other one", () => {
  const nameOf = (userHandle: unknown) => isResponseOf("p1", { response: { userHandle } });
  expect([undefined, null, encodeUserHandle("p1")].map(nameOf)).toEqual([true, true, true]);
  expect([encodeUserHandle("p2"), "", 7].map(nameOf)).toEqual([false, false, false]);
});

it("reads nothing from values that are no response", async () => {
  const { authenticator, passkey } = await register("-7");
  const { response, ...rest } = await authenticator.sign(prompt);
  const values: readonly unknown[] = [
    ...[undefined, null, 7, "text", [], {}, rest, { ...rest, response: null }],
    { ...rest, response: { ...response, signature: 1 } },
    { ...rest, response: { ...response, authenticatorData: "" } },
    { ...rest, response: { ...response, clientDataJSON: "e30" } },
    { ...rest, response: { ...response, padding: "x".repeat(20_000) } },
    { ...rest, type: "password", response },
    { ...rest, response: { ...response, deep: nest(15_000) } },
    { ...rest, id: [passkey.id], response },
  ];
  for (const value of values) {
    expect(await verifyAuthentication(prompt, passkey, prompt.challenge, value)).toBeNull();
    expect(await verifyRegistration(prompt, prompt.challenge, value)).toBeNull();
  }
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (value) => {
      const broken = { ...rest, response: { ...response, attestationObject: value } };
      expect(await verifyRegistration(prompt, prompt.challenge, broken)).toBeNull();
    }),
  );
});

function nest(depth: number): unknown {
  let value: unknown = [];
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}

/** The response with one byte of a member in base64url set; a negative position is from its end. */
function changeByte(all: PasskeyResponse, name: string, at: number, byte: number): PasskeyResponse {
  const bytes = Buffer.from(String(all.response[name]), "base64url");
  bytes[(bytes.length + (at % bytes.length)) % bytes.length] = byte;
  return { ...all, response: { ...all.response, [name]: bytes.toString("base64url") } };
}

const EXPECTED = {
  expectedChallenge: prompt.challenge,
  expectedOrigin: prompt.origin,
  expectedRPID: prompt.hostname,
};

async function acceptsSignature(passkey: Passkey, response: PasskeyResponse): Promise<boolean> {
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
  const credential = { id: passkey.id, publicKey, counter: passkey.counter };
  return verifyAuthenticationResponse({
    ...{ ...EXPECTED, credential },
    response: response as never,
  }).then(
    ({ verified }) => verified,
    () => false,
  );
}

async function acceptsRegistration(response: PasskeyResponse): Promise<boolean> {
  return verifyRegistrationResponse({ ...EXPECTED, response: response as never }).then(
    ({ verified }) => verified,
    () => false,
  );
}
