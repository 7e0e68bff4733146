/** What somebody asks to be changed of himself, as a form or as JSON sends it: `do` names it, with at most one field beside it. */

import type { ProfileChange } from "../../../core/accounts/profile-changes.ts";
import { limits } from "../../../core/limits.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { SettingsFailure } from "../../failures.ts";
import type { FormFields } from "../../forms/form-body.ts";
import { parseName } from "../../forms/validators.ts";

/** The change; `current` is the id of the session that asks, which `end-sessions` leaves. */
export function parseProfileForm(
  fields: FormFields,
  current: string | undefined,
): Result<ProfileChange, SettingsFailure> {
  const { do: action, ...unexpected } = Object.fromEntries(fields);
  const [[field, value] = [], ...more] = Object.entries(unexpected);
  if (more.length > 0) return failWith("do, and at most one field beside it");
  const isText = typeof value === "string";
  switch (action) {
    case "rename-person": {
      const name = field === "name" ? parseName(value, limits.maxPersonNameChars) : undefined;
      return name === undefined ? failWith("a name") : ok({ do: action, name });
    }
    case "remove-passkey":
      return field === "passkey" && isText
        ? ok({ do: action, passkey: value })
        : failWith("a passkey");
    case "end-session":
      return field === "session" && isText
        ? ok({ do: action, session: value })
        : failWith("a session");
    case "new-recovery-codes":
      return field === undefined ? ok({ do: action }) : failWith("nothing beside do");
    case "end-sessions":
      return field === undefined
        ? ok({ do: action, except: current })
        : failWith("nothing beside do");
    default:
      return failWith(
        "do: rename-person, remove-passkey, new-recovery-codes, end-session or end-sessions",
      );
  }
}

function failWith(expected: string): Result<never, SettingsFailure> {
  return fail({ reason: "bad-settings", expected });
}
