/** What a page of consent shows of the signed-in person, and how it keeps the request. */
import { Buffer } from "node:buffer";
import { signValue, verifySignedValue } from "../../auth/signed-value.ts";
import { hasRole } from "../../core/accounts/actors.ts";
import { ROLES, type Role } from "../../core/accounts/registry.ts";
import { type Access, limitAccess } from "../../core/accounts/token-scopes.ts";
import type { AuthorizationRequest } from "../../core/oauth/authorization-request.ts";
import type { Client } from "../../core/oauth/client-metadata.ts";
import type { Resource } from "../../core/oauth/resources.ts";
import type { AppContext } from "../context.ts";

/** How long a page of consent can be sent. */
const PAGE_MS = 600_000;

/** The request that a page of consent is about. */
export interface ShownRequest extends AuthorizationRequest {
  readonly client: Pick<Client, "id" | "name">;
}

/** The projects that a program may get, and the most that it may do there. */
export interface OfferedAccess {
  readonly projects: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly role: Role;
  /** What the program gets with each role that the person can choose. */
  readonly choices: readonly Access[];
}

/** What the person can grant of a request; null without a role in its project. */
export function findOfferedAccess(
  c: AppContext,
  { resource, ...requested }: Access & { readonly resource: Resource },
): OfferedAccess | null {
  const all = c.get("principal").projects.map(({ project: { id, name }, role }) => {
    return { id, name, role };
  });
  const projects = resource.kind === "all" ? all : all.filter(({ id }) => id === resource.project);
  const most = ROLES.findLast((role) => projects.some((one) => one.role === role));
  if (most === undefined) return null;
  const role = hasRole(most, requested.role) ? requested.role : most;
  const roles = ROLES.filter((one) => hasRole(role, one));
  return { projects, role, choices: roles.map((one) => limitAccess(requested, one)) };
}

/** Only the browser to which a page was sent can answer it: the signature is for its session. */
function getPurpose(c: AppContext) {
  const { actor } = c.get("principal");
  return `consent ${actor.kind === "session" ? actor.id : ""}` as const;
}

/** The request as a field of the form. */
export async function sealRequest(c: AppContext, request: ShownRequest): Promise<string> {
  const { registry, nowMs } = c.get("services");
  const { secret } = await registry.readCopy();
  const text = JSON.stringify({ ...request, untilMs: nowMs() + PAGE_MS });
  return signValue(getPurpose(c), Buffer.from(text).toString("base64url"), secret);
}

/** The request of a sent form; null if the form is another one's, or too old. */
export async function openRequest(c: AppContext, sealed: unknown): Promise<ShownRequest | null> {
  const { registry, nowMs } = c.get("services");
  if (typeof sealed !== "string") return null;
  const { secret } = await registry.readCopy();
  const text = verifySignedValue(getPurpose(c), sealed, secret);
  if (text === null) return null;
  // Errata has written it.
  const request: ShownRequest & { readonly untilMs: number } = JSON.parse(
    Buffer.from(text, "base64url").toString(),
  );
  return request.untilMs > nowMs() ? request : null;
}
