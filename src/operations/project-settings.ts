/**
 * What the owners of a project set up: its name and switches, keys, members, invitations, tokens.
 */
import * as v from "valibot";
import {
  findProject,
  type IngestKey,
  KEY_RATES,
  ROLES,
  type ServerKey,
  TOKEN_ROLES,
} from "../core/accounts/registry.ts";
import { limits } from "../core/limits.ts";
import { SWITCHABLE_NOISE_RULES } from "../core/noise/noise-rules.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { flag, number } from "./issue-output.ts";
import { type Call, defineRead, type OutputSchema, orNull } from "./operation.ts";
import { byErrata, byMember, reportedByAnyone, time, trustLevel } from "./provenance.ts";

/** What owners see, without the hashes of secrets; null if the project was deleted. */
export async function readProjectSettings({
  project: id,
  services,
}: Pick<Call, "project" | "services">) {
  const registry = await services.registry.readCopy();
  const project = findProject(registry, id);
  if (project === undefined) return null;
  const isOwn = (one: { readonly project: string }) => one.project === id;
  return {
    project,
    keys: registry.keys.filter(isOwn).map(withoutHash),
    members: registry.memberships.filter(isOwn).map(({ person, role }) => {
      const known = registry.people.find((one) => one.id === person);
      return { person, role, name: known?.name ?? person, access: known?.accessName };
    }),
    invitations: registry.invitations.filter(isOwn).map(({ hash: _, ...one }) => one),
    tokens: registry.tokens.filter(isOwn).map(({ hash: _, ...one }) => one),
  };
}

/** The hash of a server key can sign page tokens, so it is a secret too. */
function withoutHash(key: IngestKey) {
  if (key.kind === "public") return key;
  const { hash: _, ...listed }: ServerKey = key;
  return listed;
}

type Settings = NonNullable<Awaited<ReturnType<typeof readProjectSettings>>>;

const READ = { role: "owner", rate: "read", dependency: "registry" } as const;

/** A read of a part of the settings. */
function defineSettingsRead<Output extends OutputSchema>(
  facts: { readonly name: string; readonly summary: string; readonly route: string },
  output: Output,
  select: (
    settings: Settings,
    call: Call,
  ) => v.InferOutput<Output> | Promise<v.InferOutput<Output>>,
) {
  return defineRead({
    ...READ,
    ...facts,
    input: v.strictObject({}),
    output,
    reasons: ["no-such-project"],
    async load(_, call) {
      const settings = await readProjectSettings(call);
      return settings === null ? fail({ reason: "no-such-project" }) : ok(settings);
    },
    toOutput: (settings, _, call) => select(settings, call),
  });
}

export const getProject = defineSettingsRead(
  {
    name: "projects.get",
    summary: "Read the name of the project, and which reports it accepts.",
    route: "GET /project",
  },
  v.strictObject({
    id: byErrata("The number in URLs"),
    name: byMember(),
    createdMs: time,
    archivedMs: v.optional(time),
    keylessOrigins: v.optional(list(byMember())),
    pausedKeys: v.optional(list(byErrata("The id of a key"))),
    disabledNoiseRules: v.optional(list(v.picklist(SWITCHABLE_NOISE_RULES))),
  }),
  ({ project }) => project,
);

const keyFacts = {
  id: byErrata(),
  name: byMember(),
  createdMs: time,
  perMinute: v.optional(v.pipe(number, v.description(`One of ${KEY_RATES.join(", ")}`))),
  expiresMs: v.optional(time),
};

export const listKeys = defineSettingsRead(
  {
    name: "keys.list",
    summary: "List the ingest keys of the project. Server keys are secret and not in the list.",
    route: "GET /keys",
  },
  v.strictObject({
    keys: list(
      v.strictObject({
        ...keyFacts,
        kind: v.picklist(["public", "server"]),
        key: v.optional(byErrata("A public key, as a DSN has it")),
        origins: v.optional(list(byMember())),
        leakedMs: v.optional(time),
        leakedOrigin: v.optional(reportedByAnyone()),
        isPaused: v.optional(flag),
      }),
    ),
  }),
  ({ keys, project: { pausedKeys = [] } }) => ({
    keys: keys.map((key) => ({ ...key, isPaused: pausedKeys.includes(key.id) || undefined })),
  }),
);

export const listMembers = defineSettingsRead(
  {
    name: "members.list",
    summary: "List the members of the project with their roles.",
    route: "GET /members",
  },
  v.strictObject({
    members: list(
      v.strictObject({
        person: byErrata("The id of the person"),
        name: byMember(),
        role: v.picklist(ROLES),
        access: v.optional(byMember("The name that Cloudflare Access knows")),
      }),
    ),
  }),
  ({ members }) => ({ members }),
);

const issued = {
  id: byErrata(),
  createdMs: time,
  by: byMember("Who created it"),
};

export const listInvitations = defineSettingsRead(
  {
    name: "invitations.list",
    summary: "List the invitations that nobody has used.",
    route: "GET /invitations",
  },
  v.strictObject({
    invitations: list(v.strictObject({ ...issued, role: v.picklist(ROLES), expiresMs: time })),
  }),
  ({ invitations }) => ({ invitations }),
);

export const listTokens = defineSettingsRead(
  {
    name: "tokens.list",
    summary: "List the API tokens of the project, and when each was last used.",
    route: "GET /tokens",
  },
  v.strictObject({
    tokens: list(
      v.strictObject({
        ...issued,
        name: byMember(),
        role: v.picklist(TOKEN_ROLES),
        expiresMs: v.optional(time),
        isForAllProjects: v.optional(flag),
        lowestTrust: v.optional(trustLevel),
        usedMs: v.optional(time),
      }),
    ),
  }),
  async ({ tokens }, { services }) => {
    const uses = await orNull(services, services.registry.getLastUses());
    return { tokens: tokens.map((token) => ({ ...token, usedMs: uses?.[token.id] })) };
  },
);

/** The entries of the audit log before another one, newest first. */
export const listAuditEntries = defineRead({
  ...READ,
  name: "audit.list",
  summary: "List the changes of the project and of its members’ profiles, newest first.",
  route: "GET /audit",
  input: v.strictObject({
    from: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[1-9]\d{0,14}$/),
        v.description("the value of next of the page before"),
      ),
    ),
  }),
  output: v.strictObject({
    entries: list(
      v.strictObject({
        sequence: number,
        atMs: time,
        by: v.optional(byMember("The person or token")),
        byId: v.optional(byErrata()),
        action: byErrata("The operation, the change, or method and route"),
        subject: v.optional(byMember("What was changed: a name, or digests")),
        details: v.optional(byMember()),
        outcome: v.optional(byErrata("done, nothing-changed, started, or why it was not done")),
      }),
    ),
    next: v.optional(byErrata("The value of from for older entries")),
  }),
  reasons: [],
  // A page begins before the entries arrive.
  load: async ({ from }, { project, services }) => {
    const before = from === undefined ? undefined : Number(from);
    return ok({ entries: services.registry.listAuditEntries(project, before) });
  },
  async toOutput(loaded) {
    const entries = await loaded.entries;
    const oldest = entries.length < limits.auditEntriesPerPage ? undefined : entries.at(-1);
    return { entries, next: oldest && `${oldest.sequence}` };
  },
});
