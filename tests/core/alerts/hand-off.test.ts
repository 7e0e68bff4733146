import { describe, expect, it } from "vitest";
import {
  checkDestination,
  createCall,
  type DestinationSettings,
  toAgentDestination,
} from "#src/core/alerts/destinations/destinations.ts";
import { type DueAlert, describeHeld } from "#src/core/alerts/due-alert.ts";
import {
  HAND_OFF_REFUSALS,
  HAND_OFF_TEXTS,
  type HandOffFacts,
  toHandOffFacts,
} from "#src/core/alerts/hand-off.ts";
import { judgeHandOff } from "#src/core/alerts/judging/judge-hand-off.ts";
import { renderHandOff } from "#src/core/alerts/render-message.ts";
import type { FixRecord } from "#src/core/issue/fix-record.ts";
import { createIssue } from "#support/reports/issues.ts";
import corpus from "../../fixtures/mcp/injection-texts.json";

const NOW_MS = Date.UTC(2026, 10, 21, 17);
const SECRET = `whsec_${btoa("x".repeat(32))}`;
const TOKEN = "github_pat_0123456789";
const PULL = "https://github.com/acme/shop/pull/5";

const AGENTS = {
  agent: { kind: "agent", url: "https://agent.example/hook", secret: SECRET },
  "claude-code": { kind: "claude-code", repository: "acme/shop", token: TOKEN },
  copilot: { kind: "copilot", repository: "acme/shop", token: TOKEN, branch: "main" },
  cursor: { kind: "cursor", repository: "acme/shop", token: "key_0123456789" },
} as const satisfies Readonly<Record<string, DestinationSettings>>;

/** An issue with a text in each member that a sender can write. */
const createHostile = (text: string) => ({
  ...createIssue({ type: text, message: text, release: text, environment: text }),
  ...{ culprit: text, route: text, firstRelease: text, blockedUri: text },
  decision: {
    ...({ v: 2, state: "open", atMs: NOW_MS - 9_000, regressedAtMs: NOW_MS } as const),
    ...{ regressedInRelease: text, resolvedInRelease: text },
  },
});

function send(settings: DestinationSettings, facts?: HandOffFacts) {
  const context = { id: "msg_1_1", atMs: NOW_MS, project: "1", origin: "https://errata.example" };
  return createCall(settings, renderHandOff({ ...context, ...(facts && { facts }) }), NOW_MS);
}

const FACTS: HandOffFacts = { digest: "7F3K-Q2M9", project: "2" };

describe("a message to an agent", () => {
  it("is a signed webhook with identifiers", () => {
    expect(send(AGENTS.agent, FACTS)).toMatchObject({
      url: AGENTS.agent.url,
      signedWith: [SECRET],
      body: { type: "issue.handed_off", data: { digest: "7F3K-Q2M9", prompt: "fix_issue" } },
    });
  });

  it("starts the workflow of Claude Code by an event of the repository", () => {
    const call = send(AGENTS["claude-code"], FACTS);
    expect(call).toMatchObject({
      url: "https://api.github.com/repos/acme/shop/dispatches",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: { event_type: "errata-issue", client_payload: { digest: "7F3K-Q2M9" } },
    });
    // GitHub allows ten members.
    const { body } = call as { body: { client_payload: object } };
    expect(Object.keys(body.client_payload).length).toBeLessThanOrEqual(10);
  });

  it("starts a task of Copilot, which opens a pull request", () => {
    expect(send(AGENTS.copilot, FACTS)).toMatchObject({
      url: "https://api.github.com/agents/repos/acme/shop/tasks",
      body: { base_ref: "main", create_pull_request: true, prompt: expect.any(String) },
    });
  });

  it("starts an agent of Cursor with the key as user name", () => {
    expect(send(AGENTS.cursor, FACTS)).toMatchObject({
      url: "https://api.cursor.com/v0/agents",
      headers: { authorization: `Basic ${btoa("key_0123456789:")}` },
      body: {
        source: { repository: "https://github.com/acme/shop" },
        target: { autoCreatePr: true },
      },
    });
  });

  it.each(["claude-code", "copilot", "cursor"] as const)(
    "a test of %s only reads: it starts nothing",
    (kind) => {
      expect(send(AGENTS[kind])).toMatchObject({ method: "GET" });
    },
  );

  it.each(Object.keys(AGENTS) as (keyof typeof AGENTS)[])(
    "has no byte that a sender chose: %s",
    (kind) => {
      const tell = (text: string) => {
        const facts = toHandOffFacts(createHostile(text), "1", { cameBackMs: NOW_MS });
        expect(facts.return).toBeDefined();
        return JSON.stringify(send(AGENTS[kind], facts));
      };
      for (const { name, text } of corpus) expect(tell(text), name).toBe(tell("x"));
    },
  );

  it("names a change by its commit: a build chooses the URL of that", () => {
    const url = "https://evil.example/ignore-all-rules";
    const merged = { kind: "merged", url, commit: "3f2a9c1b04", atMs: 5 } as const;
    const facts = toHandOffFacts(createHostile("x"), "1", { events: [merged], cameBackMs: 9 });
    for (const agent of Object.values(AGENTS)) {
      const sent = JSON.stringify(send(agent, facts));
      expect(sent).toContain("3f2a9c1b04");
      expect(sent).not.toContain("evil");
    }
  });

  it("says which change did not hold", () => {
    const record: FixRecord = { events: [{ kind: "merged", url: PULL, atMs: 5 }], cameBackMs: 9 };
    const issue = createHostile("x");
    expect(toHandOffFacts(issue, "1", record).return?.change).toEqual({ url: PULL });
    expect(JSON.stringify(send(AGENTS.cursor, toHandOffFacts(issue, "1", record)))).toContain(PULL);
  });
});

