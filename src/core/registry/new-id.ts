/** What things in the registry are called by in forms. */
import type { ChangeFacts } from "./change.ts";

/** Enough to tell things apart; nothing is guarded by it. */
const ID_CHARS = 12;

/** A new id, of letters, digits, `-` and `_`. */
export function newId({ mintSecret }: Pick<ChangeFacts, "mintSecret">): string {
  return mintSecret().slice(0, ID_CHARS);
}
