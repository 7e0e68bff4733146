/**
 * What an owner asks to be changed, as a form or as JSON sends it: `do` names it, and only the fields that belong to it are looked at;
 * any other is refused.
 */
import { limits } from "../core/limits.ts";
import type { SettingsChange } from "../core/registry/change.ts";
import type { KeyTerms } from "../core/registry/key-changes.ts";
import { readOrigin } from "../core/registry/keyring.ts";
import { KEY_RATES, ROLES, type Role } from "../core/registry/registry.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { SettingsFailure } from "./failures.ts";
import { nameIn } from "./field-values.ts";
import type { Fields } from "./fields.ts";

type Asked<T = SettingsChange> = Result<T, SettingsFailure>;

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 24 * 90;
const MAX_TOKEN_DAYS = 3_650;

/** Which fields each change has. */
const FIELDS: Readonly<Record<SettingsChange["do"], readonly string[]>> = {
  "rename-project": ["name"],
  "archive-project": [],
  "reopen-project": [],
  "delete-project": ["typed"],
  "add-key": ["name", "origins", "rate"],
  "change-key": ["key", "name", "origins", "rate"],
  "rotate-key": ["key", "hours"],
  "revoke-key": ["key"],
  invite: ["role"],
  "withdraw-invitation": ["invitation"],
  "set-role": ["person", "role"],
  "remove-member": ["person"],
  "add-token": ["name", "role", "days"],
  "revoke-token": ["token"],
};

/** The change of `project` that fields ask for. */
export function settingsChangeOf(fields: Fields, project: string): Asked {
  const asked = fields.get("do");
  if (typeof asked !== "string" || !Object.hasOwn(FIELDS, asked))
    return bad(`do to be one of ${Object.keys(FIELDS).join(", ")}`);
  const deed = asked as SettingsChange["do"];
  const others = [...fields.keys()].filter((name) => name !== "do" && !FIELDS[deed].includes(name));
  if (others.length > 0)
    return bad(`nothing beside do${FIELDS[deed].map((name) => `, ${name}`).join("")}`);
  switch (deed) {
    case "archive-project":
    case "reopen-project":
      return ok({ do: deed, project });
    case "rename-project": {
      const name = nameIn(fields.get("name"), limits.maxProjectNameChars);
      return name === undefined ? bad(A_NAME) : ok({ do: deed, project, name });
    }
    case "delete-project":
      return named(fields, "typed", (typed) => ({ do: deed, project, typed }));
    case "add-key": {
      const terms = termsOf(fields);
      return terms.ok ? ok({ do: deed, project, ...terms.value }) : terms;
    }
    case "change-key": {
      const terms = termsOf(fields);
      if (!terms.ok) return terms;
      return named(fields, "key", (key) => ({ do: deed, project, key, ...terms.value }));
    }
    case "rotate-key": {
      const hours = wholeIn(fields.get("hours") ?? 24, 0, MAX_OVERLAP_HOURS);
      if (hours === undefined) return bad(`hours, a whole number from 0 to ${MAX_OVERLAP_HOURS}`);
      return named(fields, "key", (key) => ({
        do: deed,
        project,
        key,
        overlapMs: hours * HOUR_MS,
      }));
    }
    case "revoke-key":
      return named(fields, "key", (key) => ({ do: deed, project, key }));
    case "invite":
      return roled(fields, (role) => ok({ do: deed, project, role }));
    case "withdraw-invitation":
      return named(fields, "invitation", (invitation) => ({ do: deed, project, invitation }));
    case "set-role":
      return roled(fields, (role) =>
        named(fields, "person", (person) => ({ do: deed, project, person, role })),
      );
    case "remove-member":
      return named(fields, "person", (person) => ({ do: deed, project, person }));
    case "add-token":
      return tokenOf(fields, project);
    case "revoke-token":
      return named(fields, "token", (token) => ({ do: deed, project, token }));
  }
}

const A_NAME = `a name of at most ${limits.maxProjectNameChars} characters, no control characters`;

function tokenOf(fields: Fields, project: string): Asked {
  const name = nameIn(fields.get("name"), limits.maxProjectNameChars);
  if (name === undefined) return bad(A_NAME);
  const asked = fields.get("days");
  const days = asked === undefined ? undefined : wholeIn(asked, 1, MAX_TOKEN_DAYS);
  if (asked !== undefined && days === undefined)
    return bad(`days, a whole number from 1 to ${MAX_TOKEN_DAYS}`);
  const lastsMs = days === undefined ? undefined : days * 24 * HOUR_MS;
  return roled(fields, (role) => ok({ do: "add-token", project, name, role, lastsMs }));
}

function termsOf(fields: Fields): Asked<KeyTerms> {
  const name = nameIn(fields.get("name"), limits.maxProjectNameChars);
  if (name === undefined) return bad(A_NAME);
  const origins = originsIn(fields.get("origins"));
  if (origins === undefined)
    return bad(
      `at most ${limits.maxOriginsPerKey} origins, as https://shop.example or https://*.shop.example`,
    );
  const rate = fields.get("rate");
  const perMinute = KEY_RATES.find((one) => String(one) === String(rate));
  if (rate !== undefined && perMinute === undefined)
    return bad(`a rate of ${KEY_RATES.join(", ")} a minute, or none`);
  return ok({ name, origins, perMinute });
}

/** Origins with white space or commas between them, or as a list. */
function originsIn(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value : String(value ?? "").split(/[\s,]+/);
  const origins = texts
    .filter((text) => text !== "")
    .map((text) => (typeof text === "string" ? readOrigin(text) : null));
  const isGood = origins.every((origin) => origin !== null);
  return isGood && origins.length <= limits.maxOriginsPerKey ? [...new Set(origins)] : undefined;
}

function named<T extends SettingsChange>(
  fields: Fields,
  name: string,
  made: (value: string) => T,
): Asked<T> {
  const value = fields.get(name);
  return typeof value === "string" && value.length <= limits.maxCredentialChars
    ? ok(made(value))
    : bad(`the field ${name}`);
}

function roled(fields: Fields, made: (role: Role) => Asked): Asked {
  const role = ROLES.find((one) => one === fields.get("role"));
  return role === undefined ? bad(`a role: ${ROLES.join(", ")}`) : made(role);
}

function wholeIn(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  const isWhole = typeof number === "number" && Number.isSafeInteger(number);
  return isWhole && number >= min && number <= max ? number : undefined;
}

function bad(expected: string): Result<never, SettingsFailure> {
  return fail({ reason: "bad-settings", expected });
}
