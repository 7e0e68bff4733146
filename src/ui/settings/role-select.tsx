/** The roles in words, and the field that chooses one. */
import { ROLES, type Role } from "../../core/accounts/registry.ts";

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads",
  member: "Member: also decides",
  owner: "Owner: also settings",
};

/** A role as a word at the beginning of a sentence. */
export function formatRole(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** The field `role`. `label` is seen, unless what it is about stands beside it: then it is for screen readers. */
export function RoleSelect({
  selected,
  label,
  isBrief = false,
  labels = ROLE_LABELS,
}: {
  readonly selected: Role;
  readonly label: string;
  /** The names of the roles alone, for a place without room. */
  readonly isBrief?: boolean;
  /** What each role means, where it means something else. */
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
