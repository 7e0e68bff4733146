/** Parses a change of a project's settings: `do` names it, and only its own fields are allowed. */

import type { SettingsChange } from "../../../core/accounts/apply-change.ts";
import { parseOrigin } from "../../../core/accounts/ingest-keys.ts";
import type { KeyOptions } from "../../../core/accounts/key-changes.ts";
import { KEY_RATES, ROLES, type Role, TOKEN_ROLES } from "../../../core/accounts/registry.ts";
import { limits } from "../../../core/limits.ts";
import { SWITCHABLE_NOISE_RULES } from "../../../core/noise/noise-rules.ts";
import { parseName } from "../../../core/plain-text.ts";
import { ok } from "../../../core/result.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { toSentText } from "../../forms/validators.ts";

const MAX_OVERLAP_HOURS = 24 * 90;
const MAX_TOKEN_DAYS = 3_650;

const FIELDS_BY_ACTION: Readonly<Record<SettingsChange["do"], readonly string[]>> = {
  "rename-project": ["name"],
  "archive-project": [],
  "reopen-project": [],
  "set-keyless": ["keyless", "origins"],
  "set-noise-rules": SWITCHABLE_NOISE_RULES,
  "delete-project": ["confirm"],
  "add-key": ["kind", "name", "origins", "perMinute"],
  "change-key": ["key", "name", "origins", "perMinute"],
  "rotate-key": ["key", "overlapHours"],
  "revoke-key": ["key"],
  "pause-key": ["key"],
  "resume-key": ["key"],
  invite: ["role"],
  "withdraw-invitation": ["invitation"],
  "set-role": ["person", "role"],
  "remove-member": ["person"],
  "add-token": ["name", "role", "expiresInDays"],
  "revoke-token": ["token"],
  restore: ["undo"],
};

/** Parses a change of `project`. `origin` is that of the request, for tokens that name it. */
export function parseSettingsForm(
  fields: FormFields,
  project: string,
  origin: string,
): Parsed<SettingsChange> {
  const word = fields.get("do");
  if (typeof word !== "string" || !Object.hasOwn(FIELDS_BY_ACTION, word))
    return expected(`do to be one of ${Object.keys(FIELDS_BY_ACTION).join(", ")}`);
  const action = word as SettingsChange["do"];
  const unexpected = [...fields.keys()].filter(
    (name) => name !== "do" && !FIELDS_BY_ACTION[action].includes(name),
  );
  if (unexpected.length > 0)
    return expected(
      `no fields except do${FIELDS_BY_ACTION[action].map((name) => `, ${name}`).join("")}`,
    );
  switch (action) {
    case "archive-project":
    case "reopen-project":
      return ok({ do: action, project });
    case "rename-project": {
      const name = parseName(fields.get("name"), limits.maxProjectNameChars);
      return name === undefined ? expected(EXPECTED_NAME) : ok({ do: action, project, name });
    }
    case "delete-project":
      return withField(fields, "confirm", (typed) => ({
        do: action,
        project,
        confirmation: typed,
      }));
    case "set-keyless":
      return parseKeylessFields(fields, project);
    case "set-noise-rules":
      return parseNoiseFields(fields, project);
    case "add-key": {
      const keyFields = parseKeyFields(fields);
      if (!keyFields.ok) return keyFields;
      const kind = KEY_KINDS.find((one) => one === (fields.get("kind") ?? "public"));
      if (kind === undefined) return expected(`a kind: ${KEY_KINDS.join(", ")}`);
      return kind === "server" && keyFields.value.origins.length > 0
        ? expected("no origins for a server key: servers send none")
        : ok({ do: action, project, kind, ...keyFields.value });
    }
    case "change-key": {
      const keyFields = parseKeyFields(fields);
      if (!keyFields.ok) return keyFields;
      return withField(fields, "key", (key) => ({ do: action, project, key, ...keyFields.value }));
    }
    case "rotate-key": {
      const hours = parseInteger(fields.get("overlapHours") ?? 24, 0, MAX_OVERLAP_HOURS);
      if (hours === undefined)
        return expected(`overlapHours, a whole number from 0 to ${MAX_OVERLAP_HOURS}`);
      return withField(fields, "key", (key) => ({
        do: action,
        project,
        key,
        overlapMs: hours * HOUR_MS,
      }));
    }
    case "revoke-key":
    case "pause-key":
    case "resume-key":
      return withField(fields, "key", (key) => ({ do: action, project, key }));
    case "invite":
      return withRole(fields, (role) => ok({ do: action, project, role }));
    case "withdraw-invitation":
      return withField(fields, "invitation", (invitation) => ({ do: action, project, invitation }));
    case "set-role":
      return withRole(fields, (role) =>
        withField(fields, "person", (person) => ({ do: action, project, person, role })),
      );
    case "remove-member":
      return withField(fields, "person", (person) => ({ do: action, project, person }));
    case "add-token":
      return parseTokenFields(fields, project, origin);
    case "revoke-token":
      return withField(fields, "token", (token) => ({ do: action, project, token }));
    case "restore":
      return withField(fields, "undo", (undoId) => ({ do: action, project, undoId }));
  }
}

