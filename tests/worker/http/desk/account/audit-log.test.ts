import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "#src/app.ts";
import type { Actor } from "#src/core/accounts/actors.ts";
import { toAuditText } from "#src/ui/settings/audit-log-page.tsx";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { type VisitOptions, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

const [DIGEST, OTHER] = ["7F3K-Q2M9", "0000-0000"];

let members: TestMembers;
let owner: Proof;
let actor: Actor;

beforeAll(async () => {
  members = await createMembers();
  ({ proof: owner, actor } = await members.invite("owner"));
  await members.invite("member");
  await log.append([createReport(1), createReport(2, { digest: OTHER })]);
});

afterAll(() => emptyStore());

async function open(
  path: string,
  fields?: readonly (readonly [string, string])[],
  services: VisitOptions["services"] = {},
) {
  const { body } = await visit(path, {
    origin: ORIGIN,
    services: { ...members.services, ...services },
    redirect: "manual",
    headers: { ...owner, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
    ...(fields && { method: "POST", body: `${new URLSearchParams(fields.map(([...f]) => f))}` }),
  });
  return body;
}

/** The newest sentence of the audit log. */
async function readNewest(): Promise<string> {
  const [, , change = ""] = (await open("/settings/audit")).split("<td");
  return change
    .replace(/^[^>]*>/, "")
    .replace(/<!--.*?-->|<[^>]*>/g, "")
    .trim();
}

describe("the audit log", () => {
  const state = `/d/${DIGEST}/state`;
  const annotations = `/d/${DIGEST}/annotations`;
  const [both, one] = [
    [["digest", DIGEST] as const, ["digest", OTHER] as const],
    [["digest", OTHER] as const],
  ];

  it.each([
    [state, [["state", "archived"]], `archived ${DIGEST}`],
    [state, [["state", "open"]], `reopened ${DIGEST}`],
    [state, [["state", "resolved"]], `resolved ${DIGEST}`],
    [
      state,
      [
        ["state", "resolved"],
        ["release", "1.2"],
      ],
      `resolved ${DIGEST} in 1.2`,
    ],
    [
      state,
      [
        ["state", "resolved"],
        ["inNextRelease", "1"],
      ],
      `resolved ${DIGEST} in the next release`,
    ],
    [
      state,
      [
        ["state", "snoozed"],
        ["duration", "7d"],
      ],
      `snoozed ${DIGEST} for a week`,
    ],
    [
      state,
      [
        ["state", "snoozed"],
        ["duration", "36h"],
      ],
      `snoozed ${DIGEST} for 36 hours`,
    ],
    [
      state,
      [
        ["state", "snoozed"],
        ["duration", "1d"],
        ["count", "9"],
      ],
      `snoozed ${DIGEST} for a day or until 9 more reports`,
    ],
    [annotations, [["comment", "a secret"]], `commented on ${DIGEST}`],
    [annotations, [["assign", "Person 3"]], `assigned ${DIGEST} to Person 3`],
    [annotations, [["unassign", "1"]], `unassigned ${DIGEST}`],
    ["/issues/state", [...both, ["do", "archive"]], `archived 2 issues: ${DIGEST}, ${OTHER}`],
    ["/issues/state", [...one, ["do", "reopen"]], `reopened ${OTHER}`],
    ["/issues/state", [...one, ["assign", "Person 3"]], `assigned ${OTHER} to Person 3`],
    [
      "/issues/state",
      [
        ["matching", "ada@example.org"],
        ["do", "resolve"],
      ],
      "resolved the issues of a search (not done: nothing changed)",
    ],
    [
      "/issues/state",
      [
        ["matching", "is:archived"],
        ["do", "reopen"],
      ],
      `reopened the issues of a search: ${DIGEST}`,
    ],
    ["/issues/state", [...both, ["do", "merge"]], `merged ${OTHER} into ${DIGEST}`],
    [annotations, [["split", OTHER]], `split ${OTHER} off ${DIGEST}`],
    // A split-off issue exists when it occurs again.
    [
      annotations,
      [["mergeInto", OTHER]],
      `merged ${DIGEST} into ${OTHER} (not done: unknown digest)`,
    ],
    [
      annotations,
      [["assign", "Nobody"]],
      `assigned ${DIGEST} to Nobody (not done: unknown member)`,
    ],
    ["/saved-views", [["name", "Mine"]], "saved the view Mine"],
    ["/undo", [["undo", "0".repeat(32)]], "undid an action (not done: nothing changed)"],
  ] as const)("says of %s with %j: %s", async (path, fields, sentence) => {
    await open(path, fields);
    expect(await readNewest()).toBe(`Person 2 ${sentence}`);
  });

  it.each([
    [state, [["state", "gone"]]],
    ["/issues/state", [["do", "archive"]]],
    [annotations, [["comment", " "]]],
  ] as const)("has no entry of a form that was not accepted: %s with %j", async (path, fields) => {
    await open(annotations, [["unassign", "1"]]);
    const before = await readNewest();
    await open(path, fields);
    expect(await readNewest()).toBe(before);
  });

  it("does not say that a change was made whose outcome is unknown", async () => {
    const decide = () => Promise.reject(new Error("unavailable"));
    const services = { projectStore: replaceMethods(projectStore, { decide }) };
    const response = await open(state, [["state", "archived"]], services);
    expect(response).toContain("index-unavailable");
    expect(await readNewest()).toBe(`Person 2 archived ${DIGEST} (outcome unknown)`);
  });

  it("keeps the words of entries of earlier versions, which have no outcome", async () => {
    const entry = { project: "1", requiredRole: "member", subject: DIGEST } as const;
    for (const [action, details, sentence] of [
      ["POST /d/:digest/state", undefined, `tried to change the state of ${DIGEST}`],
      ["POST /d/:digest/state", `archived ${DIGEST}`, `archived ${DIGEST}`],
      ["POST /issues/state", "archived 2 issues", "archived 2 issues"],
    ] as const) {
      await members.registry.authorizeAction(actor, { ...entry, action, details });
      expect(await readNewest()).toBe(`Person 2 ${sentence}`);
    }
  });

  it("tells programs the operation, the outcome and what was changed", async () => {
    await open("/issues/state", [...both, ["do", "reopen"]]);
    const [entry] = JSON.parse(await open("/settings/audit.json")).entries;
    expect(entry).toMatchObject({
      ...{ action: "issues.decideMany", outcome: "done", by: "Person 2" },
      subject: DIGEST,
    });
  });

  it("links each digest of a sentence to its issue", async () => {
    await open(annotations, [["mergeInto", OTHER]]);
    const page = await open("/settings/audit");
    for (const digest of [DIGEST, OTHER]) expect(page).toContain(`<a href="/d/${digest}">`);
  });

  it("has a text for every change of a project that it records", () => {
    // Pages without members, cookies of a browser, and those whose changes are operations.
    const unrecorded =
      /^POST \/(e\/|theme|scope|settings\/repositories\/editor|sign-|profile|projects|csp|alerts\/|oauth\/|device|hooks\/|connect$|settings$)/;
    const operations = /^POST \/(settings\/(repositories|trackers)|d\/:digest\/tracker)$/;
    const actions = createApp()
      .routes.filter(({ method, path }) => method === "POST" && !path.startsWith("/p/"))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((action) => !unrecorded.test(action) && !operations.test(action));
    expect(actions.filter((action) => toAuditText(action).text === action)).toEqual([]);
  });
});
