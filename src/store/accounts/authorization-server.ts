/**
 * The authorization server of OAuth 2.1: codes, refresh tokens and devices (RFC 8628). It runs in
 * the registry's object, one call after another, so each code gets tokens once. A grant and its
 * access token are in the registry, which every location can read; all other secrets stay here.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Actor, getActorId } from "../../core/accounts/actors.ts";
import type { RegistryChangeResult, RegistryFailure } from "../../core/accounts/define-change.ts";
import {
  type Consent,
  endGrant,
  renewGrant,
  toAuditFacts,
} from "../../core/accounts/grant-changes.ts";
import type { Grant, RegistryState } from "../../core/accounts/registry.ts";
import type { RegistryChange } from "../../core/accounts/registry-changes.ts";
import { listScopes } from "../../core/accounts/token-scopes.ts";
import { limits } from "../../core/limits.ts";
import {
  ACCESS_TOKEN_MS,
  type AuthorizationCode,
  CODE_MS,
  DEVICE_CODE_MS,
  type DeviceCode,
  POLL_SECONDS,
  REMEMBER_CODE_MS,
} from "../../core/oauth/pending-codes.ts";
import { isSameResource } from "../../core/oauth/resources.ts";
import { createUserCode } from "../../core/oauth/user-code.ts";
import type {
  DeviceDecision,
  DeviceFailure,
  IssuedTokens,
  OAuthStore,
  TokenFailure,
} from "../../core/ports/oauth-port.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import {
  CODE_PREFIX,
  DEVICE_CODE_PREFIX,
  REFRESH_TOKEN_PREFIX,
} from "../../core/scrubbing/own-secrets.ts";
import type { CodeTables, FoundCode } from "./code-tables.ts";

type Parameters<Name extends keyof OAuthStore> = globalThis.Parameters<OAuthStore[Name]>;
type Outcome<Name extends keyof OAuthStore> = Awaited<ReturnType<OAuthStore[Name]>>;
type Issued = Result<IssuedTokens, TokenFailure>;

/** The registry around it. */
interface Registry {
  readonly read: () => RegistryState;
  /** Applies a change of a person, with its entry in the audit log. */
  readonly apply: (
    actor: Actor,
    change: RegistryChange,
  ) => Promise<Result<RegistryChangeResult, RegistryFailure>>;
  /** Stores a registry, and writes its copy to KV. */
  readonly store: (registry: RegistryState) => Promise<void>;
  /** Adds an entry without an author to the audit log of a grant. */
  readonly record: (action: string, facts: ReturnType<typeof toAuditFacts>) => void;
}

/** How often a device asks. In memory: an object that was evicted forgets one interval. */
interface Polling {
  readonly atMs: number;
  readonly seconds: number;
}

const INVALID_GRANT = fail({ reason: "invalid_grant" });
const UNKNOWN_USER_CODE = fail({ reason: "unknown-user-code" });

export class AuthorizationServer {
  readonly #registry: Registry;
  readonly #tables: CodeTables;
  readonly #polling = new Map<string, Polling>();
  /** The times of unknown user codes, by the person who typed them. */
  readonly #misses = new Map<string, readonly number[]>();

  constructor(registry: Registry, tables: CodeTables) {
    this.#registry = registry;
    this.#tables = tables;
  }

  async allowRequest(
    ...[
      actor,
      { consent, lifetimeMs, redirectUri, challenge, resource },
    ]: Parameters<"allowRequest">
  ): Promise<Outcome<"allowRequest">> {
    const nowMs = Date.now();
    const granted = await this.#addGrant(actor, consent, nowMs + CODE_MS);
    if (!granted.ok) return granted;
    const secret = createSecret(CODE_PREFIX);
    const code: AuthorizationCode = {
      v: 1,
      kind: "authorization",
      grant: granted.value,
      endsMs: nowMs + lifetimeMs,
      client: consent.client,
      redirectUri,
      challenge,
      resource,
      expiresMs: nowMs + CODE_MS,
    };
    this.#tables.forgetOld(nowMs);
    this.#tables.saveCode({ hash: toHash(secret), code }, { forgetMs: nowMs + REMEMBER_CODE_MS });
    return ok(secret);
  }

  async exchangeCode(
    ...[secret, proof, accessHash]: Parameters<"exchangeCode">
  ): Promise<Outcome<"exchangeCode">> {
    const found = this.#tables.findCode(toHash(secret));
    if (found?.code.kind !== "authorization") return INVALID_GRANT;
    const { hash, code } = found;
    // Somebody else has the code: one of them stole it (OAuth 2.1 § 4.1.3).
    if (code.isUsed) return this.#endGrant(code.grant, "reuse-authorization-code");
    const nowMs = Date.now();
    // Also after a wrong proof, so that nobody can try another one.
    const used: AuthorizationCode = { ...code, isUsed: true };
    this.#tables.saveCode({ hash, code: used }, { forgetMs: nowMs + REMEMBER_CODE_MS });
    if (code.expiresMs <= nowMs) return INVALID_GRANT;
    const isProven =
      proof.client === code.client &&
      proof.redirectUri === code.redirectUri &&
      proof.challenge === code.challenge;
    if (!isProven) return this.#endGrant(code.grant);
    if (proof.resource !== null && !isSameResource(proof.resource, code.resource)) {
      await this.#endGrant(code.grant);
      return fail({ reason: "invalid_target" });
    }
    return this.#issueTokens(code.grant, code.endsMs, accessHash);
  }

