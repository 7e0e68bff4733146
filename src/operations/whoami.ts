/** What a program may do: for the first request of a program, and to check a token. */
import * as v from "valibot";
import type { Actor } from "../core/accounts/actors.ts";
import { ROLES } from "../core/accounts/registry.ts";
import { listScopes, SCOPES } from "../core/accounts/token-scopes.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { TRUST_LEVELS } from "../core/trust/trust.ts";
import { defineRead } from "./operation.ts";
import { byErrata, byMember } from "./provenance.ts";

/** The kinds of callers. */
const CALLER_KINDS = ["person", "token", "local"] as const;

function toKind({ kind }: Actor): (typeof CALLER_KINDS)[number] {
  return kind === "token" || kind === "local" ? kind : "person";
}

const project = v.strictObject({
  id: byErrata("The number in URLs"),
  name: byMember(),
  role: v.picklist(ROLES),
});

export const whoami = defineRead({
  name: "whoami.get",
  summary: "Read who the caller is, what it may do, and which text of reports it may read.",
  role: "viewer",
  rate: "read",
  dependency: "registry",
  route: "GET /whoami",
  input: v.strictObject({}),
  output: v.strictObject({
    kind: v.picklist(CALLER_KINDS),
    name: v.optional(byMember()),
    project: byErrata("The project of this path"),
    role: v.picklist(ROLES),
    scopes: list(v.picklist(SCOPES)),
    projects: list(project),
    lowestTrust: v.picklist(TRUST_LEVELS),
    release: byErrata("The version of the code"),
  }),
  reasons: [],
  async load(_, { caller, project: id, services }) {
    const { actor, name, role, mayUpload, lowestTrust = "public", projects = [] } = caller;
    const kind = toKind(actor);
    // The operation requires a role.
    const own = role ?? "viewer";
    const scopes = listScopes(own, mayUpload);
    const { release } = services.config;
    return ok({ kind, name, project: id, role: own, scopes, projects, lowestTrust, release });
  },
  toOutput: (caller) => caller,
});
