/**
 * The kinds of alerts. Rules, their form, judging, texts, webhook events and the checks of projects
 * derive from this table: to add a trigger, write its file and name it here. Pure.
 */
import * as v from "valibot";
import { variant } from "../../schema/stored-object.ts";
import { budget } from "./budget.ts";
import { crashFree } from "./crash-free.ts";
import { escalating } from "./escalating.ts";
import { ingestion } from "./ingestion.ts";
import { newInRelease } from "./new-in-release.ts";
import { cspViolation, newIssue } from "./new-issue.ts";
import { occurrences } from "./occurrences.ts";
import {
  assignedToYou,
  delivery,
  flood,
  handOff,
  mentionedYou,
  morePublic,
  resolved,
} from "./own-alerts.ts";
import { listInputs, type ParamInput, readParams } from "./param-fields.ts";
import { regressed, returned } from "./regressed.ts";
import { sourceMaps } from "./source-maps.ts";
import type {
  Figures,
  IssueTrigger,
  Params,
  ParamValues,
  ProjectTrigger,
  TriggerTexts,
} from "./trigger.ts";
import { userFeedback } from "./user-feedback.ts";
import { users } from "./users.ts";

/** Those that rules can choose are in the order of the form. */
export const TRIGGERS = [
  newIssue,
  regressed,
  escalating,
  occurrences,
  users,
  newInRelease,
  crashFree,
  cspViolation,
  userFeedback,
  ingestion,
  sourceMaps,
  budget,
  delivery,
  returned,
  flood,
  morePublic,
  resolved,
  handOff,
  assignedToYou,
  mentionedYou,
] as const;

type Entry = (typeof TRIGGERS)[number];
type ChosenEntry = Extract<Entry, { readonly params: Params }>;

/** The subject of an alert. */
export type AlertTriggerKind = Entry["kind"];

/** The condition of a rule that makes an alert due: a kind with its parameters. */
export type AlertTrigger = {
  [E in ChosenEntry as E["kind"]]: { readonly kind: E["kind"] } & ParamValues<E["params"]>;
}[ChosenEntry["kind"]];

type Chosen = IssueTrigger | ProjectTrigger;

/** The triggers that rules can choose. */
export const CHOSEN_TRIGGERS: readonly Chosen[] = TRIGGERS.filter((one) => "params" in one);

/** Decodes a condition of a rule; the message of an issue is a sentence for the form. */
export const triggerSchema = variant(
  "kind",
  CHOSEN_TRIGGERS.map(({ kind, params }) =>
    v.object({ kind: v.literal(kind), ...params }, "The trigger is incomplete."),
  ),
  "The trigger is unknown.",
) as unknown as v.GenericSchema<unknown, AlertTrigger>;

const byKind: ReadonlyMap<string, TriggerTexts | Chosen> = new Map(
  TRIGGERS.map((one) => [one.kind, one]),
);

/** Of an alert that a newer version stored. */
const UNKNOWN: TriggerTexts = {
  kind: "unknown",
  title: () => "Alert",
  sentence: ({ detail = "" }: Figures) => detail,
  webhookEvent: "alerts.other",
};

/** The definition of a kind. */
export function getTrigger(kind: AlertTriggerKind): TriggerTexts {
  return byKind.get(kind) ?? UNKNOWN;
}

/** The definition of a condition that the index judges; undefined for one of a project. */
export function getIssueTrigger({ kind }: AlertTrigger): IssueTrigger | undefined {
  const found = byKind.get(kind);
  return found !== undefined && "detect" in found ? found : undefined;
}

/** The triggers that the alert sender checks. */
export const PROJECT_TRIGGERS: readonly ProjectTrigger[] = CHOSEN_TRIGGERS.filter(
  (one) => one.about === "project",
);

function findChosen(kind: string): Chosen | undefined {
  return CHOSEN_TRIGGERS.find((one) => one.kind === kind);
}

/** The name of a condition in histories: a rule may have several of a kind with other numbers. */
export function toTriggerKey(trigger: AlertTrigger): string {
  const { params = {} } = findChosen(trigger.kind) ?? {};
  const values: Readonly<Record<string, unknown>> = trigger;
  return [trigger.kind, ...Object.keys(params).map((name) => values[name])].join(" ");
}

/** A condition with its numbers in the list of rules: `100 occurrences within 24 h`. */
export function summarizeTrigger({ kind, ...params }: AlertTrigger): string {
  const found = findChosen(kind);
  if (found === undefined) return kind;
  return found.summarize?.(params) ?? found.label.charAt(0).toLowerCase() + found.label.slice(1);
}

/** The conditions in the form of a rule, with the inputs of their parameters. */
export function listTriggerFields(chosen: readonly AlertTrigger[]): readonly {
  readonly kind: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly inputs: readonly ParamInput[];
}[] {
  return CHOSEN_TRIGGERS.map(({ kind, label, params }) => {
    const found = chosen.find((one) => one.kind === kind);
    return { kind, label, isChosen: found !== undefined, inputs: listInputs(kind, params, found) };
  });
}

/** The condition that a form has, to be decoded by `triggerSchema`. */
export function readTriggerFields(
  kind: string,
  getField: (name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const { params = {} } = findChosen(kind) ?? {};
  return { kind, ...readParams(kind, params, getField) };
}

/** The words of a summary about an issue with these triggers, the most urgent one first. */
export const SUMMARY_WORDS: readonly {
  readonly kind: AlertTriggerKind;
  readonly badge: string;
  readonly word: "new" | "returned" | "growing";
}[] = (["returned", "growing", "new"] as const).flatMap((word) =>
  TRIGGERS.flatMap(({ kind, says, badge }) =>
    says === word && badge !== undefined ? [{ kind, badge, word }] : [],
  ),
);
