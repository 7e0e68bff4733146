/** What things in the registry are called by in forms. */
import type { RegistryChangeDeps } from "./change-types.ts";

/** Enough to tell things apart; nothing is guarded by it. */
const ID_CHARS = 12;

/** A new id, of letters, digits, `-` and `_`. */
export function newEntityId({ newSecret }: Pick<RegistryChangeDeps, "newSecret">): string {
  return newSecret().slice(0, ID_CHARS);
}
