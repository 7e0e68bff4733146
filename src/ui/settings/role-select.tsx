/** The roles in words, and the field that chooses one. */
import { ROLES, type Role } from "../../core/registry/registry.ts";

const SAYS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads",
  member: "Member: also decides",
  owner: "Owner: also settings",
};

/** A role as a word at the beginning of a sentence. */
export function roleWord(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** The field `role`. `label` is seen, unless what it is about stands beside it: then it is for screen readers. */
export function RoleSelect({
  chosen,
  label,
  isPlain = false,
  words = SAYS,
}: {
  readonly chosen: Role;
  readonly label: string;
  /** The names of the roles alone, for a place without room. */
  readonly isPlain?: boolean;
  /** What each role means, where it means something else. */
  readonly words?: Readonly<Record<Role, string>>;
}) {
  return (
    <label>
      <span className={isPlain ? "unseen" : undefined}>{label}</span>
      <select name="role" defaultValue={chosen}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {isPlain ? roleWord(role) : words[role]}
          </option>
        ))}
      </select>
    </label>
  );
}
