/** What somebody asks to be changed of himself, as a form or as JSON sends it: `do` names it, with at most one field beside it. */
import { limits } from "../core/limits.ts";
import type { OwnChange } from "../core/registry/own-changes.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { SettingsFailure } from "./failures.ts";
import { nameIn } from "./field-values.ts";
import type { Fields } from "./fields.ts";

/** The change; `current` is the id of the session that asks, which `end-sessions` leaves. */
export function ownChangeOf(
  fields: Fields,
  current: string | undefined,
): Result<OwnChange, SettingsFailure> {
  const { do: deed, ...others } = Object.fromEntries(fields);
  const [[field, value] = [], ...more] = Object.entries(others);
  if (more.length > 0) return bad("do, and at most one field beside it");
  const isText = typeof value === "string";
  switch (deed) {
    case "rename-me": {
      const name = field === "name" ? nameIn(value, limits.maxPersonNameChars) : undefined;
      return name === undefined ? bad("a name") : ok({ do: deed, name });
    }
    case "remove-passkey":
      return field === "passkey" && isText ? ok({ do: deed, passkey: value }) : bad("a passkey");
    case "end-session":
      return field === "session" && isText ? ok({ do: deed, session: value }) : bad("a session");
    case "new-recovery-codes":
      return field === undefined ? ok({ do: deed }) : bad("nothing beside do");
    case "end-sessions":
      return field === undefined ? ok({ do: deed, except: current }) : bad("nothing beside do");
    default:
      return bad("do: rename-me, remove-passkey, new-recovery-codes, end-session or end-sessions");
  }
}

function bad(expected: string): Result<never, SettingsFailure> {
  return fail({ reason: "bad-settings", expected });
}
