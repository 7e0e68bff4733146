import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccessVerifier, type VerifyAccess } from "../../../src/auth/cloudflare-access.ts";

const TEAM = "acme.cloudflareaccess.com";
const AUDIENCE = "a".repeat(64);
const HOUR_SECONDS = 3_600;

type Pair = CryptoKeyPair & { readonly kid: string };

let own: Pair;
let next: Pair;
let foreign: Pair;
/** What the team's address answers with, and how often it was asked. */
let keys: readonly Pair[];
let asked: string[];
let status: number;
let verify: VerifyAccess;

async function aPair(kid: string): Promise<Pair> {
  const pair = (await generateKeyPair("RS256", { extractable: true })) as CryptoKeyPair;
  return { ...pair, kid };
}

beforeAll(async () => {
  [own, next, foreign] = await Promise.all([aPair("own"), aPair("next"), aPair("own")]);
});

beforeEach(() => {
  [keys, asked, status] = [[own], [], 200];
  verify = createAccessVerifier({ team: TEAM, audience: AUDIENCE }, async (url) => {
    asked.push(String(url));
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

interface Told {
  readonly by?: Pair;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expiresInSeconds?: number;
  readonly claims?: Record<string, unknown>;
}

function token({ by = own, claims = { email: "ada@example.com" }, ...told }: Told = {}) {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid: by.kid })
    .setIssuer(told.issuer ?? `https://${TEAM}`)
    .setAudience([told.audience ?? AUDIENCE])
    .setIssuedAt(nowSeconds - 60)
    .setExpirationTime(nowSeconds + (told.expiresInSeconds ?? HOUR_SECONDS))
    .sign(by.privateKey);
}

const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("=", "");

it("a token that the team's key has signed names a person, and a service by its token's name", async () => {
  expect(await verify(await token())).toEqual("ada@example.com");
  const service = await token({ claims: { common_name: "ci.access" } });
  expect(await verify(service)).toEqual("ci.access");
  expect(asked).toEqual([`https://${TEAM}/cdn-cgi/access/certs`]);
});

describe("nobody is let in by", () => {
  it.each<[string, () => Promise<string>]>([
    ["a token that another key has signed", () => token({ by: foreign })],
    ["a token of another team", () => token({ issuer: "https://other.cloudflareaccess.com" })],
    ["a token for another application", () => token({ audience: "b".repeat(64) })],
    ["a token whose time has passed", () => token({ expiresInSeconds: -60 })],
    ["a token that names nobody", () => token({ claims: {} })],
    ["a token whose name is no text", () => token({ claims: { email: { toString: 1 } } })],
    [
      "a token without an end",
      () =>
        new SignJWT({ email: "eve@example.com" })
          .setProtectedHeader({ alg: "RS256", kid: "own" })
          .setIssuer(`https://${TEAM}`)
          .setAudience(AUDIENCE)
          .sign(own.privateKey),
    ],
    [
      "a token that is signed by nothing",
      async () => {
        const [, body = ""] = (await token()).split(".");
        return `${part({ alg: "none" })}.${body}.`;
      },
    ],
    [
      "a token that takes the public key for a secret",
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
      "a token that brings its own key",
      async () => {
        const [, body = ""] = (await token()).split(".");
        const jwk = await exportJWK(foreign.publicKey);
        return `${part({ alg: "RS256", jwk })}.${body}.AAAA`;
      },
    ],
    [
      "a token that was changed",
      async () => {
        const [head, , sign] = (await token()).split(".");
        return `${head}.${part({ email: "eve@example.com", aud: AUDIENCE, iss: `https://${TEAM}` })}.${sign}`;
      },
    ],
    ["no token", async () => ""],
    ["what is none", async () => "a.b.c"],
    ["a very long one", async () => `${await token()}${"A".repeat(10_000)}`],
  ])("%s", async (_, made) => {
    expect(await verify(await made())).toBeNull();
  });
});

it("a key that the team has taken up since is fetched; one that it gave up is good no more once they are", async () => {
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

it("keys are fetched once for many, and again for nobody who makes one up", async () => {
  await Promise.all(Array.from({ length: 5 }, async () => verify(await token())));
  const before = asked.length;
  for (let n = 0; n < 5; n++)
    await verify(await token({ by: { ...foreign, kid: `made up ${n}` } }));
  expect(asked.length).toBe(before);
});

it.each([500, 404])(
  "a team whose keys cannot be had (%i) says nothing of who comes",
  async (answer) => {
    status = answer;
    const asking = async () => verify(await token());
    await expect(asking()).rejects.toThrow();
  },
);
