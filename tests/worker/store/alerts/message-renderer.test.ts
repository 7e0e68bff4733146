import { describe, expect, it } from "vitest";
import type { RegistryState } from "#src/core/accounts/registry.ts";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import type { DueAlert } from "#src/core/alerts/due-alert.ts";
import { LOCAL_PERSON } from "#src/core/alerts/preferences.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { MessageRenderer } from "#src/store/alerts/message-renderer.ts";
import type { StoredSettings } from "#src/store/alerts/tables/settings-table.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";

const TEST = {
  id: 1,
  kind: "test",
  dueMs: 0,
  message: "m",
  attempts: 0,
  destination: "d",
} as const;
const contents = { alerts: [], more: 0 };

const createRenderer = (over: Partial<ConstructorParameters<typeof MessageRenderer>[0]>) =>
  new MessageRenderer({
    project: "1",
    settings: { get: () => ({ rules: [] }) as unknown as StoredSettings },
    origin: undefined,
    readIssues: async () => [],
    readDetails: async () => new Map(),
    findNewestIssue: async () => undefined,
    readPeriod: () => Promise.reject(new Error("no summary is rendered")),
    listDeploys: async () => [],
    isLocalOpen: false,
    readRegistry: async () =>
      ({
        projects: [{ id: "1", name: "Shop" }],
        memberships: [{ person: "p1", project: "1" }],
      }) as unknown as RegistryState,
    readIssueRepository: async () => undefined,
    onHeldBack: () => undefined,
    nowMs: () => 0,
    ...over,
  });

it.each<[string, { savedOrigin?: string; configuredOrigin?: string }, string]>([
  ["of the person until an owner has saved settings", {}, "https://member.example"],
  ["of the owner", { savedOrigin: "https://owner.example" }, "https://owner.example"],
  [
    "of the configuration",
    { savedOrigin: "https://owner.example", configuredOrigin: "https://errata.example" },
    "https://errata.example",
  ],
])("the links of a person's message have the origin %s", async (_, origins, expected) => {
  const { savedOrigin, configuredOrigin } = origins;
  const renderer = createRenderer({
    settings: { get: () => ({ rules: [], origin: savedOrigin }) as unknown as StoredSettings },
    origin: configuredOrigin,
  });
  const destination = { person: "p1", origin: "https://member.example" } as Destination;
  const message = await renderer.renderFor({ ...TEST, contents }, destination);
  expect(message?.settingsUrl).toBe(`${expected}/settings/alerts`);
});

it.each([
  ["is for the member whom it tells", ["Bob", "ada LOVELACE"], true],
  ["is for nobody else", ["Bob"], false],
])("a message about an assignment %s, whatever the state of the issue", async (_, to, isSent) => {
  const issue: Issue = {
    ...createIssue(),
    assignee: "Ada Lovelace",
    state: "resolved",
    decision: { v: 2, state: "resolved", atMs: 1 },
  };
  const renderer = createRenderer({
    settings: {
      get: () => ({ rules: [], preferences: {}, actionKey: "a2V5" }) as unknown as StoredSettings,
    },
    readIssues: async () => [issue],
    readRegistry: async () =>
      ({
        projects: [{ id: "1", name: "Shop" }],
        people: [{ id: "p1", name: "Ada Lovelace" }],
        memberships: [{ person: "p1", project: "1" }],
      }) as unknown as RegistryState,
  });
  const alert: DueAlert = {
    ...{ atMs: 0, digest: issue.digest, notice: { kind: "assigned", to, by: "Mel" } },
    triggers: [{ kind: "assigned", detail: "Mel assigned it to you.", rules: [] }],
  };
  const delivery = {
    ...{ ...TEST, kind: "alert" as const },
    contents: { alerts: [{ id: "a", alert }], more: 0 },
  };
  const message = await renderer.renderFor(delivery, { person: "p1" } as Destination);
  expect(message?.title).toBe(isSent ? "Assigned to you" : undefined);
});

