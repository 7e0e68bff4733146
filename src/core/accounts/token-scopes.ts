/** What the role of a token or a person permits, in the words of programs. */
import type { Role, TokenRole } from "./registry.ts";

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

/** What a program is allowed: a role, and whether it may upload, which is apart from triage. */
export interface Access {
  readonly role: Role;
  /** Absent: as the role permits. */
  readonly mayUpload?: boolean | undefined;
}

/** The scopes of a role, with or without that of uploads if `mayUpload` says so. */
export function listScopes(role: TokenRole, mayUpload?: boolean): readonly Scope[] {
  const own = SCOPES_OF_ROLES[role];
  const isUpload = (scope: Scope) => scope === "upload" && mayUpload !== undefined;
  return SCOPES.filter((scope) => (isUpload(scope) ? mayUpload : own.includes(scope)));
}

/** What the scopes of a request need; reading without any. Null if one is unknown. */
export function parseScopes(text = ""): Required<Access> | null {
  const names = text.split(" ").filter((name) => name !== "");
  if (!names.every((name) => SCOPES.some((one) => one === name))) return null;
  const has = (scope: Scope) => names.includes(scope);
  const role = has("admin") ? "owner" : has("triage") ? "member" : "viewer";
  return { role, mayUpload: has("upload") || has("admin") };
}

/** What a person who chooses `role` grants of a request. */
export function limitAccess(requested: Access, role: Role): Access {
  const { mayUpload = mayRoleUpload(requested.role) } = requested;
  // With a request only to read and upload, nothing less can be chosen.
  return { role, mayUpload: mayUpload && (mayRoleUpload(role) || role === requested.role) };
}

/** True if people with this role may upload, and programs of which nothing else is said. */
export function mayRoleUpload(role: Role): boolean {
  return SCOPES_OF_ROLES[role].includes("upload");
}
