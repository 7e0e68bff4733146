/** Ids of registry entries in forms. */
import type { RegistryChangeDeps } from "./change-types.ts";

/** Enough to be unique; ids are not secrets. */
const ID_CHARS = 12;

/** A new id of letters, digits, `-` and `_`. */
export function newEntityId({ newSecret }: Pick<RegistryChangeDeps, "newSecret">): string {
  return newSecret().slice(0, ID_CHARS);
}
