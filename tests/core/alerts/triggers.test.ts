// The table of triggers: what derives from it holds for each of them.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FiredTrigger } from "#src/core/alerts/due-alert.ts";
import { DEFAULT_RULE, decodeRule } from "#src/core/alerts/rule.ts";
import {
  type AlertTrigger,
  CHOSEN_TRIGGERS,
  getTrigger,
  listTriggerFields,
  readTriggerFields,
  summarizeTrigger,
  TRIGGERS,
  toTriggerKey,
} from "#src/core/alerts/triggers/triggers.ts";

/** The condition that the form of a new rule sends if only this kind is checked. */
function send(kind: string, changed: Readonly<Record<string, string>> = {}) {
  const { inputs = [] } = listTriggerFields([]).find((one) => one.kind === kind) ?? {};
  const fields = new Map<string, string>();
  for (const { name, value, unit } of inputs) {
    fields.set(name, String(value));
    if (unit !== undefined) fields.set(unit.name, unit.value);
  }
  for (const [name, value] of Object.entries(changed)) fields.set(name, value);
  return decodeRule({
    ...DEFAULT_RULE,
    triggers: [readTriggerFields(kind, (name) => fields.get(name))],
  });
}

function sent(kind: string, changed?: Readonly<Record<string, string>>): AlertTrigger {
  const rule = send(kind, changed);
  if (!rule.ok || rule.value.triggers[0] === undefined) throw new Error(JSON.stringify(rule));
  return rule.value.triggers[0];
}

describe.each(CHOSEN_TRIGGERS.map(({ kind }) => kind))("the trigger %s", (kind) => {
  it("is accepted as the form of a new rule sends it", () => {
    expect(sent(kind)).toMatchObject({ kind });
  });

  it("is shown by the form as it was saved", () => {
    const saved = sent(kind);
    const shown = listTriggerFields([saved]).filter(({ isChosen }) => isChosen);
    expect(shown).toHaveLength(1);
    const fields = new Map<string, unknown>(
      shown.flatMap(({ inputs }) =>
        inputs.flatMap(({ name, value, unit }) => [
          [name, value] as const,
          ...(unit === undefined ? [] : [[unit.name, unit.value] as const]),
        ]),
      ),
    );
    expect(readTriggerFields(kind, (name) => fields.get(name))).toEqual(saved);
  });
});

it("each kind of alert has a name and a webhook event of its own", () => {
  const kinds = TRIGGERS.map((one) => one.kind);
  const events = TRIGGERS.map(({ webhookEvent }) => webhookEvent);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(new Set(events).size).toBe(events.length);
});

it.each([
  ["occurrences", { "occurrences.count": "0" }, "The number of occurrences must be at least 1."],
  ["occurrences", { "occurrences.count": "1.5" }, "The number of occurrences must be at least 1."],
  ["occurrences", { "occurrences.count": "x" }, "The number of occurrences must be at least 1."],
  [
    "occurrences",
    { "occurrences.within": "4", "occurrences.unit": "minutes" },
    "The period of the occurrences must be between 5 minutes and 30 days.",
  ],
  [
    "occurrences",
    { "occurrences.within": "721" },
    "The period of the occurrences must be between 5 minutes and 30 days.",
  ],
  [
    "occurrences",
    { "occurrences.within": "5.5", "occurrences.unit": "minutes" },
    "The period must be a whole number of minutes.",
  ],
  ["users", { "users.count": "0" }, "The number of people must be at least 1."],
  [
    "crash-free",
    { "crash-free.percent": "0" },
    "The crash-free rate must be above 0 and at most 100 %.",
  ],
  [
    "crash-free",
    { "crash-free.percent": "101" },
    "The crash-free rate must be above 0 and at most 100 %.",
  ],
  ["unknown", {}, "The trigger is unknown."],
])("%s with %j is refused with a sentence", (kind, changed, detail) => {
  expect(send(kind, changed)).toMatchObject({ ok: false, detail });
});

it.each([
  [{ kind: "occurrences", count: 1_000, withinMs: 86_400_000 }, "1,000 occurrences within 24 h"],
  [{ kind: "occurrences", count: 5, withinMs: 300_000 }, "5 occurrences within 5 min"],
  [{ kind: "users", count: 10 }, "10 people"],
  [{ kind: "crash-free", below: 0.995 }, "crash-free rate below 99.5 %"],
  [{ kind: "csp-violation" }, "a new kind of CSP violation"],
] as const)("the list of rules states %j as %s", (trigger, text) => {
  expect(summarizeTrigger(trigger)).toBe(text);
});

// Histories are stored by these names.
it.each([
  [{ kind: "occurrences", count: 100, withinMs: 3_600_000 }, "occurrences 100 3600000"],
  [{ withinMs: 3_600_000, count: 100, kind: "occurrences" }, "occurrences 100 3600000"],
  [{ kind: "users", count: 10 }, "users 10"],
  [{ kind: "new-issue" }, "new-issue"],
] as const)("the history of %j is stored as %s", (trigger, key) => {
  expect(toTriggerKey(trigger)).toBe(key);
});

it("an alert of a kind that a newer version stored has a title", () => {
  const stored = { kind: "forecast", detail: "A sentence.", rules: [] } as unknown as FiredTrigger;
  const { title, sentence } = getTrigger(stored.kind);
  expect([title(stored), sentence(stored)]).toEqual(["Alert", "A sentence."]);
});

it("each event of a webhook is in the documentation", () => {
  const docs = readFileSync(new URL("../../../src/docs/alerts.md", import.meta.url), "utf8");
  const events = TRIGGERS.map(({ webhookEvent }) => webhookEvent);
  expect(events.filter((event) => !docs.includes(`\`${event}\``))).toEqual([]);
});
