/** Parses the forms of alerts. Each form has only its own fields. */

import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import {
  DESTINATION_FORMS,
  type DestinationSettings,
} from "../../../core/alerts/destinations/destinations.ts";
import {
  isSummaryChoice,
  SUMMARY_PERIODS,
  type SummaryChoice,
} from "../../../core/alerts/periods/summary-period.ts";
import { readTriggerFields } from "../../../core/alerts/triggers/triggers.ts";
import { parseName } from "../../../core/plain-text.ts";
import { isReportId } from "../../../core/report/report-id.ts";
import { ok } from "../../../core/result.ts";
import { type InboxTab, parseInboxTab } from "../../../ui/urls/alert-urls.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { isTrueValue } from "../../forms/validators.ts";

const EXPECTED_NAME = `a name of at most ${alertLimits.maxNameChars} characters`;

/** A change of the rules. */
export type RuleChange =
  | {
      /** `check` only tries the query of the rule. */
      readonly do: "save" | "check";
      /** To be decoded by `decodeRule`. */
      readonly rule: Readonly<Record<string, unknown>>;
      /** Completes "Expected …." if the name is invalid; absent otherwise. */
      readonly expected?: string;
    }
  | { readonly do: "delete"; readonly id: string };

/**
 * Parses a change of the rules. `newId` is the id of a new one. The rule of an invalid name is
 * returned too, so that the form can be shown again with its fields.
 */
export function parseRuleForm(fields: FormFields, newId: string): Parsed<RuleChange> {
  const id = parseId(fields.get("id"));
  const action = fields.get("do");
  switch (action) {
    case "delete":
      return id === undefined ? expected("the id of a rule") : ok({ do: "delete", id });
    case "check":
    case "save": {
      const name = parseName(fields.get("name"), alertLimits.maxNameChars);
      const minTrust = fields.get("minTrust");
      const rule = {
        id: id ?? newId,
        name: name ?? fields.get("name"),
        enabled: isTrueValue(fields.get("enabled")),
        triggers: listChecked(fields, "on.").map((kind) =>
          readTriggerFields(kind, (name) => fields.get(name)),
        ),
        query: fields.get("query") ?? "",
        destinations: listChecked(fields, "to."),
        coolDownMs: toNumber(fields.get("coolDownMs")),
        minTrust,
        ...(isTrueValue(fields.get("hours")) && { workingHours: parseWorkingHours(fields) }),
      };
      return ok({ do: action, rule, ...(name === undefined && { expected: EXPECTED_NAME }) });
    }
    default:
      return expected("do to be save, check or delete");
  }
}

function parseWorkingHours(fields: FormFields) {
  const to = parseMinutes(fields.get("to"));
  return {
    days: listChecked(fields, "day.").map(Number),
    from: parseMinutes(fields.get("from")),
    // Midnight at the end of the day.
    to: to === 0 ? 1_440 : to,
    timeZone: fields.get("timeZone"),
  };
}

/** A change of the destinations of a project. */
export type DestinationForm =
  | {
      readonly do: "save";
      /** Absent for a new one. */
      readonly id?: string;
      readonly name: string;
      readonly kind: string;
      readonly settings: Readonly<Record<string, string>>;
    }
  | { readonly do: "delete" | "enable" | "rotate"; readonly id: string }
  | SummaryForm
  | RestoreForm;

/** Parses a change of the destinations. */
export function parseDestinationForm(fields: FormFields): Parsed<DestinationForm> {
  const id = parseId(fields.get("id"));
  const action = fields.get("do");
  switch (action) {
    case "restore":
      return parseRestoreForm(fields);
    case "delete":
    case "enable":
    case "rotate":
      return id === undefined ? expected("the id of a destination") : ok({ do: action, id });
    case "summary":
      return parseSummaryForm(fields);
    case "save": {
      const name = parseName(fields.get("name"), alertLimits.maxNameChars);
      if (name === undefined) return expected(EXPECTED_NAME);
      const form = DESTINATION_FORMS.find(({ kind }) => kind === fields.get("kind"));
      if (form === undefined) return expected("the kind of a destination with its fields");
      const settings = form.fields.map((one) => [one.name, toText(fields.get(one.name))]);
      return ok({ do: "save", name, kind: form.kind, settings: Object.fromEntries(settings), id });
    }
    default:
      return expected("do to be save, delete, restore, enable, summary or rotate");
  }
}

/** Takes `id` and `every`: `never`, `day` or `week`. */
function parseSummaryForm(fields: FormFields): Parsed<SummaryForm> {
  const id = parseId(fields.get("id"));
  const every = fields.get("every");
  if (id === undefined) return expected("the id of a destination");
  if (isSummaryChoice(every)) return ok({ do: "summary", id, every });
  const periods = Object.keys(SUMMARY_PERIODS).join(" or ");
  return expected(`the field every to be never, ${periods}`);
}

