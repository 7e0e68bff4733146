/** Parses a change of one's own profile: `do` names it, with at most one other field. */

import type { ProfileChange } from "../../../core/accounts/profile-changes.ts";
import { limits } from "../../../core/limits.ts";
import { parseName } from "../../../core/plain-text.ts";
import { ok } from "../../../core/result.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";

/** Parses the change; `current` is the id of the current session, which `end-sessions` keeps. */
export function parseProfileForm(
  fields: FormFields,
  current: string | undefined,
): Parsed<ProfileChange> {
  const { do: action, ...unexpected } = Object.fromEntries(fields);
  const [[field, value] = [], ...more] = Object.entries(unexpected);
  if (more.length > 0) return expected("do and at most one other field");
  const isText = typeof value === "string";
  switch (action) {
    case "rename-person": {
      const name = field === "name" ? parseName(value, limits.maxPersonNameChars) : undefined;
      return name === undefined ? expected("a name") : ok({ do: action, name });
    }
    case "remove-passkey":
      return field === "passkey" && isText
        ? ok({ do: action, passkey: value })
        : expected("a passkey");
    case "end-session":
      return field === "session" && isText
        ? ok({ do: action, session: value })
        : expected("a session");
    case "new-recovery-codes":
      return field === undefined ? ok({ do: action }) : expected("no field except do");
    case "end-sessions":
      return field === undefined
        ? ok({ do: action, except: current })
        : expected("no field except do");
    default:
      return expected(
        "do: rename-person, remove-passkey, new-recovery-codes, end-session or end-sessions",
      );
  }
}