const EXPECTED_ORIGINS = `at most ${limits.maxOriginsPerKey} origins, as https://shop.example or https://*.shop.example`;
const KEY_KINDS = ["public", "server"] as const;
const EXPECTED_NAME = `a name of at most ${limits.maxProjectNameChars} characters, without control characters`;

function parseTokenFields(
  fields: FormFields,
  project: string,
  origin: string,
): Parsed<SettingsChange> {
  const name = parseName(fields.get("name"), limits.maxProjectNameChars);
  if (name === undefined) return expected(EXPECTED_NAME);
  const value = fields.get("expiresInDays");
  const days = value === undefined ? undefined : parseInteger(value, 1, MAX_TOKEN_DAYS);
  if (value !== undefined && days === undefined)
    return expected(`expiresInDays, a whole number from 1 to ${MAX_TOKEN_DAYS}`);
  const lifetimeMs = days === undefined ? undefined : days * 24 * HOUR_MS;
  const role = TOKEN_ROLES.find((one) => one === fields.get("role"));
  if (role === undefined) return expected(`a role: ${TOKEN_ROLES.join(", ")}`);
  const named = role === "uploader" ? { origin } : {};
  return ok({ do: "add-token", project, name, role, lifetimeMs, ...named });
}

function parseKeyFields(fields: FormFields): Parsed<KeyOptions> {
  const name = parseName(fields.get("name"), limits.maxProjectNameChars);
  if (name === undefined) return expected(EXPECTED_NAME);
  const origins = parseOrigins(fields.get("origins"));
  if (origins === undefined) return expected(EXPECTED_ORIGINS);
  const rate = fields.get("perMinute");
  const perMinute = KEY_RATES.find((one) => String(one) === toSentText(rate));
  if (rate !== undefined && perMinute === undefined)
    return expected(`perMinute, one of ${KEY_RATES.join(", ")}, or none`);
  return ok({ name, origins, perMinute });
}

/** Without the mode `origins`, ignores the field of this name, which the form always contains. */
function parseKeylessFields(fields: FormFields, project: string): Parsed<SettingsChange> {
  const change = { do: "set-keyless", project } as const;
  switch (fields.get("keyless")) {
    case "accept":
      return ok({ ...change, origins: null });
    case "require":
      return ok({ ...change, origins: [] });
    case "origins": {
      const origins = parseOrigins(fields.get("origins"));
      if (origins === undefined || origins.length === 0) return expected(EXPECTED_ORIGINS);
      return ok({ ...change, origins });
    }
    default:
      return expected("keyless to be accept, origins or require");
  }
}

/** A form sends only the boxes that are checked. */
function parseNoiseFields(fields: FormFields, project: string): Parsed<SettingsChange> {
  const isOn = (rule: string) => fields.get(rule) === "on" || fields.get(rule) === true;
  const unclear = SWITCHABLE_NOISE_RULES.find((rule) => fields.has(rule) && !isOn(rule));
  if (unclear !== undefined) return expected(`${unclear} to be on or absent`);
  const disabledRules = SWITCHABLE_NOISE_RULES.filter((rule) => !isOn(rule));
  return ok({ do: "set-noise-rules", project, disabledRules });
}

/** Origins separated by white space or commas, or as a list. */
function parseOrigins(value: unknown): readonly string[] | undefined {
  const texts: unknown = typeof value === "string" ? value.split(/[\s,]+/) : (value ?? []);
  if (!Array.isArray(texts)) return undefined;
  const origins = texts
    .filter((text) => text !== "")
    .map((text) => (typeof text === "string" ? parseOrigin(text) : null));
  const isGood = origins.every((origin) => origin !== null);
  return isGood && origins.length <= limits.maxOriginsPerKey ? [...new Set(origins)] : undefined;
}

function withField<T extends SettingsChange>(
  fields: FormFields,
  name: string,
  create: (value: string) => T,
): Parsed<T> {
  const value = fields.get(name);
  return typeof value === "string" && value.length <= limits.maxCredentialChars
    ? ok(create(value))
    : expected(`the field ${name}`);
}

function withRole(
  fields: FormFields,
  create: (role: Role) => Parsed<SettingsChange>,
): Parsed<SettingsChange> {
  const role = ROLES.find((one) => one === fields.get("role"));
  return role === undefined ? expected(`a role: ${ROLES.join(", ")}`) : create(role);
}

function parseInteger(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  const isWhole = typeof number === "number" && Number.isSafeInteger(number);
  return isWhole && number >= min && number <= max ? number : undefined;
}
