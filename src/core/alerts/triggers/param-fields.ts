/**
 * Parameters of triggers: a number with the field of its form as metadata. The form of a rule draws
 * its inputs from `listInputs` and is parsed by `readParams`. Pure.
 */
import * as v from "valibot";
import { HOUR_MS, MINUTE_MS } from "../../utc-time.ts";
import type { Params } from "./trigger.ts";

interface ParamField {
  readonly label: string;
  /** The value in the form of a new rule. */
  readonly initial: number;
  readonly unit: "count" | "period" | "percent";
}

interface ParamLimits {
  readonly label: string;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  /** The sentence for a value outside these limits. */
  readonly problem: string;
}

/** A whole number. */
export function countParam({ label, initial, min, max, problem }: ParamLimits) {
  const field: ParamField = { label, initial, unit: "count" };
  return v.pipe(
    v.number(problem),
    v.integer(problem),
    v.minValue(min, problem),
    v.maxValue(max, problem),
    v.metadata({ field }),
  );
}

/** Whole minutes in ms. The form has a number and its unit. */
export function periodParam({ label, initial, min, max, problem }: ParamLimits) {
  const field: ParamField = { label, initial, unit: "period" };
  return v.pipe(
    v.number(problem),
    v.minValue(min, problem),
    v.maxValue(max, problem),
    v.check((ms) => ms % MINUTE_MS === 0, "The period must be a whole number of minutes."),
    v.metadata({ field }),
  );
}

/** A share above 0 and at most 1. The form has a percentage. */
export function shareParam({
  label,
  initial,
  problem,
}: Pick<ParamLimits, "label" | "initial" | "problem">) {
  const field: ParamField = { label, initial, unit: "percent" };
  return v.pipe(
    v.number(problem),
    v.check((share) => share > 0, problem),
    v.maxValue(1, problem),
    v.metadata({ field }),
  );
}

/** The units of a period, in ms. */
const PERIOD_UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["minutes", MINUTE_MS],
  ["hours", HOUR_MS],
];

/** A number input; of a period, followed by a choice of its unit. */
export interface ParamInput {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly step: number;
  readonly unit?: {
    readonly name: string;
    readonly value: string;
    readonly choices: readonly string[];
  };
}

/** The inputs of a trigger with these values, or with the initial ones. */
export function listInputs(
  kind: string,
  params: Params,
  values: Readonly<Record<string, unknown>> = {},
): readonly ParamInput[] {
  return listFields(kind, params).map(({ param, name, unitName, label, initial, unit }) => {
    const known = values[param];
    const value = typeof known === "number" && Number.isFinite(known) ? known : initial;
    if (unit === "count") return { name, label, value, step: 1 };
    if (unit === "percent") return { name, label, value: toHundredths(value * 100), step: 0.1 };
    const [within, chosen] = splitPeriod(value);
    const choices = PERIOD_UNITS.map(([one]) => one);
    return {
      name,
      label,
      value: toHundredths(within),
      step: 1,
      unit: { name: unitName, value: chosen, choices },
    };
  });
}

/** The parameters that a form has, to be decoded by their schema; NaN for anything but a number. */
export function readParams(
  kind: string,
  params: Params,
  getField: (name: string) => unknown,
): Readonly<Record<string, number>> {
  const entries = listFields(kind, params).map(({ param, name, unitName, unit }) => {
    const sent = getField(name);
    const value = typeof sent === "string" || typeof sent === "number" ? Number(sent) : Number.NaN;
    if (unit === "count") return [param, value] as const;
    if (unit === "percent") return [param, value / 100] as const;
    const [, unitMs] = PERIOD_UNITS.find(([one]) => one === getField(unitName)) ?? ["", HOUR_MS];
    return [param, value * unitMs] as const;
  });
  return Object.fromEntries(entries);
}

/** A period in hours if these are whole, otherwise in minutes. */
export function splitPeriod(ms: number): readonly [within: number, unit: "minutes" | "hours"] {
  return ms % HOUR_MS === 0 ? [ms / HOUR_MS, "hours"] : [Math.round(ms / MINUTE_MS), "minutes"];
}

/** The fields of a trigger: `occurrences.within` and its unit for the parameter `withinMs`. */
function listFields(kind: string, params: Params) {
  return Object.entries(params).map(([param, schema]) => {
    const field = v.getMetadata(schema as v.GenericSchema).field as ParamField;
    const name = field.unit === "percent" ? "percent" : param.replace(/Ms$/, "");
    return { ...field, param, name: `${kind}.${name}`, unitName: `${kind}.unit` };
  });
}

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