  async refreshTokens(
    ...[secret, { client, resource, access }, accessHash]: Parameters<"refreshTokens">
  ): Promise<Outcome<"refreshTokens">> {
    const nowMs = Date.now();
    const token = this.#tables.findRefreshToken(toHash(secret));
    const grant = token && this.#findGrant(token.grant, nowMs);
    if (token === undefined || grant === undefined || grant.client !== client) return INVALID_GRANT;
    // The program or a thief has a newer one, and nobody knows which (OAuth 2.1 § 4.3.1).
    if (token.isReplaced) return this.#endGrant(grant.id, "reuse-refresh-token");
    if (resource !== null && !isSameResource(resource, toResource(grant)))
      return fail({ reason: "invalid_target" });
    const granted = listScopes(grant.role, grant.mayUpload);
    const wanted = access === null ? [] : listScopes(access.role, access.mayUpload);
    if (!wanted.every((scope) => granted.includes(scope))) return fail({ reason: "invalid_scope" });
    return this.#issueTokens(grant.id, grant.expiresMs, accessHash);
  }

  async revokeToken(
    ...[secret, client]: Parameters<"revokeToken">
  ): Promise<Outcome<"revokeToken">> {
    const hash = toHash(secret);
    const token = this.#tables.findRefreshToken(hash);
    const { grants = [] } = this.#registry.read();
    const grant = grants.find(({ id, access }) => id === token?.grant || access?.hash === hash);
    if (grant === undefined) return [];
    if (grant.client !== client) return null;
    const { endedProjects = [] } = await this.#endGrant(grant.id, "revoke-own-grant");
    return endedProjects;
  }

  startDevice(
    ...[{ client, role, mayUpload, resource, address }]: Parameters<"startDevice">
  ): Outcome<"startDevice"> {
    const nowMs = Date.now();
    this.#tables.forgetOld(nowMs);
    const { all, ofNetwork } = this.#tables.countDevices(address);
    const isFull = all >= limits.maxWaitingDevices;
    if (isFull || (address !== "" && ofNetwork >= limits.maxWaitingDevicesPerNetwork))
      return fail({ reason: "too-many-requests", retryAfterSeconds: DEVICE_CODE_MS / 1000 });
    const deviceCode = createSecret(DEVICE_CODE_PREFIX);
    const userCode = this.#createUserCode();
    const code: DeviceCode = {
      v: 1,
      kind: "device",
      client: client.id,
      clientName: client.name,
      role,
      mayUpload,
      resource,
      address,
      createdMs: nowMs,
      expiresMs: nowMs + DEVICE_CODE_MS,
    };
    this.#saveDevice({ hash: toHash(deviceCode), code }, userCode);
    return ok({ deviceCode, userCode });
  }

  findDevice(...[actor, userCode]: Parameters<"findDevice">): Outcome<"findDevice"> {
    const found = this.#findWaiting(actor, userCode);
    return found.ok ? ok(found.value.code) : found;
  }

  async decideDevice(
    ...[actor, userCode, decision]: Parameters<"decideDevice">
  ): Promise<Outcome<"decideDevice">> {
    const found = this.#findWaiting(actor, userCode);
    if (!found.ok) return found;
    const { code } = found.value;
    const decided = await this.#toDecision(actor, code, decision);
    if (!decided.ok) return decided;
    this.#saveDevice({ ...found.value, code: { ...code, decision: decided.value } }, userCode);
    return ok(null);
  }

  async pollDevice(
    ...[secret, client, accessHash]: Parameters<"pollDevice">
  ): Promise<Outcome<"pollDevice">> {
    const nowMs = Date.now();
    const found = this.#tables.findCode(toHash(secret));
    if (found?.code.kind !== "device" || found.code.client !== client) return INVALID_GRANT;
    const { hash, code } = found;
    const { decision } = code;
    if (code.expiresMs <= nowMs) return fail({ reason: "expired_token" });
    if (!this.#mayPoll(hash, nowMs)) return fail({ reason: "slow_down" });
    switch (decision?.kind) {
      case undefined:
        return fail({ reason: "authorization_pending" });
      case "denied":
        return fail({ reason: "access_denied" });
      case "used":
        return INVALID_GRANT;
      case "allowed":
        this.#saveDevice({ hash, code: { ...code, decision: { kind: "used" } } }, undefined);
        this.#polling.delete(hash);
        return this.#issueTokens(decision.grant, decision.endsMs, accessHash);
    }
  }

  /** Deletes the secrets of grants that have ended. */
  forgetEndedGrants(): void {
    this.#tables.keepRefreshTokensOf((this.#registry.read().grants ?? []).map(({ id }) => id));
  }

  async #addGrant(
    actor: Actor,
    consent: Consent,
    redeemableUntilMs: number,
  ): Promise<Result<string, RegistryFailure>> {
    const change = { do: "connect-program", ...consent, redeemableUntilMs } as const;
    const result = await this.#registry.apply(actor, change);
    return result.ok ? ok(result.value.createdId ?? "") : result;
  }

