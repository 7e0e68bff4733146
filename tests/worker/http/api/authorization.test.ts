// Every operation of `/api/v1`, requested by every role and every kind of token in two projects:
// allowed or refused as the operation declares, and nothing of another project.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "#src/core/accounts/registry.ts";
import { getScope, type Operation } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import {
  createApiRequest,
  findContractMismatches,
  getOperation,
  INPUTS,
  type StoredIds,
  stopTrackers,
  storeIssues,
} from "#support/http/api-requests.ts";
import { TestOAuth } from "#support/http/oauth.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { openTestStorage } from "#support/store/store.ts";

/** In each text of the second project. */
const SECRET = "OF_PROJECT_TWO";
/** In each text of the first project. */
const OPEN = "the price of the cart";

const PROJECTS = ["1", "2"] as const;

/** A visitor, and its role in each project; "none" for one that does not authenticate. */
interface Visitor {
  readonly proof: Proof;
  readonly roles: Readonly<Record<(typeof PROJECTS)[number], Role | null>> | "none";
  /** The project of an upload token. */
  readonly uploadsTo?: string;
  /** Whether a connected program may upload; absent if its role decides. */
  readonly mayUpload?: boolean;
}

/** What connected programs ask for, what their person chooses, and what they may do then. */
const GRANTS = [
  ["read", "viewer", "viewer", false],
  ["read upload", "viewer", "viewer", true],
  ["read triage", "member", "member", false],
  ["read triage upload", "member", "member", true],
  ["read triage upload", "viewer", "viewer", false],
  ["admin", "owner", "owner", true],
  ["admin", "member", "member", true],
] as const;

let members: TestMembers;
let ids: StoredIds;
const visitors: Record<string, Visitor> = {};

async function send(name: string, project: string, proof: Proof, input?: object) {
  const operation = getOperation(name);
  const request = createApiRequest(operation, input ?? INPUTS[name]?.(ids) ?? {}, { project });
  const { path, ...init } = request;
  const headers = { ...OWN_PAGE, ...init.headers, ...proof };
  const { services } = members;
  const { response, body } = await visit(path, { ...init, origin: ORIGIN, headers, services });
  const json = body === "" ? null : JSON.parse(body);
  expect(findContractMismatches(operation, response, json), body.slice(0, 300)).toEqual([]);
  return { status: response.status, reason: json?.reason, body };
}

beforeAll(() => stopTrackers());
beforeAll(async () => {
  members = await createMembers();
  const { deployer, change, invite, token } = members;
  await change(deployer, { do: "create-project", name: SECRET });
  ids = await storeIssues();
  const { reportWriter } = openTestStorage("2");
  await reportWriter.append([
    createReport(1, { digest: "7F3K-Q2M9", message: SECRET, type: SECRET, release: SECRET }),
  ]);
  const ada = await invite("owner", "1");
  visitors.nobody = { proof: {}, roles: "none" };
  for (const role of ["viewer", "member", "owner"] as const) {
    const of1 = { 1: role, 2: null };
    visitors[`a ${role}`] = { proof: (await invite(role)).proof, roles: of1 };
    visitors[`a ${role} of the second project`] = {
      proof: (await invite(role, "2")).proof,
      roles: { 1: null, 2: role },
    };
    const options = { by: ada.actor, lowestTrust: "server" } as const;
    visitors[`a ${role}'s token`] = { proof: (await token(role)).proof, roles: of1 };
    visitors[`a ${role}'s token for text of servers`] = {
      proof: (await token(role, "1", options)).proof,
      roles: of1,
    };
    // Its person has no role in the second project.
    visitors[`a ${role}'s token for all projects of a person with one`] = {
      proof: (await token(role, "1", { ...options, isForAllProjects: true })).proof,
      roles: of1,
    };
    visitors[`a ${role}'s token for all projects`] = {
      proof: (await token(role, "1", { isForAllProjects: true })).proof,
      roles: { 1: role, 2: role },
    };
  }
  const oauth = new TestOAuth(members);
  for (const [scope, chosen, role, mayUpload] of GRANTS) {
    const asked = { resource: ORIGIN, scope };
    const body = await oauth.connect(ada.proof, asked, { role: chosen, project: "1" });
    visitors[`a program for ${scope} of which the person allowed the role ${chosen}`] = {
      proof: { authorization: `Bearer ${body.access_token}` },
      roles: { 1: role, 2: null },
      mayUpload,
    };
  }
  visitors["a token of the second project"] = {
    proof: (await token("owner", "2")).proof,
    roles: { 1: null, 2: "owner" },
  };
  for (const uploadsTo of PROJECTS)
    visitors[`an upload token of project ${uploadsTo}`] = {
      proof: (await token("uploader", uploadsTo)).proof,
      roles: "none",
      uploadsTo,
    };
});

