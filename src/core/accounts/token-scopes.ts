/** What the role of a token or a person permits, in the words of programs. */
import type { TokenRole } from "./registry.ts";

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

/** The scopes of a role. */
export function listScopes(role: TokenRole): readonly Scope[] {
  return SCOPES_OF_ROLES[role];
}
