/** API tokens: shown once, stored as hashes, valid for one project. */
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { fail, ok, type Result } from "../result.ts";
import { TOKEN_PREFIX } from "../scrubbing/own-secrets.ts";
import { type Actor, findPerson, getActorName } from "./actors.ts";
import {
  newEntityId,
  type RegistryChangeDeps,
  type RegistryChangeResult,
  type RegistryFailure,
} from "./change-types.ts";
import type { ApiToken, RegistryState, TokenRole } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";
import { formatUploadToken } from "./upload-token.ts";

export type TokenChange = { readonly project: string } & (
  | {
      readonly do: "add-token";
      readonly name: string;
      readonly role: TokenRole;
      /** The origin that the token of an uploader names. */
      readonly origin?: string | undefined;
      /** Lifetime; without it the token does not expire. */
      readonly lifetimeMs?: number | undefined;
    }
  | { readonly do: "revoke-token"; readonly token: string; readonly undoId?: string | undefined }
);

/**
 * Creates or revokes an API token. `applyRegistryChange` has checked that the actor owns the
 * project. `secrets` contains a new token; the registry stores only its hash. Fails with
 * `not-found` or `too-many`.
 */
export function applyTokenChange(
  registry: RegistryState,
  actor: Actor,
  change: TokenChange,
  { nowMs, newSecret, hash }: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  if (change.do === "revoke-token") {
    const token = registry.tokens.find(
      ({ id, project }) => id === change.token && project === change.project,
    );
    if (token === undefined) return fail({ reason: "not-found", what: "token" });
    const tokens = registry.tokens.filter((one) => one !== token);
    const removed = { kind: "token", entry: token } as const;
    return ok({
      registry: rememberRemoved({ ...registry, tokens }, removed, change.undoId, nowMs),
      subject: token.name,
    });
  }
  const { project, name, role, origin = "", lifetimeMs } = change;
  const projectTokens = registry.tokens.filter((one) => one.project === project);
  if (projectTokens.length >= limits.maxTokensPerProject)
    return fail({
      reason: "too-many",
      limit: "maxTokensPerProject",
      max: limits.maxTokensPerProject,
    });
  const secret = newSecret();
  const text =
    role === "uploader" ? formatUploadToken({ origin, nowMs, secret }) : TOKEN_PREFIX + secret;
  const token: ApiToken = {
    id: newEntityId({ newSecret }),
    hash: hash(text),
    project,
    role,
    name,
    createdMs: nowMs,
    by: getActorName(registry, actor, nowMs) ?? "",
    ...omitUndefined({
      expiresMs: lifetimeMs === undefined ? undefined : nowMs + lifetimeMs,
      byPerson: findPerson(registry, actor, nowMs)?.id,
    }),
  };
  return ok({
    registry: { ...registry, tokens: [...registry.tokens, token] },
    subject: name,
    secrets: [text],
    createdId: token.id,
  });
}
