/** The names of the roles, and a select for them. */
import { ROLES, type Role } from "../../core/accounts/registry.ts";

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: read",
  member: "Member: read and triage",
  owner: "Owner: everything",
};

/** The capitalized name of a role. */
export function formatRole(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** The select `role`. With `isBrief` only screen readers get the label. */
export function RoleSelect({
  selected,
  label,
  isBrief = false,
  labels = ROLE_LABELS,
}: {
  readonly selected: Role;
  readonly label: string;
  /** Shows only the names of the roles. */
  readonly isBrief?: boolean;
  /** The texts of the options, if not the default ones. */
  readonly labels?: Readonly<Record<Role, string>>;
}) {
  return (
    <label>
      <span className={isBrief ? "visually-hidden" : undefined}>{label}</span>
      <select name="role" defaultValue={selected}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {isBrief ? formatRole(role) : labels[role]}
          </option>
        ))}
      </select>
    </label>
  );
}
