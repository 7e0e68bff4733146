/** What the role of a token or a person permits, in the words of programs. */
import { ROLES, type Role, type TokenRole } from "./registry.ts";

/** The scopes, and what they permit: to read; to change issues; to upload; to export and erase. */
export const SCOPES = ["read", "triage", "upload", "admin"] as const;
/** A scope. */
export type Scope = (typeof SCOPES)[number];

const SCOPES_OF_ROLES: Readonly<Record<TokenRole, readonly Scope[]>> = {
  viewer: ["read"],
  member: ["read", "triage", "upload"],
  owner: SCOPES,
  uploader: ["upload"],
};

/** The lowest role that permits all of these. */
export function findRoleOf(scopes: readonly Scope[]): Role {
  const found = ROLES.find((role) => scopes.every((one) => SCOPES_OF_ROLES[role].includes(one)));
  return found ?? "owner";
}

/** The scopes of a role. */
export function listScopes(role: TokenRole): readonly Scope[] {
  return SCOPES_OF_ROLES[role];
}
