import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccessVerifier, type VerifyAccess } from "../../../src/auth/cloudflare-access.ts";

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

function token({ by = own, claims = { email: "ada@example.com" }, ...options }: TokenOptions = {}) {
  const nowSeconds = Math.floor(Date.now() / 1000);
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
  expect(await verify(await token())).toMatchObject({ name: "ada@example.com", isService: false });
  const service = await token({ claims: { common_name: "ci.access" } });
  expect(await verify(service)).toMatchObject({ name: "service ci.access", isService: true });
  expect(fetched).toEqual([`https://${TEAM}/cdn-cgi/access/certs`]);
});

it("a client certificate does not name a person", async () => {
  const certificate = await token({ claims: { common_name: "ada@example.com" } });
  expect(await verify(certificate)).toMatchObject({ name: "service ada@example.com" });
});

it("an identity ends with its token", async () => {
  const { exp = 0 } = decodeJwt(await token());
  expect((await verify(await token()))?.expiresMs).toBeGreaterThanOrEqual(exp * 1000);
});

describe("access is denied with", () => {
  it.each<[string, () => Promise<string>]>([
    ["a token signed with another key", () => token({ by: foreign })],
    ["a token of another team", () => token({ issuer: "https://other.cloudflareaccess.com" })],
    ["a token for another application", () => token({ audience: "b".repeat(64) })],
    ["an expired token", () => token({ expiresInSeconds: -60 })],
    ["a token without a name", () => token({ claims: {} })],
    ["a token whose name is not a string", () => token({ claims: { email: { toString: 1 } } })],
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
        const [, body = ""] = (await token()).split(".");
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
        const [, body = ""] = (await token()).split(".");
        const jwk = await exportJWK(foreign.publicKey);
        return `${part({ alg: "RS256", jwk })}.${body}.AAAA`;
      },
    ],
    [
      "a modified token",
      async () => {
        const [head, , sign] = (await token()).split(".");
        return `${head}.${part({ email: "eve@example.com", aud: AUDIENCE, iss: `https://${TEAM}` })}.${sign}`;
      },
    ],
    ["an empty token", async () => ""],
    ["text that is not a token", async () => "a.b.c"],
    ["a token that is too long", async () => `${await token()}${"A".repeat(10_000)}`],
  ])("%s", async (_, createToken) => {
    expect(await verify(await createToken())).toBeNull();
  });
});

it("a new key of the team is accepted, and a retired key is not", async () => {
  await verify(await token());
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
  expect(await access(await token({ by: next }))).not.toBeNull();
  expect(await access(await token())).toBeNull();
});

it("keys are fetched once, and not again for unknown key ids", async () => {
  await Promise.all(Array.from({ length: 5 }, async () => verify(await token())));
  const before = fetched.length;
  for (let n = 0; n < 5; n++)
    await verify(await token({ by: { ...foreign, kid: `made up ${n}` } }));
  expect(fetched.length).toBe(before);
});

it.each([500, 404])("verification rejects if the keys cannot be fetched (%i)", async (failure) => {
  status = failure;
  const verifyToken = async () => verify(await token());
  await expect(verifyToken()).rejects.toThrow();
});
