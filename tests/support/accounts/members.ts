/**
 * An Errata with members: each signs in as real people do, and sends credentials with every
 * request.
 */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createAccessVerifier } from "#src/auth/cloudflare-access.ts";
import { signValue } from "#src/auth/signed-value.ts";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { Role, TokenRole } from "#src/core/accounts/registry.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import type { AccountStore } from "#src/core/ports/accounts-port.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import type { Services } from "#src/http/context.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { testConfig } from "#support/http/visit.ts";
import { bindings } from "#support/store/store.ts";
import { toSha256 } from "./memory-registry.ts";

/** An origin on the internet, which needs sign-in. */
export const ORIGIN = "https://errata.example";

const TEAM = "acme.cloudflareaccess.com";
const AUDIENCE = "a".repeat(64);

/** The credentials of a visitor, as request headers. */
export type Proof = Readonly<Record<string, string>>;

/** The people of a test of access control. */
export interface TestMembers {
  /**
   * Options for `visit`: an Errata on the internet, with Access, and a registry client with its own
   * memory.
   */
  readonly services: Partial<Services>;
  readonly registry: AccountStore;
  /** The actor who signed in by the deployment's link, and owns every project that existed then. */
  readonly deployer: Actor;
  /** Signs in a new person by an invitation of the deployer. */
  invite(role: Role, project?: string): Promise<{ readonly actor: Actor; readonly proof: Proof }>;
  /** Creates an API token, which reads all text by default; by the deployer by default. */
  token(
    role: TokenRole,
    project?: string,
    options?: {
      readonly by?: Actor;
      readonly isForAllProjects?: true;
      readonly lowestTrust?: Trust;
    },
  ): Promise<{ readonly id: string; readonly proof: Proof }>;
  /**
   * The headers of a person whom Access admits; `forged` is signed by another key, `expired` is
   * past its time, `service` is of a service token.
   */
  assertion(email: string, how?: "forged" | "expired" | "service"): Promise<Proof>;
  /** Makes a change that must succeed. */
  change(actor: Actor | null, change: RegistryChange): Promise<Done>;
}

type Done = Extract<Awaited<ReturnType<AccountStore["applyChange"]>>, { ok: true }>["value"];

/** The headers that a browser adds to a form post from Errata's own page. */
export const OWN_PAGE: Proof = { "sec-fetch-site": "same-origin", origin: ORIGIN };

/** An Errata where only the deployer has signed in. */
export async function createMembers(): Promise<TestMembers> {
  const registry = createRegistryClient(
    { ...bindings },
    { nowMs: readNowMs, waitUntil: (work) => void work.catch(() => undefined) },
  );
  const applyChange = async (actor: Actor | null, change: RegistryChange) => {
    const result = await registry.applyChange(actor, change);
    if (!result.ok) throw new Error(`${change.do}: ${result.reason}`);
    return result.value;
  };
  // Names of members differ.
  let people = 0;
  const signIn = async (code: string, setup?: { hash: string; expiresMs: number }) => {
    const change = {
      do: "sign-in-with-code",
      hash: toSha256(code),
      name: `Person ${++people}`,
      userAgent: "a test",
    };
    const { sessionId = "" } = await applyChange(null, { ...change, setup } as RegistryChange);
    return { kind: "session", id: sessionId } as const;
  };
  const setup = { hash: toSha256("the deployment's"), expiresMs: readNowMs() + 60_000 };
  const deployer = await signIn("the deployment's", setup);
  const createProof = async (id: string): Promise<Proof> => {
    const { secret } = await registry.readCopy();
    return { cookie: `__Host-errata-session=${signValue("session", id, secret)}` };
  };
  const { own, foreign, jwk } = await accessKeys;
  const access = { team: TEAM, audience: AUDIENCE };
  return {
    registry,
    deployer,
    services: {
      registry,
      nowMs: readNowMs,
      config: { ...testConfig, isLocalOpen: false, access },
      verifyAccess: createAccessVerifier(access, async () => Response.json({ keys: [jwk] })),
    },
    change: applyChange,
    async invite(role, project = "1") {
      const { secrets: [code = ""] = [] } = await applyChange(deployer, {
        do: "invite",
        project,
        role,
      });
      const actor = await signIn(code);
      return { actor, proof: await createProof(actor.id) };
    },
    async token(role, project = "1", { by = deployer, ...options } = {}) {
      const facts = { project, role, name: "ci", origin: ORIGIN, ...options };
      const change = { do: "add-token", ...facts } as const;
      const { secrets: [text = ""] = [], createdId = "" } = await applyChange(by, change);
      return { id: createdId, proof: { authorization: `Bearer ${text}` } };
    },
    async assertion(email, how) {
      const token = await new SignJWT(how === "service" ? { common_name: email } : { email })
        .setProtectedHeader({ alg: "RS256", kid: "own" })
        .setIssuer(`https://${TEAM}`)
        .setAudience([AUDIENCE])
        .setIssuedAt()
        .setExpirationTime(how === "expired" ? "-1h" : "1h")
        .sign((how === "forged" ? foreign : own).privateKey);
      return { "cf-access-jwt-assertion": token };
    },
  };
}

/** The keys of Access and of a forger. A pair takes as long to generate as a test. */
const accessKeys = createAccessKeys();

async function createAccessKeys() {
  const [own, foreign] = await Promise.all([createKeyPair(), createKeyPair()]);
  return { own, foreign, jwk: { ...(await exportJWK(own.publicKey)), kid: "own", alg: "RS256" } };
}

async function createKeyPair(): Promise<CryptoKeyPair> {
  return (await generateKeyPair("RS256", { extractable: true })) as CryptoKeyPair;
}