it.each([
  ["the issues that are assigned to the person, if the person chose so", true, "Ada"],
  ["all issues otherwise", false, undefined],
])("a summary has %s", async (_, onlyAssigned, expected) => {
  const asked: (string | undefined)[] = [];
  const group = { total: 0, open: 0, digests: [], issues: [] };
  const renderer = createRenderer({
    settings: {
      get: () =>
        ({
          rules: [],
          preferences: { p1: { destinations: ["d"], onlyAssigned } },
        }) as unknown as StoredSettings,
    },
    readPeriod: async ({ assignee }) => {
      asked.push(assignee);
      return {
        errors: { server: 0, browser: 0 },
        errorsBefore: { server: 0, browser: 0 },
        groups: { returned: group, new: group, growing: group, frequent: group },
        releases: [],
      };
    },
    listDeploys: () => Promise.reject(new Error("the source maps are unavailable")),
    readRegistry: async () =>
      ({
        projects: [{ id: "1", name: "Shop" }],
        people: [{ id: "p1", name: "Ada" }],
        memberships: [{ person: "p1", project: "1" }],
      }) as unknown as RegistryState,
  });
  const range = { beforeMs: 0, fromMs: 86_400_000, toMs: 172_800_000 };
  const period = {
    ...TEST,
    kind: "period",
    contents: { ...contents, period: { every: "day", ...range } },
  } as const;
  const destination = { person: "p1", summaryEvery: "day" } as Destination;
  const message = await renderer.renderFor(period, destination);
  expect(asked).toEqual([expected]);
  expect(message?.period?.isPersonal).toBe(onlyAssigned ? true : undefined);
  expect(message?.period?.releases).toEqual([]);
  const former = { ...destination, person: "p2" };
  expect(await renderer.renderFor(period, former)).toBeNull();
});

it("the person of ERRATA_LOCAL, who is not a member, receives messages while it is set", async () => {
  const destination = { person: LOCAL_PERSON } as Destination;
  for (const isLocalOpen of [true, false]) {
    const message = await createRenderer({ isLocalOpen }).renderFor(
      { ...TEST, contents },
      destination,
    );
    expect(message !== null).toBe(isLocalOpen);
  }
});

describe("a message states of its issue", () => {
  const digest = "7F3K-Q2M9";
  const counted = createIssue(createReport(1, { digest, message: "from the index" }));
  const sent = { ...counted, message: "with the alert" };
  const triggers = [{ kind: "regressed" as const, rules: ["r1"] }];
  const delivery = {
    ...TEST,
    kind: "alert",
    contents: { alerts: [{ id: "m", alert: { atMs: 0, digest, triggers } }], more: 0 },
  } as const;
  const settings = { rules: [{ ...DEFAULT_RULE, id: "r1" }], actionKey: "key" };
  let nowMs = 0;
  const create = () => {
    nowMs = 1_000;
    return createRenderer({
      settings: { get: () => settings as unknown as StoredSettings },
      readIssues: async () => [counted],
      nowMs: () => nowMs,
    });
  };
  const render = async (renderer: MessageRenderer) => {
    const message = await renderer.renderFor(delivery, { id: "d" } as Destination);
    return message?.issues[0]?.message;
  };

  it("what came with the alert for five seconds, and then what the index has", async () => {
    const renderer = create();
    renderer.keepFacts({ atMs: nowMs, issues: [sent] });
    expect(await render(renderer)).toBe("with the alert");
    nowMs += 5_000;
    expect(await render(renderer)).toBe("with the alert");
    nowMs += 1;
    expect(await render(renderer)).toBe("from the index");
  });

  it("what the index has if nothing came with the alert", async () => {
    expect(await render(create())).toBe("from the index");
  });

  it("nothing that came with the alert before an erasure", async () => {
    const renderer = create();
    renderer.keepFacts({ atMs: nowMs, issues: [sent] });
    nowMs += 10;
    renderer.forgetFacts();
    expect(await render(renderer)).toBe("from the index");
    renderer.keepFacts({ atMs: nowMs - 5, issues: [sent] });
    expect(await render(renderer)).toBe("from the index");
    nowMs += 1;
    renderer.keepFacts({ atMs: nowMs, issues: [sent] });
    expect(await render(renderer)).toBe("with the alert");
  });

  it("what came with the alert for five seconds, even if its clock is an hour ahead", async () => {
    const renderer = create();
    renderer.keepFacts({ atMs: nowMs + 3_600_000, issues: [sent] });
    expect(await render(renderer)).toBe("with the alert");
    nowMs += 5_001;
    expect(await render(renderer)).toBe("from the index");
  });
});
