/**
 * Grants: what people allowed programs to do in their names. A grant begins when its person allows
 * it, gets its access tokens from the token endpoint, and ends by time, by its person, by its
 * program, or when one of its secrets is used twice.
 */
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject } from "../schema/form.ts";
import type { Trust } from "../trust/trust.ts";
import {
  type ChangeResult,
  type ChangeScope,
  defineChange,
  idField,
  newEntityId,
} from "./define-change.ts";
import type { Grant, RegistryState } from "./registry.ts";
import { type Access, mayRoleUpload } from "./token-scopes.ts";

/** The decision of a person about a program. */
export interface Consent extends Access {
  /** The `client_id` and the name of the program. */
  readonly client: string;
  readonly clientName: string;
  /** Undefined: all projects of the person. */
  readonly project?: string | undefined;
  readonly isForMcp?: boolean | undefined;
  readonly lowestTrust: Trust;
}

interface NewGrant extends Consent {
  /** When the grant ends if the program does not fetch its first access token. */
  readonly redeemableUntilMs: number;
}

/** The changes of a person's grants. */
export const GRANT_CHANGES = [
  /**
   * `createdId` is the id of the grant. Fails with `not-found` if the person is no member of its
   * project. The oldest grant of the person ends if there are too many.
   */
  defineChange({
    name: "connect-program",
    role: "person",
    audit: "connected the program {subject}",
    apply: addGrant,
  }),
  defineChange({
    name: "disconnect-program",
    role: "person",
    input: formObject({ grant: idField("grant") }),
    audit: "disconnected the program {subject}",
    revokes: true,
    apply({ registry, person }, { grant: id }) {
      const grant = registry.grants?.find((one) => one.id === id && one.person === person.id);
      return grant === undefined
        ? fail({ reason: "not-found", what: "grant" })
        : ok({
            registry: removeGrant(registry, id),
            ...toAuditFacts(grant),
          });
    },
  }),
] as const;

function addGrant(
  { registry, person, nowMs, newSecret }: ChangeScope<"person">,
  { client, clientName, role, mayUpload, project, ...granted }: NewGrant,
): ChangeResult {
  const { isForMcp, lowestTrust, redeemableUntilMs } = granted;
  const isMember = registry.memberships.some(
    (one) => one.person === person.id && (project === undefined || one.project === project),
  );
  if (!isMember) return fail({ reason: "not-found", what: "project" });
  const grant: Grant = {
    id: newEntityId({ newSecret }),
    person: person.id,
    client,
    name: clientName,
    role,
    mayUpload: mayUpload === mayRoleUpload(role) ? undefined : mayUpload,
    project,
    isForMcp: isForMcp || undefined,
    lowestTrust: lowestTrust === "public" ? undefined : lowestTrust,
    createdMs: nowMs,
    expiresMs: redeemableUntilMs,
  };
  const all = registry.grants ?? [];
  const own = all.filter((one) => one.person === person.id);
  const ended = new Set(own.slice(0, Math.max(0, own.length + 1 - limits.maxGrantsPerPerson)));
  const kept = all.filter((one) => !ended.has(one));
  return ok({
    registry: { ...registry, grants: [...kept, grant] },
    ...toAuditFacts(grant),
    createdId: grant.id,
  });
}

/** Where the audit log has a change of a grant, and what it shows. */
export function toAuditFacts({ client, name, person, project }: Grant) {
  return {
    subject: formatClient({ client, name }),
    personId: person,
    auditProjects: project === undefined ? undefined : [project],
  };
}

/** `Claude Code (claude.ai)`: the name that a program has of itself, and who vouches for it. */
export function formatClient({ client, name }: Pick<Grant, "client" | "name">): string {
  const host = getClientHost(client);
  return host === undefined ? name : `${name} (${host})`;
}

/** The host that vouches for a program; undefined for the programs of Errata itself. */
export function getClientHost(client: string): string | undefined {
  return URL.parse(client)?.host;
}

/** The grant with a new access token, and with its real end. Null if it does not exist any more. */
export function renewGrant(
  registry: RegistryState,
  id: string,
  { access, expiresMs }: Pick<Grant, "expiresMs"> & { readonly access: Grant["access"] },
): RegistryState | null {
  const grant = registry.grants?.find((one) => one.id === id);
  if (grant === undefined) return null;
  const grants = registry.grants?.map((one) =>
    one === grant ? { ...grant, access, expiresMs } : one,
  );
  return { ...registry, grants, version: registry.version + 1 };
}

/** The registry after the end of a grant. */
export function endGrant(registry: RegistryState, id: string): RegistryState {
  return { ...removeGrant(registry, id), version: registry.version + 1 };
}

function removeGrant(registry: RegistryState, id: string): RegistryState {
  return { ...registry, grants: registry.grants?.filter((one) => one.id !== id) };
}
