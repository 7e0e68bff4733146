/** Every call of Sentry's API, and who may make it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const SHA1 = "210f4d2b3c3c1a3f9d5d0b4f2d0a3e6c5b7a8f90";
/** A body that names no project belongs to that of the token. */
const BUNDLE = { checksum: SHA1, chunks: [SHA1] };

/** Each call with a body that is accepted, and the status for an upload token. */
const CALLS: readonly {
  readonly call: string;
  readonly body?: object;
  readonly status: number;
  /** The status for a member's token, if it differs. */
  readonly memberStatus?: number;
}[] = [
  { call: "GET /api/0/", status: 200 },
  { call: "GET /api/0/organizations/acme/", status: 200 },
  { call: "GET /api/0/organizations/acme/chunk-upload/", status: 200 },
  { call: "POST /api/0/organizations/acme/chunk-upload/", status: 400 },
  {
    call: "POST /api/0/organizations/acme/artifactbundle/assemble/",
    body: BUNDLE,
    status: 200,
  },
  { call: "GET /api/0/organizations/acme/repos/?cursor=", status: 200 },
  { call: "GET /api/0/organizations/acme/releases/", status: 403, memberStatus: 200 },
  { call: "POST /api/0/organizations/acme/releases/", body: { version: "1" }, status: 201 },
  { call: "GET /api/0/organizations/acme/releases/1/", status: 403, memberStatus: 200 },
  { call: "PUT /api/0/organizations/acme/releases/1/", body: {}, status: 200 },
  { call: "DELETE /api/0/organizations/acme/releases/1/", status: 403, memberStatus: 400 },
  { call: "GET /api/0/organizations/acme/releases/1/deploys/", status: 403, memberStatus: 200 },
  {
    call: "POST /api/0/organizations/acme/releases/1/deploys/",
    body: { environment: "production" },
    status: 201,
  },
  { call: "GET /api/0/organizations/acme/releases/1/previous-with-commits/", status: 200 },
  { call: "GET /api/0/organizations/acme/members/", status: 404 },
  { call: "PUT /source-maps", status: 400 },
];

let members: TestMembers;
const proofs: Record<string, Proof> = {};

beforeAll(async () => {
  members = await createMembers();
  await members.change(members.deployer, { do: "create-project", name: "Web Shop" });
  const revoked = await members.token("uploader");
  await members.change(members.deployer, {
    do: "revoke-token",
    project: "1",
    token: revoked.id,
  });
  Object.assign(proofs, {
    "no token": {},
    "an unknown upload token": { authorization: `Bearer sntrys_e30=_${"A".repeat(43)}` },
    "an unknown API token": { authorization: `Bearer errata_${"A".repeat(43)}` },
    "a revoked upload token": revoked.proof,
    "an ingest key": { authorization: "Bearer errata_server_00112233445566778899aabbccddeeff" },
    "a session of an owner": { ...(await members.invite("owner")).proof, ...OWN_PAGE },
    "an assertion of Access": await members.assertion("ada@example.com"),
    "a viewer's token": (await members.token("viewer")).proof,
    "a token in another scheme": {
      authorization: (await members.token("uploader")).proof.authorization?.replace(
        "Bearer",
        "Basic",
      ),
    },
    "an upload token": (await members.token("uploader")).proof,
    "an upload token of the second project": (await members.token("uploader", "2")).proof,
    "a member's token": (await members.token("member")).proof,
    "an owner's token": (await members.token("owner")).proof,
  });
});
afterAll(() => emptyStore());

const request = (call: string, who: string, body?: object, origin = ORIGIN) => {
  const [method = "", path = ""] = call.split(" ");
  return visit(path, {
    method,
    origin,
    redirect: "manual",
    services: members.services,
    headers: {
      ...{
        accept: "text/html",
        "content-type": "application/json",
        "user-agent": "sentry-cli/3.8.0 (x)",
      },
      ...proofs[who],
    },
    ...(body && { body: JSON.stringify(body) }),
  });
};

