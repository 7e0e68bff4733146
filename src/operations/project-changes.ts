/**
 * The changes of a project’s settings as operations. Their roles, inputs and rules are those of
 * `REGISTRY_CHANGES`, which authorizes and records them; this table adds the names and the routes.
 */
import * as v from "valibot";
import type { RegistryFailure, RequestFacts } from "../core/accounts/define-change.ts";
import {
  getRegistryChange,
  type RegistryChange,
  type RegistryChangeName,
} from "../core/accounts/registry-changes.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import {
  type Call,
  defineOperation,
  type InputSchema,
  type Operation,
  type OperationFailure,
  orNull,
} from "./operation.ts";
import { byErrata } from "./provenance.ts";

/** The words of an operation: its name, its route and its summary. */
type Words = readonly [name: string, route: string, summary: string];

/** Reasons besides those that every change of the registry has. */
const REASONS: Partial<Record<RegistryChangeName, readonly RegistryFailure["reason"][]>> = {
  "create-project": ["name-taken"],
  "rename-project": ["name-taken"],
  "archive-project": ["first-project"],
  "reopen-project": ["first-project"],
  "delete-project": ["first-project", "not-confirmed"],
  "set-role": ["last-owner"],
  "remove-member": ["last-owner"],
  "add-token": ["one-project-only"],
};
const SHARED_REASONS = ["not-found", "too-many", "registry-unavailable"] as const;

/** In the order of the documentation. Each change of the settings that a program may ask for. */
const CHANGES: Partial<Record<RegistryChangeName, Words>> = {
  "create-project": ["projects.create", "POST /projects", "Create a project with a public key."],
  "rename-project": ["projects.rename", "PUT /project/name", "Rename the project."],
  "archive-project": [
    "projects.archive",
    "PUT /project/archive",
    "Archive the project: it accepts no reports, and stays readable.",
  ],
  "reopen-project": ["projects.reopen", "DELETE /project/archive", "Reopen an archived project."],
  "set-keyless": [
    "projects.setKeyless",
    "PUT /project/keyless-reports",
    "Accept reports without a key, from listed origins only, or none.",
  ],
  "set-noise-rules": [
    "projects.setNoiseRules",
    "PUT /project/noise-rules",
    "Set which rules mark reports as noise. Rules that are not named are switched off.",
  ],
  "add-key": ["keys.create", "POST /keys", "Create an ingest key. A server key is shown once."],
  "change-key": [
    "keys.change",
    "PUT /keys/{key}",
    "Set the name, the origins and the rate of an ingest key.",
  ],
  "rotate-key": [
    "keys.rotate",
    "POST /keys/{key}/rotation",
    "Replace an ingest key. The old one works for some hours longer.",
  ],
  "pause-key": ["keys.pause", "PUT /keys/{key}/pause", "Refuse the reports of a public key."],
  "resume-key": ["keys.resume", "DELETE /keys/{key}/pause", "Accept the reports of a key again."],
  "revoke-key": ["keys.revoke", "DELETE /keys/{key}", "Revoke an ingest key."],
  invite: [
    "invitations.create",
    "POST /invitations",
    "Invite a person. The code of the link is shown once.",
  ],
  "withdraw-invitation": [
    "invitations.withdraw",
    "DELETE /invitations/{invitation}",
    "Withdraw an invitation.",
  ],
  "set-role": ["members.setRole", "PUT /members/{person}/role", "Set the role of a member."],
  "remove-member": ["members.remove", "DELETE /members/{person}", "Remove a member."],
  "add-token": ["tokens.create", "POST /tokens", "Create an API token, which is shown once."],
  "revoke-token": ["tokens.revoke", "DELETE /tokens/{token}", "Revoke an API token."],
  "delete-project": [
    "projects.delete",
    "DELETE /project",
    "Delete the project with all its data. Confirm it with its name.",
  ],
  restore: [
    "removals.undo",
    "POST /removals/{undo}/undo",
    "Undo the revocation of a key or a token, or the withdrawal of an invitation.",
  ],
};

export const PROJECT_CHANGES: readonly Operation[] = Object.entries(CHANGES).map(
  ([change, words]) => toOperation(change as RegistryChangeName, words),
);

function toOperation(change: RegistryChangeName, [name, route, summary]: Words): Operation {
  const { input, isForTokens, removalMessage } = getRegistryChange(change);
  const isSetting = !route.startsWith("POST ");
  return defineOperation({
    name,
    route,
    summary,
    role: "owner",
    effect: change === "delete-project" ? "erase" : isSetting ? "set" : "add",
    rate: "change",
    dependency: "registry",
    isForPeople: isForTokens ? undefined : true,
    // The input of a change has a form.
    input: input as unknown as InputSchema,
    output: v.strictObject({
      createdId: v.optional(byErrata("The id of what was created")),
      secrets: v.pipe(
        list(byErrata("A key, a token or a code")),
        v.description("They are shown only here, and not again if the request is repeated"),
      ),
      removal: v.optional(byErrata("The id for removals.undo, for half a minute")),
    }),
    reasons: [...SHARED_REASONS, ...(REASONS[change] ?? [])],
    audit: "registry",
    async run(sent, { changeId, origin, ...call }) {
      const facts = { origin, undoId: changeId, requestId: changeId };
      const fields = { ...(sent as object), do: change } as RegistryChange;
      const made = await applyProjectChange(call, { ...facts, ...fields });
      if (!made.ok) return made;
      const { createdId, secrets = [] } = made.value;
      return ok({ createdId, secrets, removal: removalMessage && changeId });
    },
  });
}

/**
 * Makes a change of the call's project, and ends at once what a person or token that lost rights
 * has open. Fails with `registry-unavailable` too.
 */
export async function applyProjectChange(
  { caller, project, services }: Pick<Call, "caller" | "project" | "services">,
  sent: RegistryChange & RequestFacts,
): Promise<
  Result<
    { readonly createdId?: string | undefined; readonly secrets?: readonly string[] | undefined },
    Extract<OperationFailure, { readonly reason: RegistryFailure["reason"] }> | Unavailable
  >
> {
  const { registry, alerts, projectAdmin } = services;
  const change = { ...sent, project } as RegistryChange;
  const made = await orNull(services, registry.applyChange(caller.actor, change));
  if (made === null) return fail({ reason: "registry-unavailable" });
  if (!made.ok) return made;
  if (getRegistryChange(change.do).revokes) await orNull(services, services.closeLiveSockets());
  // The cron job in `worker.ts` erases what fails here or arrives later.
  if (change.do === "delete-project") await orNull(services, projectAdmin.eraseProject());
  // Without this, the person gets messages until the copy of the registry is a minute old.
  if (change.do === "remove-member") await orNull(services, alerts.removePerson(change.person));
  return ok(made.value);
}

type Unavailable = Extract<OperationFailure, { readonly reason: "registry-unavailable" }>;
