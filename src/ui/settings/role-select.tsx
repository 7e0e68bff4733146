/** The names of the roles, and a select for them. */
import { ROLES, type Role, TOKEN_ROLES, type TokenRole } from "../../core/accounts/registry.ts";

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: read",
  member: "Member: read and triage",
  owner: "Owner: everything",
};

/** No token can change settings. */
const TOKEN_LABELS: Readonly<Record<TokenRole, string>> = {
  viewer: "Viewer: read",
  member: "Member: read, triage and upload source maps",
  owner: "Owner: also settings, export and erase",
  uploader: "Upload only: source maps and releases",
};

/** The capitalized name of a role. */
export function formatRole(role: TokenRole): string {
  if (role === "uploader") return "Upload only";
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** The select `role` of members. With `isBrief` only screen readers get the label. */
export function RoleSelect({
  selected,
  label,
  isBrief = false,
}: {
  readonly selected: Role;
  readonly label: string;
  /** Shows only the names of the roles. */
  readonly isBrief?: boolean;
}) {
  return (
    <label>
      <span className={isBrief ? "visually-hidden" : undefined}>{label}</span>
      <select name="role" defaultValue={selected}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {isBrief ? formatRole(role) : ROLE_LABELS[role]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The select `role` of API tokens. */
export function TokenRoleSelect() {
  return (
    <label>
      <span>Role</span>
      <select name="role" defaultValue="viewer">
        {TOKEN_ROLES.map((role) => (
          <option key={role} value={role}>
            {TOKEN_LABELS[role]}
          </option>
        ))}
      </select>
    </label>
  );
}