/** Sets how often a destination gets a summary. */
interface SummaryForm {
  readonly do: "summary";
  readonly id: string;
  readonly every: SummaryChoice;
}

/** Takes `undo`, the id of a deletion. */
function parseRestoreForm(fields: FormFields): Parsed<RestoreForm> {
  const undoId = fields.get("undo");
  return isReportId(undoId)
    ? ok({ do: "restore", undoId })
    : expected("the id of a deletion in the field undo");
}

/** Undoes the deletion of a destination. */
interface RestoreForm {
  readonly do: "restore";
  readonly undoId: string;
}

/** A change of a person's alerts. `preferences` are to be decoded by `decodePreferences`. */
type PreferencesForm =
  | { readonly do: "save"; readonly preferences: Readonly<Record<string, unknown>> }
  | { readonly do: "add"; readonly name: string; readonly settings: DestinationSettings }
  | { readonly do: "delete" | "enable"; readonly id: string }
  | SummaryForm
  | RestoreForm;

/** Parses a change of a person's alerts. */
export function parsePreferencesForm(fields: FormFields): Parsed<PreferencesForm> {
  const text = (name: string) => toText(fields.get(name));
  const action = fields.get("do");
  switch (action) {
    case "save":
      return ok({
        do: "save",
        preferences: {
          destinations: listChecked(fields, "to."),
          onlyAssigned: isTrueValue(fields.get("onlyAssigned")),
          ...(isTrueValue(fields.get("quiet")) && {
            quietHours: {
              from: parseMinutes(fields.get("from")),
              to: parseMinutes(fields.get("to")),
              timeZone: fields.get("timeZone"),
            },
          }),
        },
      });
    case "add-email": {
      const to = text("to");
      return ok({ do: "add", name: to, settings: { kind: "email", to: [to] } });
    }
    case "add-push": {
      const name = parseName(fields.get("name"), alertLimits.maxNameChars) ?? "Browser";
      const [endpoint, p256dh, auth] = [text("endpoint"), text("p256dh"), text("auth")];
      return ok({ do: "add", name, settings: { kind: "push", endpoint, p256dh, auth } });
    }
    case "delete":
    case "enable": {
      const id = parseId(fields.get("id"));
      return id === undefined ? expected("the id of a destination") : ok({ do: action, id });
    }
    case "summary":
      return parseSummaryForm(fields);
    case "restore":
      return parseRestoreForm(fields);
    default:
      return expected("do to be save, add-email, add-push, delete, restore, enable or summary");
  }
}

/** The message, or the destination whose messages wait, that a form sends. */
export function parseAgainForm(
  fields: FormFields,
): Parsed<{ readonly message?: string; readonly destination: string }> {
  const destination = parseTextField(fields, "destination");
  if (destination.ok) return ok({ destination: destination.value });
  const message = parseTextField(fields, "message");
  return message.ok ? ok({ message: message.value, destination: "" }) : message;
}

export function parseTextField(fields: FormFields, name: string): Parsed<string> {
  const text = fields.get(name);
  return typeof text === "string" && text.length <= 200 ? ok(text) : expected(`the field ${name}`);
}

/** What a person has read: the input of `inbox.markRead`, and the tab to return to. */
export function parseReadForm(fields: FormFields): Parsed<{
  readonly tab?: InboxTab | undefined;
  readonly notice?: string | undefined;
  readonly noticesUpTo?: string | undefined;
  readonly alertsUpTo?: string | undefined;
}> {
  const tab = fields.get("tab");
  return ok({
    tab: typeof tab === "string" ? parseInboxTab(tab) : undefined,
    notice: parseId(fields.get("notice")),
    noticesUpTo: parseId(fields.get("noticesUpTo")),
    alertsUpTo: parseId(fields.get("upTo")),
  });
}

/** The names after `prefix` of the checked boxes. */
function listChecked(fields: FormFields, prefix: string): readonly string[] {
  return [...fields]
    .filter(([name, value]) => name.startsWith(prefix) && isTrueValue(value))
    .map(([name]) => name.slice(prefix.length));
}

function parseId(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

/** Empty for anything but text, and for a text that is too long. */
function toText(value: unknown): string {
  const isShort = typeof value === "string" && value.length <= alertLimits.maxTargetChars;
  return isShort ? value.trim() : "";
}

/** NaN for anything but a number. */
function toNumber(value: unknown): number {
  return typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
}

/** Minutes after midnight of `09:30`; NaN for any other text. */
function parseMinutes(value: unknown): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(toText(value)) ?? [];
  return Number(hours) * 60 + Number(minutes);
}