  #findGrant(id: string, nowMs: number): Grant | undefined {
    const { grants = [], people } = this.#registry.read();
    const grant = grants.find((one) => one.id === id && one.expiresMs > nowMs);
    return grant && people.some((one) => one.id === grant.person) ? grant : undefined;
  }

  /** Fails if the grant has ended since. */
  async #issueTokens(grant: string, endsMs: number, accessHash: string): Promise<Issued> {
    const nowMs = Date.now();
    const known = this.#findGrant(grant, nowMs);
    const refreshToken = createSecret(REFRESH_TOKEN_PREFIX);
    const expiresMs = Math.min(nowMs + ACCESS_TOKEN_MS, endsMs);
    const access = { hash: accessHash, expiresMs };
    const next = renewGrant(this.#registry.read(), grant, { access, expiresMs: endsMs });
    if (known === undefined || next === null) return INVALID_GRANT;
    this.#tables.addRefreshToken(toHash(refreshToken), grant, nowMs);
    await this.#registry.store(next);
    this.forgetEndedGrants();
    const { role, mayUpload, project } = known;
    return ok({ refreshToken, expiresMs, role, mayUpload, project });
  }

  /** Ends a grant, if it still exists, with an entry in the audit log for `action`. */
  async #endGrant(id: string, action?: string) {
    const registry = this.#registry.read();
    const grant = registry.grants?.find((one) => one.id === id);
    if (grant === undefined) return { ...INVALID_GRANT, endedProjects: [] };
    if (action !== undefined) this.#registry.record(action, toAuditFacts(grant));
    await this.#registry.store(endGrant(registry, id));
    this.forgetEndedGrants();
    return { ...INVALID_GRANT, endedProjects: listProjects(registry, grant) };
  }

  async #toDecision(
    actor: Actor,
    { expiresMs }: DeviceCode,
    decision: DeviceDecision,
  ): Promise<Result<DeviceCode["decision"], RegistryFailure>> {
    if (decision === null) return ok({ kind: "denied" });
    const { consent, lifetimeMs } = decision;
    const granted = await this.#addGrant(actor, consent, expiresMs);
    if (!granted.ok) return granted;
    return ok({ kind: "allowed", grant: granted.value, endsMs: Date.now() + lifetimeMs });
  }

  /** A device that waits; each unknown code counts against the person who typed it. */
  #findWaiting(actor: Actor, userCode: string): Result<FoundCode<DeviceCode>, DeviceFailure> {
    const nowMs = Date.now();
    const person = getActorId(this.#registry.read(), actor, nowMs) ?? "";
    const misses = (this.#misses.get(person) ?? []).filter((at) => at > nowMs - DEVICE_CODE_MS);
    if (misses.length >= limits.maxUserCodeMisses)
      return fail({ reason: "too-many-requests", retryAfterSeconds: DEVICE_CODE_MS / 1000 });
    const found = this.#tables.findDevice(userCode);
    const isWaiting = found && found.code.expiresMs > nowMs && found.code.decision === undefined;
    if (isWaiting) return ok(found);
    this.#misses.set(person, [...misses, nowMs]);
    return UNKNOWN_USER_CODE;
  }

  /** False if the device asks before its interval is over, which then becomes longer. */
  #mayPoll(hash: string, nowMs: number): boolean {
    const { atMs, seconds } = this.#polling.get(hash) ?? { atMs: 0, seconds: POLL_SECONDS };
    // The network may have delayed the request before this one.
    const isEarly = nowMs - atMs < seconds * 1_000 - POLL_TOLERANCE_MS;
    if (this.#polling.size >= limits.maxWaitingDevices) this.#polling.clear();
    this.#polling.set(hash, { atMs: nowMs, seconds: isEarly ? seconds + POLL_SECONDS : seconds });
    return !isEarly;
  }

  #saveDevice(found: FoundCode<DeviceCode>, userCode: string | undefined): void {
    this.#tables.saveCode(found, { userCode, forgetMs: found.code.expiresMs });
  }

  /** A user code that no other device has. */
  #createUserCode(): string {
    for (;;) {
      const code = createUserCode(randomBytes(32));
      if (code !== undefined && this.#tables.findDevice(code) === undefined) return code;
    }
  }
}

const POLL_TOLERANCE_MS = 1_000;

/** The projects that a grant gives access to. */
function listProjects({ memberships }: RegistryState, { person, project }: Grant) {
  if (project !== undefined) return [project];
  return memberships.filter((one) => one.person === person).map((one) => one.project);
}

function toResource({ isForMcp, project }: Grant) {
  return isForMcp && project !== undefined
    ? ({ kind: "mcp", project } as const)
    : ({ kind: "all" } as const);
}

/** 256 random bits. */
function createSecret(prefix: string): string {
  return prefix + randomBytes(32).toString("base64url");
}

function toHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
