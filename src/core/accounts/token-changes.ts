/** API tokens: shown once, stored as hashes, valid for one project. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject, wholeNumber } from "../schema/form.ts";
import { TOKEN_PREFIX } from "../scrubbing/own-secrets.ts";
import { DAY_MS } from "../utc-time.ts";
import { findPerson, getActorName } from "./actors.ts";
import { defineChange, idField, newEntityId, roleField, thingName } from "./define-change.ts";
import { type ApiToken, TOKEN_ROLES, type TokenRole } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";
import { formatUploadToken } from "./upload-token.ts";

const MAX_TOKEN_DAYS = 3_650;

interface NewToken {
  readonly name: string;
  readonly role: TokenRole;
  /** Without it, the token does not expire. */
  readonly lifetimeMs?: number | undefined;
}

/** The changes of API tokens. They fail with `not-found` or `too-many`. */
export const TOKEN_CHANGES = [
  /** `secrets` contains the new token; the registry stores only its hash. */
  defineChange({
    name: "add-token",
    role: "owner",
    input: v.pipe(
      formObject({
        name: thingName,
        role: roleField(TOKEN_ROLES),
        expiresInDays: v.optional(wholeNumber("expiresInDays", 1, MAX_TOKEN_DAYS)),
      }),
      v.transform(({ name, role, expiresInDays: days }): NewToken => {
        return { name, role, lifetimeMs: days === undefined ? undefined : days * DAY_MS };
      }),
    ),
    audit: "created the token {subject}",
    apply(scope, { name, role, lifetimeMs }) {
      const { registry, project, actor, origin = "", nowMs, newSecret, hash } = scope;
      const max = limits.maxTokensPerProject;
      if (registry.tokens.filter((one) => one.project === project.id).length >= max)
        return fail({ reason: "too-many", limit: "maxTokensPerProject", max });
      const secret = newSecret();
      const text =
        role === "uploader" ? formatUploadToken({ origin, nowMs, secret }) : TOKEN_PREFIX + secret;
      const token: ApiToken = {
        id: newEntityId({ newSecret }),
        hash: hash(text),
        project: project.id,
        role,
        name,
        createdMs: nowMs,
        expiresMs: lifetimeMs === undefined ? undefined : nowMs + lifetimeMs,
        by: getActorName(registry, actor, nowMs) ?? "",
        byPerson: findPerson(registry, actor, nowMs)?.id,
      };
      return ok({
        registry: { ...registry, tokens: [...registry.tokens, token] },
        subject: name,
        secrets: [text],
        createdId: token.id,
      });
    },
  }),
  defineChange({
    name: "revoke-token",
    role: "owner",
    input: formObject({ token: idField("token") }),
    audit: "revoked the token {subject}",
    revokes: true,
    removalMessage: "token-revoked",
    apply({ registry, project, undoId, nowMs }, { token: id }) {
      const token = registry.tokens.find((one) => one.id === id && one.project === project.id);
      if (token === undefined) return fail({ reason: "not-found", what: "token" });
      const tokens = registry.tokens.filter((one) => one !== token);
      const removed = { kind: "token", entry: token } as const;
      return ok({
        registry: rememberRemoved({ ...registry, tokens }, removed, undoId, nowMs),
        subject: token.name,
      });
    },
  }),
] as const;