it.each(CALLS.filter(({ call }) => call.includes("/api/0")))(
  "$call accepts no session and no assertion of Access: another site could send them",
  async ({ call, body }) => {
    for (const who of ["a session of an owner", "an assertion of Access"])
      expect([who, (await request(call, who, body)).response.status]).toEqual([who, 401]);
  },
);

describe.each(CALLS)("$call", ({ call, body, status, memberStatus = status }) => {
  it.each([
    "no token",
    "an unknown upload token",
    "an unknown API token",
    "a revoked upload token",
    "an ingest key",
    "a token in another scheme",
  ])("requires a token: %s", async (who) => {
    const { response } = await request(call, who, body);
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("refuses a token of a viewer", async () => {
    expect((await request(call, "a viewer's token", body)).response.status).toBe(403);
  });

  it("accepts an upload token, and tokens of members and owners", async () => {
    const statuses = [
      ["an upload token", status],
      ["a member's token", memberStatus],
      ["an owner's token", memberStatus],
    ] as const;
    for (const [who, expected] of statuses)
      expect([who, (await request(call, who, body)).response.status]).toEqual([who, expected]);
  });

  it("refuses every token over plain HTTP, except on this machine", async () => {
    const http = ORIGIN.replace("https", "http");
    for (const who of ["an upload token", "an unknown upload token", "an owner's token"]) {
      const { response, body: text } = await request(call, who, body, http);
      expect([response.status, JSON.parse(text).detail]).toEqual([403, "HTTPS required."]);
    }
    const local = await request(call, "an upload token", body, "http://localhost:8787");
    expect(local.response.status).toBe(status);
  });

  it("answers JSON and no redirect to a browser", async () => {
    for (const who of ["no token", "an upload token"]) {
      const { response, body: text } = await request(call, who, body);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("location")).toBeNull();
      expect(() => JSON.parse(text)).not.toThrow();
    }
  });
});

describe("a token of another project", () => {
  const assemble = "POST /api/0/organizations/acme/artifactbundle/assemble/";
  const who = "an upload token of the second project";

  it.each([["1"], ["first-project"], ["2", "1"], ["shop"]])(
    "cannot upload to a project that a tool names: %s",
    async (...projects) => {
      const { response, body } = await request(assemble, who, { ...BUNDLE, projects });
      expect(response.status).toBe(403);
      // sentry-cli shows the detail only if it is alone.
      expect(JSON.parse(body)).toEqual({
        detail: "Expected the project of the token: 2 or web-shop.",
      });
    },
  );

  it("causes a failure on the page of its own project if a tool names another one", async () => {
    const projects = ["blog", `<b>${"x".repeat(500)}`, "3", "4"];
    await request(assemble, who, { ...BUNDLE, projects });
    const { proof } = await members.token("owner", "2");
    const headers = { ...proof, accept: "application/json" };
    const { body } = await visit("/p/2/source-maps", { services: members.services, headers });
    const [failure] = JSON.parse(body).failures;
    expect(failure.detail).toMatch(
      /^sentry-cli\/3\.8\.0 named "blog", "<b>x{1,60}…", "3", but its token is for the project 2 or web-shop\.$/,
    );
  });

  it.each([[""], ["2"], ["web-shop"], ["Web-Shop"]])(
    "uploads to its own project, by any name of it: %j",
    async (name) => {
      const { response } = await request(assemble, who, { ...BUNDLE, projects: [name] });
      expect(response.status).toBe(200);
    },
  );

  it("cannot use the paths of another project", async () => {
    const paths = [
      "POST /api/0/projects/acme/1/releases/",
      "PUT /api/0/projects/acme/first-project/releases/1/",
      "PUT /source-maps",
    ];
    for (const path of paths)
      expect((await request(path, who, { version: "1" })).response.status).toBe(403);
    expect((await request("PUT /p/2/source-maps", who)).response.status).toBe(400);
  });
});

it("uploads to an archived project are refused", async () => {
  await members.change(members.deployer, { do: "create-project", name: "Old" });
  const { proof } = await members.token("uploader", "3");
  await members.change(members.deployer, { do: "archive-project", project: "3" });
  proofs["a token of an archived project"] = proof;
  const { response } = await request("GET /api/0/", "a token of an archived project");
  expect(response.status).toBe(403);
});
