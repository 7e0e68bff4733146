/**
 * The port to the authorization server, which is part of the registry's object: it alone knows the
 * codes and the tokens, of which it stores hashes. All reject while the registry is unavailable.
 */
import type { Actor } from "../accounts/actors.ts";
import type { RegistryFailure } from "../accounts/define-change.ts";
import type { Consent } from "../accounts/grant-changes.ts";
import type { Access } from "../accounts/token-scopes.ts";
import type { Client } from "../oauth/client-metadata.ts";
import type { DeviceCode } from "../oauth/pending-codes.ts";
import type { Resource } from "../oauth/resources.ts";
import type { Result } from "../result.ts";

/** What the token endpoint gives to a program, besides the access token that it has made. */
export interface IssuedTokens extends Access {
  readonly refreshToken: string;
  /** When the access token expires. */
  readonly expiresMs: number;
  /** The one project; undefined for all of the person. */
  readonly project?: string | undefined;
}

/** Why a program gets no tokens: the errors of OAuth 2.1 § 3.2.4, and of RFC 8628 § 3.5. */
export type TokenFailure = {
  readonly reason:
    | "invalid_grant"
    | "invalid_target"
    | "invalid_scope"
    | "authorization_pending"
    | "slow_down"
    | "access_denied"
    | "expired_token";
  /** The projects to which a grant gave access that ends now, because a secret was used twice. */
  readonly endedProjects?: readonly string[];
};

/** An authorization request that a person has allowed. */
export interface AllowedRequest {
  readonly consent: Consent;
  /** How long the grant lasts. */
  readonly lifetimeMs: number;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: Resource;
}

/** What a device asks for. */
export interface DeviceRequest extends Access {
  readonly client: Pick<Client, "id" | "name">;
  readonly resource: Resource;
  /** Empty if it is unknown. */
  readonly address: string;
}

/** Why a person cannot decide about a device. */
export type DeviceFailure =
  /** Unknown, expired, or decided already. */
  | { readonly reason: "unknown-user-code" }
  | { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number };

/** What a person decides about a device: `null` denies it. */
export type DeviceDecision = { readonly consent: Consent; readonly lifetimeMs: number } | null;

/** `accessHash` is the SHA-256 of the new access token, in hex. */
export interface OAuthStore {
  /** Makes a grant and the code for its tokens. Fails as the change `connect-program` does. */
  allowRequest(actor: Actor, request: AllowedRequest): Promise<Result<string, RegistryFailure>>;
  /** Exchanges a code. A second use ends what the first one got. */
  exchangeCode(
    code: string,
    proof: {
      readonly client: string;
      readonly redirectUri: string;
      /** The challenge that the verifier belongs to. */
      readonly challenge: string;
      /** Null if none was sent: it is that of the code. */
      readonly resource: Resource | null;
    },
    accessHash: string,
  ): Promise<Result<IssuedTokens, TokenFailure>>;
  /** Replaces the tokens of a grant. The use of a replaced refresh token ends the grant. */
  refreshTokens(
    refreshToken: string,
    proof: {
      readonly client: string;
      readonly resource: Resource | null;
      /** What the requested scopes need; null without a request. */
      readonly access: Access | null;
    },
    accessHash: string,
  ): Promise<Result<IssuedTokens, TokenFailure>>;
  /**
   * Ends the grant of an access token or a refresh token. Resolves to the projects to which it gave
   * access; null if it is another program's.
   */
  revokeToken(token: string, client: string): Promise<readonly string[] | null>;
  /** Fails if too many devices wait. */
  startDevice(
    request: DeviceRequest,
  ): Promise<
    Result<
      { readonly deviceCode: string; readonly userCode: string },
      { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number }
    >
  >;
  /** The device that waits with this user code, for a signed-in person. */
  findDevice(actor: Actor, userCode: string): Promise<Result<DeviceCode, DeviceFailure>>;
  decideDevice(
    actor: Actor,
    userCode: string,
    decision: DeviceDecision,
  ): Promise<Result<null, DeviceFailure | RegistryFailure>>;
  /** The tokens, once the person has allowed it. Each device code gets them once. */
  pollDevice(
    deviceCode: string,
    client: string,
    accessHash: string,
  ): Promise<Result<IssuedTokens, TokenFailure>>;
}