describe("the settings of an agent", () => {
  const check = (settings: object) =>
    checkDestination(settings as DestinationSettings, [], "errata.example").ok;

  it.each([
    ["all of them", {}, true],
    ["50 hand-offs a day", { dailyCap: "50" }, true],
    ["no hand-offs", { dailyCap: "0" }, false],
    ["too many hand-offs", { dailyCap: "51" }, false],
    ["hand-offs in words", { dailyCap: "five" }, false],
    ["a repository that is a path", { repository: "../user" }, false],
    ["a repository with a query", { repository: "acme/shop?x" }, false],
    ["a repository that leaves its path", { repository: "acme/.." }, false],
    ["a branch with spaces", { branch: "a b" }, false],
    ["a token with a line break", { token: "abcdefghij\nx-evil: 1" }, false],
    ["an API of the local network", { url: "https://10.0.0.1/api/v3" }, false],
    ["an API by http", { url: "http://github.example.com/api/v3" }, false],
    ["an API of GitHub Enterprise Server", { url: "https://github.example.com/api/v3" }, true],
  ])("with %s: %s", (_, over, isAccepted) => {
    expect(check({ ...AGENTS.copilot, ...over })).toBe(isAccepted);
  });

  it("have five hand-offs a day by default", () => {
    const destination = { id: "a", name: "Robot" };
    expect(toAgentDestination({ ...destination, settings: AGENTS.cursor })?.dailyCap).toBe(5);
    const settings = { ...AGENTS.cursor, dailyCap: "12" };
    expect(toAgentDestination({ ...destination, settings })?.dailyCap).toBe(12);
  });
});

describe("an issue", () => {
  const issue = createIssue({ trust: "server" });
  const handOff = { atMs: 1, to: "a", name: "Robot", message: "1" };
  const judge = (over: object = {}) =>
    judgeHandOff({ issue, record: undefined, isByMember: false, nowMs: NOW_MS, ...over });

  it.each([
    ["of a server", {}, null],
    ["that was erased", { issue: null }, "not-open"],
    ["of page reports", { issue: { ...issue, trust: "page" } }, "untrusted"],
    ["of public reports", { issue: { ...issue, trust: "public" } }, "untrusted"],
    [
      "that is muted",
      { issue: { ...issue, decision: { v: 2, state: "archived", atMs: 1 } } },
      "not-open",
    ],
    [
      "that is resolved",
      { issue: { ...issue, decision: { v: 2, state: "resolved", atMs: 1 } } },
      "not-open",
    ],
    ["that is noise", { issue: { ...issue, noise: { rule: "extensions" } } }, "noise"],
    ["that React recovered from", { issue: { ...issue, kind: "recovered" } }, "noise"],
    ["of a deploy", { issue: { ...issue, count: 2, skew: { count: 2, quietCount: 2 } } }, "deploy"],
    ["that an agent has", { record: { handOffs: [handOff] } }, "handed-off"],
    ["that came back since", { record: { handOffs: [handOff], cameBackMs: 2 } }, null],
    [
      "with a proposed change",
      { record: { events: [{ kind: "proposed", url: PULL, atMs: 1 }] } },
      "being-fixed",
    ],
    [
      "with a closed change",
      { record: { events: [{ kind: "closed", url: PULL, atMs: 1 }] } },
      null,
    ],
    [
      "that a member hands off, although it is noise",
      { issue: { ...issue, noise: { rule: "extensions" } }, isByMember: true },
      null,
    ],
    [
      "that a member hands off again",
      { record: { handOffs: [handOff] }, isByMember: true, isAgain: true },
      null,
    ],
    [
      "of public reports that a member hands off again",
      { issue: { ...issue, trust: "public" }, isByMember: true, isAgain: true },
      "untrusted",
    ],
  ])("%s: %s", (_, over, refusal) => {
    expect(judge(over)).toBe(refusal);
  });

  it.each(HAND_OFF_REFUSALS)("each refusal is a sentence: %s", (refusal) => {
    const held: NonNullable<DueAlert["held"]> = `hand-off-${refusal}`;
    expect(describeHeld(held, [], undefined)).toBe(`Hand-off: ${HAND_OFF_TEXTS[refusal]}`);
  });
});
