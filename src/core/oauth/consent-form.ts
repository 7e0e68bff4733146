/** The form with which a person allows or denies a program. */
import * as v from "valibot";
import { hasRole } from "../accounts/actors.ts";
import { idField, roleField } from "../accounts/define-change.ts";
import type { Consent } from "../accounts/grant-changes.ts";
import { ROLES } from "../accounts/registry.ts";
import { type Access, limitAccess } from "../accounts/token-scopes.ts";
import { formObject, type ParsedForm, parseForm } from "../schema/form.ts";
import { TRUST_LEVELS } from "../trust/trust.ts";
import { DAY_MS } from "../utc-time.ts";
import type { Client } from "./client-metadata.ts";
import type { Resource } from "./resources.ts";

/** How long a grant may last, in days. */
export const GRANT_DAYS = [7, 30, 90, 365] as const;
export const DEFAULT_GRANT_DAYS = 90;
/** The project of a grant for all projects of the person. */
export const ALL_PROJECTS = "all";

const decision = v.picklist(["allow", "deny"], "decision: allow or deny");
const consentForm = formObject({
  decision,
  project: v.optional(idField("project"), ALL_PROJECTS),
  role: roleField(ROLES),
  lowestTrust: v.picklist(TRUST_LEVELS, `lowestTrust: ${TRUST_LEVELS.join(", ")}`),
  days: v.picklist(GRANT_DAYS.map(String), `days: ${GRANT_DAYS.join(", ")}`),
});

/** What a program asks a person for: the person may grant less, and not more. */
export interface ConsentRequest extends Access {
  readonly client: Pick<Client, "id" | "name">;
  readonly resource: Resource;
}

/** Null if the person denies it. `fields` has those of the form, without what names the request. */
export function parseConsent(
  { client, resource, ...requested }: ConsentRequest,
  fields: Readonly<Record<string, unknown>>,
): ParsedForm<{ readonly consent: Consent; readonly lifetimeMs: number } | null> {
  // The fields of a denied form do not matter.
  if (fields.decision === "deny") return { ok: true, value: null };
  const parsed = parseForm(consentForm, fields);
  if (!parsed.ok) return parsed;
  const { project, role, lowestTrust, days } = parsed.value;
  if (!hasRole(requested.role, role))
    return { ok: false, reason: "mismatch", expected: `at most the role ${requested.role}` };
  const isForMcp = resource.kind === "mcp";
  const chosen = project === ALL_PROJECTS ? undefined : project;
  const consent: Consent = {
    client: client.id,
    clientName: client.name,
    ...limitAccess(requested, role),
    project: resource.kind === "mcp" ? resource.project : chosen,
    isForMcp,
    lowestTrust,
  };
  return { ok: true, value: { consent, lifetimeMs: Number(days) * DAY_MS } };
}
