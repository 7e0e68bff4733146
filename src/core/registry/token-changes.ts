/** API tokens: shown once, kept as hashes, good for one project. */
import { limits } from "../limits.ts";
import { present } from "../present.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { newId } from "./new-id.ts";
import type { ApiToken, Registry, Role } from "./registry.ts";
import { type Actor, nameOf, personOf } from "./rights.ts";

/** What is done to the tokens of a project. */
export type TokenChange = { readonly project: string } & (
  | {
      readonly do: "add-token";
      readonly name: string;
      readonly role: Role;
      /** How long it is good for; for good without it. */
      readonly lastsMs?: number | undefined;
    }
  | { readonly do: "revoke-token"; readonly token: string }
);

/** What every token begins with, so that it is known for one wherever it turns up. */
export const TOKEN_START = "errata_";

/** By an owner of the project. */
export function changeTokens(
  registry: Registry,
  actor: Actor,
  change: TokenChange,
  { nowMs, mintSecret, hash }: ChangeFacts,
): Result<Made, RegistryFailure> {
  if (change.do === "revoke-token") {
    const token = registry.tokens.find(
      ({ id, project }) => id === change.token && project === change.project,
    );
    if (token === undefined) return fail({ reason: "not-known", what: "token" });
    const tokens = registry.tokens.filter((one) => one !== token);
    return ok({ registry: { ...registry, tokens }, subject: token.name });
  }
  const { project, name, role, lastsMs } = change;
  const own = registry.tokens.filter((one) => one.project === project);
  if (own.length >= limits.maxTokensPerProject)
    return fail({
      reason: "too-many",
      limit: "maxTokensPerProject",
      max: limits.maxTokensPerProject,
    });
  const text = TOKEN_START + mintSecret();
  const token: ApiToken = {
    id: newId({ mintSecret }),
    hash: hash(text),
    project,
    role,
    name,
    createdMs: nowMs,
    by: nameOf(registry, actor, nowMs) ?? "",
    ...present({
      endsMs: lastsMs === undefined ? undefined : nowMs + lastsMs,
      byPerson: personOf(registry, actor, nowMs)?.id,
    }),
  };
  return ok({
    registry: { ...registry, tokens: [...registry.tokens, token] },
    subject: name,
    shown: [text],
    made: token.id,
  });
}