afterAll(() => emptyStore());

const RANKS = { viewer: 1, member: 2, owner: 3 } as const;

/** What the declared role and scope of an operation mean for a visitor. */
function getRefusal(
  { roles, uploadsTo, proof, mayUpload }: Visitor,
  project: "1" | "2",
  { role: required, scope, isForPeople }: Operation,
) {
  if (scope === "upload" && uploadsTo !== undefined)
    return uploadsTo === project ? undefined : [404, "no-such-project"];
  if (roles === "none") return [401, "unauthenticated"];
  const role = roles[project];
  if (role === null) return [404, "no-such-project"];
  const isUpload = scope === "upload" && mayUpload !== undefined;
  const isRefused = isUpload ? !mayUpload : RANKS[role] < RANKS[required];
  const isToken = proof.authorization !== undefined;
  return isRefused || (isForPeople && isToken) ? [403, "forbidden"] : undefined;
}

const REFUSALS = ["unauthenticated", "no-such-project", "forbidden", "api-only", "cross-site"];

describe.each(PROJECTS)("in project %s", (project) => {
  it.each(OPERATIONS.map((one) => [one.name, one.role, getScope(one), one] as const))(
    "%s requires the role %s, or a token of the scope %s",
    async (name, _, __, operation) => {
      for (const [who, visitor] of Object.entries(visitors)) {
        const { status, reason, body } = await send(name, project, visitor.proof);
        const refusal = getRefusal(visitor, project, operation);
        if (refusal !== undefined) expect([who, status, reason]).toEqual([who, ...refusal]);
        else expect([who, reason]).not.toEqual([who, expect.toBeOneOf(REFUSALS)]);
        const { roles, uploadsTo } = visitor;
        const isInside = roles === "none" ? uploadsTo === "2" : roles[2] !== null;
        if (!isInside) expect([who, body]).not.toEqual([who, expect.stringContaining(SECRET)]);
        if (project === "2") expect([who, body]).not.toEqual([who, expect.stringContaining(OPEN)]);
      }
    },
  );
});

it("whoami says what a token may do", async () => {
  const read = async (who: string, project = "1") =>
    JSON.parse((await send("whoami.get", project, visitors[who]?.proof ?? {})).body);
  expect(await read("a viewer's token for text of servers")).toMatchObject({
    kind: "token",
    name: "ci",
    project: "1",
    role: "viewer",
    scopes: ["read"],
    projects: [{ id: "1", role: "viewer" }],
    lowestTrust: "server",
    release: expect.any(String),
  });
  expect(await read("a member's token for all projects", "2")).toMatchObject({
    project: "2",
    scopes: ["read", "triage", "upload"],
    projects: [
      { id: "1", role: "member" },
      { id: "2", role: "member" },
    ],
    lowestTrust: "public",
  });
});

it("whoami says what a connected program may do", async () => {
  for (const [scope, chosen, role, mayUpload] of GRANTS) {
    const who = `a program for ${scope} of which the person allowed the role ${chosen}`;
    const { body } = await send("whoami.get", "1", visitors[who]?.proof ?? {});
    const { scopes } = JSON.parse(body);
    expect([who, scopes.includes("upload")]).toEqual([who, mayUpload]);
    expect([who, scopes.includes("triage")]).toEqual([who, role !== "viewer"]);
    expect([who, scopes.includes("admin")]).toEqual([who, role === "owner"]);
  }
});

it("an owner creates a token by the form, and the audit log says for what", async () => {
  const { services } = members;
  const owner = visitors["a owner"]?.proof ?? {};
  const fields = { do: "add-token", name: "agent", role: "member", projects: "all" };
  const page = await visit("/settings", {
    method: "POST",
    origin: ORIGIN,
    services,
    headers: { ...OWN_PAGE, ...owner, accept: "text/html" },
    body: new URLSearchParams({ ...fields, lowestTrust: "page", expiresInDays: "7" }),
  });
  const [token = ""] = /errata_[\w-]{20,}/.exec(page.body) ?? [];
  const { body } = await send("whoami.get", "1", { authorization: `Bearer ${token}` });
  expect(JSON.parse(body)).toMatchObject({ name: "agent", role: "member", lowestTrust: "page" });
  const read = async (path: string) =>
    (await visit(path, { origin: ORIGIN, services, headers: { ...owner, accept: "text/html" } }))
      .body;
  expect(await read("/settings")).toMatch(/all projects of .*text sent with a server key or by a/);
  expect(await read("/settings/audit")).toContain("for all their projects");
});
