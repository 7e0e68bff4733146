// Which alerts the reports of an issue cause: tables of batches, each after the one before.

import { describe, expect, it } from "vitest";
import { addFoldedAlert, takeFloodAlert } from "#src/core/alerts/judging/flood-alerts.ts";
import { keepWanted } from "#src/core/alerts/judging/keep-wanted.ts";
import {
  addUnsentFlood,
  NO_PUBLIC_ALERTS,
  type PublicAlerts,
  takeHeldPublicAlerts,
} from "#src/core/alerts/judging/public-alerts.ts";
import { type AlertRule, DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { DecisionInput } from "#src/core/issue/decision.ts";
import { type Batched, JudgedIssue, START_MS } from "#support/alerts/judged-issue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A batch, an act of a member, or a time that passes, and the alerts that a batch causes. */
type Step =
  | { readonly send: readonly Batched[]; readonly alerts: readonly string[] }
  | { readonly decide: DecisionInput }
  | { readonly wait: number };
const send = (batch: Batched | readonly Batched[], ...alerts: readonly string[]): Step => ({
  send: Array.isArray(batch) ? batch : [batch as Batched],
  alerts,
});
const decide = (input: DecisionInput): Step => ({ decide: input });
const wait = (ms: number): Step => ({ wait: ms });

type Case = readonly [name: string, rules: readonly Partial<AlertRule>[], steps: readonly Step[]];

function run(rules: readonly Partial<AlertRule>[], steps: readonly Step[]): void {
  const issue = new JudgedIssue(...rules);
  for (const [n, step] of steps.entries()) {
    if ("wait" in step) issue.nowMs += step.wait;
    else if ("decide" in step) issue.decide(step.decide);
    else expect([n, issue.report(...step.send)]).toEqual([n, step.alerts]);
  }
}

const production = { query: "env:production" };
const inProduction = { environment: "production" };
const inStaging = { environment: "staging" };
const only = (...triggers: AlertRule["triggers"]): Partial<AlertRule> => ({ triggers });

describe("an issue that is quiet by default", () => {
  const recovered = { kind: "recovered", level: "warning" } as const;
  const missingImage = { kind: "network", level: "warning" } as const;
  const grown = only({ kind: "new-issue" }, { kind: "escalating" }, { kind: "regressed" });

  it.each<Case>([
    [
      "alerts nobody for an error that React recovered from, however often it occurs",
      [grown],
      [send(recovered), wait(MINUTE_MS), send({ ...recovered, times: 2_000 })],
    ],
    [
      "alerts nobody when a member resolved it and it returns",
      [grown],
      [send(recovered), decide({ state: "resolved" }), wait(HOUR_MS), send(recovered)],
    ],
    [
      "alerts a rule that names its kind",
      [{ query: "kind:recovered" }],
      [send(recovered, "new-issue server")],
    ],
    [
      "alerts a rule that names its level",
      [{ query: "level:warning" }],
      [send(recovered, "new-issue server")],
    ],
    ["alerts no rule that excludes another kind", [{ query: "-kind:csp" }], [send(recovered)]],
    ["alerts nobody for a missing image", [grown], [send(missingImage)]],
    [
      "alerts for a resource that the page needs",
      [grown],
      [send({ kind: "network" }, "new-issue server")],
    ],
    [
      "alerts for the feedback of a person",
      [only({ kind: "new-issue" }, { kind: "user-feedback" })],
      [
        send(recovered),
        send({ kind: "feedback", level: "info", isLinked: true }, "user-feedback server"),
      ],
    ],
  ])("%s", (_, rules, steps) => run(rules, steps));
});

describe("a rule with filters on reports", () => {
  it.each<Case>([
    [
      "alerts once to a violation of a policy",
      [{ ...production, ...only({ kind: "csp-violation" }), coolDownMs: 0 }],
      [
        send({ ...inProduction, kind: "csp" }, "csp-violation server"),
        send({ ...inProduction, kind: "csp" }),
        wait(2 * HOUR_MS),
        send({ ...inProduction, kind: "csp" }),
      ],
    ],
    [
      "alerts once to an issue that is new where its filter matches, and was seen elsewhere before",
      [production],
      [
        send(inStaging),
        send(inProduction, "new-issue server"),
        send([inStaging, inProduction]),
        wait(2 * HOUR_MS),
        send(inProduction),
      ],
    ],
    [
      "alerts to the same issue in each environment",
      [production, { query: "env:staging" }],
      [send(inStaging, "new-issue server"), send(inProduction, "new-issue server")],
    ],
    [
      "judges all filters by the same report",
      [{ query: "env:production release:2" }],
      [
        send([
          { ...inProduction, release: "1" },
          { ...inStaging, release: "2" },
        ]),
        send({ ...inProduction, release: "2" }, "new-issue server"),
        send({ ...inProduction, release: "2" }),
      ],
    ],
    [
      "judges tags",
      [{ query: "plan:gold" }],
      [
        send({ tags: [["plan", "free"]] }),
        send({}),
        send({ tags: [["plan", "gold"]] }, "new-issue server"),
      ],
    ],
    [
      "judges the level of the reports",
      [{ query: "level:fatal" }],
      [send({}), send({ level: "warning" }), send({ level: "fatal" }, "new-issue server")],
    ],
    [
      "takes a report without a level for an error",
      [{ query: "level:error" }],
      [send({ level: "info" }), send({}, "new-issue server")],
    ],
    [
      "judges what a filter excludes",
      [{ query: "-env:staging" }],
      [send(inStaging), send(inStaging), send({}, "new-issue server"), send(inProduction)],
    ],
    [
      "counts only the reports that match",
      [{ ...production, ...only({ kind: "occurrences", count: 50, withinMs: HOUR_MS }) }],
      [
        send(inProduction),
        send({ ...inStaging, times: 60 }),
        send({ ...inProduction, times: 48 }),
        send([{ ...inStaging, times: 9 }, inProduction], "occurrences server"),
      ],
    ],
    [
      "counts only the users of reports that match",
      [{ ...production, ...only({ kind: "users", count: 5 }) }],
      [
        send({ ...inStaging, times: 20 }),
        send({ ...inProduction, times: 3 }),
        send({ ...inProduction, times: 2 }, "users server"),
      ],
    ],
    [
      "judges the growth of the reports that match",
      [{ ...production, ...only({ kind: "escalating" }) }],
      [
        send({ ...inStaging, times: 100 }),
        send({ ...inProduction, times: 9 }),
        send(inProduction, "escalating server"),
      ],
    ],
    [
      "alerts once to a return, where its filter matches",
      [production],
      [
        send(inProduction, "new-issue server"),
        decide({ state: "resolved" }),
        wait(MINUTE_MS),
        send(inStaging),
        wait(MINUTE_MS),
        send(inProduction, "regressed server"),
        send(inProduction),
      ],
    ],
  ])("%s", (_, rules, steps) => run(rules, steps));
});

describe("growth", () => {
  const all = only(
    { kind: "new-issue" },
    { kind: "escalating" },
    { kind: "users", count: 100 },
    { kind: "occurrences", count: 500, withinMs: HOUR_MS },
  );
  it.each<Case>([
    [
      "breaks through the cool-down of other triggers",
      [all],
      [send({}, "new-issue server"), send({ times: 1_200 }, "escalating+users+occurrences server")],
    ],
    [
      "alerts by the default rule at ten times the count of the last alert",
      [{}],
      [
        send({}, "new-issue server"),
        send({ times: 8 }),
        send({}, "escalating server"),
        send({ times: 80 }),
        send({ times: 10 }, "escalating server"),
        send({ times: 890 }),
      ],
    ],
    [
      "sends no second alert for an issue that is new with many reports",
      [{}],
      [send({ times: 50 }, "new-issue server"), send({ times: 100 })],
    ],
    [
      "of the same trigger cools down",
      [only({ kind: "new-in-release" })],
      [
        send({ release: "1" }, "new-in-release server"),
        send({ release: "2" }, "held cool-down new-in-release server"),
        wait(HOUR_MS),
        send({ release: "3" }, "new-in-release server"),
      ],
    ],
    [
      "within minutes is counted by minutes",
      [only({ kind: "occurrences", count: 5, withinMs: 5 * MINUTE_MS })],
      [
        send({ times: 3 }),
        wait(6 * MINUTE_MS),
        send({ times: 3 }),
        wait(2 * MINUTE_MS),
        send({ times: 2 }, "occurrences server"),
        send({ times: 2 }),
      ],
    ],
  ])("%s", (_, rules, steps) => run(rules, steps));
});

describe("an ignored issue that returns", () => {
  it.each<Case>([
    [
      "after its count",
      [{}],
      [
        send({}, "new-issue server"),
        decide({ state: "snoozed", forCount: 3 }),
        send({ times: 2 }),
        send({}, "returned server"),
        send({}),
      ],
    ],
    [
      "after its time",
      [{}],
      [
        send({}, "new-issue server"),
        decide({ state: "snoozed", forMs: HOUR_MS }),
        wait(MINUTE_MS),
        send({}),
        wait(HOUR_MS),
        send({}, "returned server"),
        send({}),
      ],
    ],
    [
      "except by a rule without returns",
      [only({ kind: "new-issue" })],
      [send({}, "new-issue server"), decide({ state: "snoozed", forCount: 1 }), send({})],
    ],
    [
      "where the filter of a rule matches",
      [production],
      [
        send(inProduction, "new-issue server"),
        decide({ state: "snoozed", forCount: 1 }),
        send(inStaging),
        send(inProduction, "returned server"),
        send(inProduction),
      ],
    ],
  ])("sends an alert %s", (_, rules, steps) => run(rules, steps));

  it("states for how many reports it was ignored, and how many came", () => {
    const issue = new JudgedIssue({});
    issue.report({ times: 4 });
    issue.decide({ state: "snoozed", forCount: 3 });
    const [alert] = issue.judge([{ times: 3 }]);
    expect(alert?.triggers).toEqual([{ kind: "returned", limit: 3, value: 3, rules: ["r0"] }]);
  });
});

describe("reports of a lower level", () => {
  const page = { trust: "page" } as const;
  const open = { trust: "public" } as const;
  const anyone = { minTrust: "public" } as const;
  const occurrences = only({ kind: "occurrences", count: 10, withinMs: HOUR_MS });
  const users = only({ kind: "users", count: 10 });
  const day = { coolDownMs: 24 * HOUR_MS };
  it.each<Case>([
    ["public ones alert", [{}], [send(open, "new-issue public")]],
    ["before a server", [{}], [send(page, "new-issue page"), send({}, "new-issue server")]],
    ["to anyone", [anyone], [send(open, "new-issue public"), send({}, "new-issue server")]],
    [
      "are new for a rule about pages when a server reports",
      [{ minTrust: "page" }],
      [send(open), send(page, "new-issue page"), send({}, "new-issue server")],
    ],
    [
      "do not fire a rule about servers",
      [{ minTrust: "server" }],
      [send(open), send(page), send({}, "new-issue server")],
    ],
    [
      "do not silence a number of occurrences",
      [{ ...occurrences, ...day }],
      [send({ ...page, times: 12 }, "occurrences page"), send({ times: 15 }, "occurrences server")],
    ],
    [
      "do not silence a number of users",
      [{ ...users, ...day }],
      [send({ ...page, times: 14 }, "users page"), send({ times: 15 }, "users server")],
    ],
    [
      "are silenced by those of a higher one",
      [{ ...users, ...day }],
      [send({ times: 15 }, "users server"), send({ ...open, times: 30 })],
    ],
  ])("%s", (_, rules, steps) => run(rules, steps));

  it.each<readonly [string, DecisionInput]>([
    ["resolved", { state: "resolved" }],
    ["resolved in a release", { state: "resolved", release: "9" }],
    ["resolved in the next release", { state: "resolved", inNextRelease: true }],
    ["snoozed", { state: "snoozed" }],
    ["archived", { state: "archived" }],
  ])("do not hide the report of a server when their issue was %s", (_, decision) => {
    for (const lower of [page, open]) {
      const issue = new JudgedIssue({});
      issue.report(lower);
      issue.decide(decision);
      issue.nowMs += MINUTE_MS;
      expect(issue.report({ release: "1" }).join()).toMatch(/^(regressed\+)?new-issue.* server$/);
      expect(issue.issue?.state).toBe("open");
    }
  });
});

describe("alerts about public reports", () => {
  it("have an hourly limit for each purpose", () => {
    const issue = new JudgedIssue({ ...only({ kind: "new-in-release" }), coolDownMs: 0 });
    const held = "held public-limit new-in-release public";
    for (let n = 0; n < 25; n++) {
      const expected = n < 20 ? "new-in-release public" : held;
      expect(issue.report({ trust: "public", release: `${n}` })).toEqual([expected]);
    }
    issue.nowMs += HOUR_MS;
    expect(issue.report({ trust: "public", release: "x" })).toEqual(["new-in-release public"]);
  });

  it("are not made while the issue is folded into a flood, and are when it spreads", () => {
    const issue = new JudgedIssue({});
    const folded = issue.judge([{ trust: "public" }], { isFolded: true });
    expect(folded).toMatchObject([{ held: "folded" }]);
    const [due] = issue.judge([{ trust: "public" }], { isEmerging: true, isWidespread: true });
    expect(due?.triggers).toMatchObject([{ kind: "new-issue" }]);
    expect(due?.held).toBeUndefined();
    expect(issue.publicAlerts.sent).toMatchObject({ widespread: [issue.nowMs] });
    expect(issue.judge([{ trust: "public" }], { isWidespread: true })).toEqual([]);
  });
});

describe("a flood that ends before its message", () => {
  const rules = [DEFAULT_RULE.id];
  const folded = { atMs: START_MS, triggers: [{ kind: "new-issue" as const, rules }] };
  const flood = {
    ...{ key: "k", reports: 40, issues: 30, networks: 2 },
    ...{ sinceMs: START_MS, lastMs: START_MS + MINUTE_MS },
  };
  const start = [1, 2, 3].reduce<PublicAlerts>(
    (state) => addFoldedAlert(state, folded, START_MS),
    NO_PUBLIC_ALERTS,
  );
  const dueMs = start.flood?.dueMs ?? 0;

  it("adds its new issues to the message about held-back alerts", () => {
    const { state, alerts, unsent } = takeFloodAlert(start, [], dueMs);
    expect([alerts, unsent]).toEqual([[], expect.objectContaining({ issues: 3, rules })]);
    const held = addUnsentFlood(state, unsent ?? { rules: [] }, dueMs);
    expect(held.more).toMatchObject({ newIssues: 3, others: 0, rules });
    const later = takeHeldPublicAlerts(held, new Set(), held.more?.dueMs ?? 0);
    expect(later.alerts).toMatchObject([{ triggers: [{ kind: "more-public", value: 3 }] }]);
  });

  it("adds nothing to that message if it had its own", () => {
    const sent = takeFloodAlert(start, [flood], dueMs);
    expect(sent.alerts).toMatchObject([{ triggers: [{ kind: "flood", value: 40 }] }]);
    expect(takeFloodAlert(sent.state, [], dueMs + HOUR_MS).unsent).toBeUndefined();
  });
});

it.each([
  [{}, "new-issue", false],
  [only({ kind: "new-issue" }, { kind: "new-in-release" }), "new-issue+new-in-release", true],
  [{ ...only({ kind: "new-in-release" }), coolDownMs: 0 }, "new-in-release", false],
])("a rule %j that alerts about %s says how long it is quiet: %s", (rule, kinds, isQuiet) => {
  const [alert] = new JudgedIssue(rule).judge([{ release: "1" }]);
  expect(alert?.triggers.map(({ kind }) => kind).join("+")).toBe(kinds);
  expect(alert?.quietUntilMs !== undefined).toBe(isQuiet);
});

describe("when a message is sent", () => {
  const resolution = {
    ...{ atMs: START_MS, digest: "7F3K-Q2M9", trust: "server" as const },
    triggers: [{ kind: "resolved" as const, rules: [] }],
  };
  const keep = (issue: JudgedIssue["issue"]) =>
    keepWanted(resolution, {
      ...{ rules: [], destination: { id: "d1" }, nowMs: START_MS },
      issue: issue ?? undefined,
    });

  it("an incident is closed only while its issue is closed", () => {
    const judged = new JudgedIssue({});
    judged.report({});
    expect(keep(judged.issue)).toBe("state");
    judged.decide({ state: "resolved" });
    expect(keep(judged.issue)).toEqual(resolution);
  });
});
