/** A person as a disc of 20 px with initials. The name is its title and its text. */
import { toAvatarTint, toInitials } from "../../core/accounts/initials.ts";

interface AvatarProps {
  readonly name: string;
  /** `large` is 28 px. */
  readonly size?: "large";
  /** True beside the written name, which a screen reader must not read twice. */
  readonly isDecorative?: boolean;
}

export function Avatar({ name, size, isDecorative = false }: AvatarProps) {
  const label = isDecorative ? { "aria-hidden": true } : { role: "img", "aria-label": name };
  return (
    <span
      className="avatar"
      data-size={size}
      data-tint={toAvatarTint(name)}
      title={isDecorative ? undefined : name}
      {...label}
    >
      {toInitials(name)}
    </span>
  );
}
