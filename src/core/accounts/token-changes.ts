/** API tokens: shown once, stored as hashes, valid for one project or for all of a person. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject, wholeNumber } from "../schema/form.ts";
import { TOKEN_PREFIX } from "../scrubbing/own-secrets.ts";
import { TRUST_LEVELS, type Trust } from "../trust/trust.ts";
import { DAY_MS } from "../utc-time.ts";
import { findPerson, getActorName } from "./actors.ts";
import {
  choiceField,
  defineChange,
  idField,
  newEntityId,
  roleField,
  thingName,
} from "./define-change.ts";
import { type ApiToken, TOKEN_ROLES, type TokenRole } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";
import { formatUploadToken } from "./upload-token.ts";

const MAX_TOKEN_DAYS = 3_650;

interface NewToken {
  readonly name: string;
  readonly role: TokenRole;
  /** Without it, the token does not expire. */
  readonly lifetimeMs?: number | undefined;
  /** See `ApiToken`. */
  readonly isForAllProjects?: boolean;
  readonly lowestTrust?: Trust;
}

/** The projects of a new token: the one whose settings create it, or all of the person. */
const TOKEN_PROJECTS = ["one", "all"] as const;

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
        projects: v.optional(choiceField(TOKEN_PROJECTS, "projects: one or all"), "one"),
        lowestTrust: v.optional(
          choiceField(TRUST_LEVELS, `lowestTrust: ${TRUST_LEVELS.join(", ")}`),
          "server",
        ),
        expiresInDays: v.optional(wholeNumber("expiresInDays", 1, MAX_TOKEN_DAYS)),
      }),
      v.transform(({ name, role, projects, lowestTrust, expiresInDays: days }): NewToken => {
        const lifetimeMs = days === undefined ? undefined : days * DAY_MS;
        return { name, role, isForAllProjects: projects === "all", lowestTrust, lifetimeMs };
      }),
    ),
    audit: {
      "add-token": "created the token {subject}",
      "add-token-for-all-projects": "created the token {subject} for all their projects",
    },
    apply(scope, { name, role, lifetimeMs, isForAllProjects = false, lowestTrust = "public" }) {
      const { registry, project, actor, origin = "", nowMs, newSecret, hash } = scope;
      const id = newEntityId(scope);
      if (registry.tokens.some((one) => one.id === id)) return ok({ registry, createdId: id });
      const max = limits.maxTokensPerProject;
      if (registry.tokens.filter((one) => one.project === project.id).length >= max)
        return fail({ reason: "too-many", limit: "maxTokensPerProject", max });
      const person = findPerson(registry, actor, nowMs);
      // Local access is no person, and tools name the project of an upload token.
      if (isForAllProjects && (person === undefined || role === "uploader"))
        return fail({ reason: "one-project-only" });
      const secret = newSecret();
      const text =
        role === "uploader" ? formatUploadToken({ origin, nowMs, secret }) : TOKEN_PREFIX + secret;
      const token: ApiToken = {
        id,
        hash: hash(text),
        project: project.id,
        role,
        name,
        createdMs: nowMs,
        expiresMs: lifetimeMs === undefined ? undefined : nowMs + lifetimeMs,
        by: getActorName(registry, actor, nowMs) ?? "",
        byPerson: person?.id,
        isForAllProjects: isForAllProjects || undefined,
        lowestTrust: lowestTrust === "public" || role === "uploader" ? undefined : lowestTrust,
      };
      return ok({
        action: isForAllProjects ? "add-token-for-all-projects" : undefined,
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
    isForTokens: true,
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
