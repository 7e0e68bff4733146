import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccessVerifier, type VerifyAccess } from "#src/auth/cloudflare-access.ts";
import { readNowMs } from "#support/clock/clock.ts";

const TEAM = "acme.cloudflareaccess.com";
const AUDIENCE = "a".repeat(64);
const HOUR_SECONDS = 3_600;

type Pair = CryptoKeyPair & { readonly kid: string };

let own: Pair;
let next: Pair;
let foreign: Pair;
/** The team's keys, and the URLs from which they were fetched. */
let keys: readonly Pair[];
let fetched: string[];
let status: number;
let verify: VerifyAccess;

async function createPair(kid: string): Promise<Pair> {
  const pair = (await generateKeyPair("RS256", { extractable: true })) as CryptoKeyPair;
  return { ...pair, kid };
}

beforeAll(async () => {
  [own, next, foreign] = await Promise.all([
    createPair("own"),
    createPair("next"),
    createPair("own"),
  ]);
});

beforeEach(() => {
  [keys, fetched, status] = [[own], [], 200];
  verify = createAccessVerifier({ team: TEAM, audience: AUDIENCE }, async (url) => {
    fetched.push(String(url));
    const set = await Promise.all(
      keys.map(async ({ publicKey, kid }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: "RS256",
      })),
    );
    return Response.json({ keys: set }, { status });
  });
});

interface TokenOptions {
  readonly by?: Pair;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expiresInSeconds?: number;
  readonly claims?: Record<string, unknown>;
}

function createToken({
  by = own,
  claims = { email: "ada@example.com" },
  ...options
}: TokenOptions = {}) {
  const nowSeconds = Math.floor(readNowMs() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid: by.kid })
    .setIssuer(options.issuer ?? `https://${TEAM}`)
    .setAudience([options.audience ?? AUDIENCE])
    .setIssuedAt(nowSeconds - 60)
    .setExpirationTime(nowSeconds + (options.expiresInSeconds ?? HOUR_SECONDS))
    .sign(by.privateKey);
}

const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("=", "");

it("a valid token names a person, or a service by its token's name", async () => {
  expect(await verify(await createToken())).toMatchObject({
    name: "ada@example.com",
    isService: false,
  });
  const service = await createToken({ claims: { common_name: "ci.access" } });
  expect(await verify(service)).toMatchObject({ name: "service ci.access", isService: true });
  expect(fetched).toEqual([`https://${TEAM}/cdn-cgi/access/certs`]);
});

it("a client certificate does not name a person", async () => {
  const certificate = await createToken({ claims: { common_name: "ada@example.com" } });
  expect(await verify(certificate)).toMatchObject({ name: "service ada@example.com" });
});

it("an identity ends with its token", async () => {
  const { exp = 0 } = decodeJwt(await createToken());
  expect((await verify(await createToken()))?.expiresMs).toBeGreaterThanOrEqual(exp * 1000);
});

describe("access is denied with", () => {
  it.each<[string, () => Promise<string>]>([
    ["a token signed with another key", () => createToken({ by: foreign })],
    [
      "a token of another team",
      () => createToken({ issuer: "https://other.cloudflareaccess.com" }),
    ],
    ["a token for another application", () => createToken({ audience: "b".repeat(64) })],
    ["an expired token", () => createToken({ expiresInSeconds: -60 })],
    ["a token without a name", () => createToken({ claims: {} })],
    [
      "a token whose name is not a string",
      () => createToken({ claims: { email: { toString: 1 } } }),
    ],
    [
      "a token without an expiry",
      () =>
        new SignJWT({ email: "eve@example.com" })
          .setProtectedHeader({ alg: "RS256", kid: "own" })
          .setIssuer(`https://${TEAM}`)
          .setAudience(AUDIENCE)
          .sign(own.privateKey),
    ],
    [
      "an unsigned token",
      async () => {
        const [, body = ""] = (await createToken()).split(".");
        return `${part({ alg: "none" })}.${body}.`;
      },
    ],
    [
      "a token signed with the public key as HMAC secret",
      async () => {
        const jwk = await exportJWK(own.publicKey);
        return new SignJWT({ email: "eve@example.com" })
          .setProtectedHeader({ alg: "HS256", kid: "own" })
          .setIssuer(`https://${TEAM}`)
          .setAudience(AUDIENCE)
          .setExpirationTime("1h")
          .sign(new TextEncoder().encode(JSON.stringify(jwk)));
      },
    ],
    [
      "a token that contains its own key",
      async () => {
        const [, body = ""] = (await createToken()).split(".");
        const jwk = await exportJWK(foreign.publicKey);
        return `${part({ alg: "RS256", jwk })}.${body}.AAAA`;
      },
    ],
    [
      "a modified token",
      async () => {
        const [head, , sign] = (await createToken()).split(".");
        return `${head}.${part({ email: "eve@example.com", aud: AUDIENCE, iss: `https://${TEAM}` })}.${sign}`;
      },
    ],
    ["an empty token", async () => ""],
    ["text that is not a token", async () => "a.b.c"],
    ["a token that is too long", async () => `${await createToken()}${"A".repeat(10_000)}`],
  ])("%s", async (_, createToken) => {
    expect(await verify(await createToken())).toBeNull();
  });
});

it("a new key of the team is accepted, and a retired key is not", async () => {
  await verify(await createToken());
  const access = createAccessVerifier({ team: TEAM, audience: AUDIENCE }, async () => {
    const set = await Promise.all(
      [next].map(async ({ publicKey, kid }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: "RS256",
      })),
    );
    return Response.json({ keys: set });
  });
  expect(await access(await createToken({ by: next }))).not.toBeNull();
  expect(await access(await createToken())).toBeNull();
});

it("keys are fetched once, and not again for unknown key ids", async () => {
  await Promise.all(Array.from({ length: 5 }, async () => verify(await createToken())));
  const before = fetched.length;
  for (let n = 0; n < 5; n++)
    await verify(await createToken({ by: { ...foreign, kid: `made up ${n}` } }));
  expect(fetched.length).toBe(before);
});

it.each([500, 404])("verification rejects if the keys cannot be fetched (%i)", async (failure) => {
  status = failure;
  const verifyToken = async () => verify(await createToken());
  await expect(verifyToken()).rejects.toThrow();
});
