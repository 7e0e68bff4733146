import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { fail } from "../../../src/core/result.ts";
import { visit } from "../../support/app.ts";
import { expectConsoleError } from "../../support/console.ts";
import { fresh } from "../../support/fresh.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "../../support/people.ts";

/**
 * The required role of a route, and the status of an authorized request without a body.
 */
interface Row {
  readonly needs: "nothing" | "person" | "viewer" | "member" | "owner";
  readonly answers: number;
  /** A path of this route, where the pattern itself is none. */
  readonly path?: string;
  /** The status for API tokens, if it differs. */
  readonly tokens?: number;
}

/**
 * Every route of the first project's desk, and what is public; those of other projects are the
 * same.
 */
const ROUTES: Readonly<Record<string, Row>> = {
  "GET /e/:digest": { needs: "nothing", answers: 200, path: "/e/7F3K-Q2M9" },
  "POST /e/:digest": { needs: "nothing", answers: 400, path: "/e/7F3K-Q2M9" },
  "POST /theme": { needs: "nothing", answers: 400 },
  "GET /sign-in": { needs: "nothing", answers: 401 },
  "POST /sign-in": { needs: "nothing", answers: 403 },
  "POST /sign-in/options": { needs: "nothing", answers: 200 },
  "POST /sign-in/passkey": { needs: "nothing", answers: 403 },
  "POST /sign-out": { needs: "nothing", answers: 200 },
  "GET /profile": { needs: "person", answers: 200 },
  "GET /profile.json": { needs: "person", answers: 200 },
  "POST /profile": { needs: "person", answers: 400 },
  "POST /profile/passkeys/options": { needs: "person", answers: 200, tokens: 403 },
  "POST /profile/passkeys": { needs: "person", answers: 403 },
  "GET /projects": { needs: "person", answers: 200 },
  "GET /projects.json": { needs: "person", answers: 200 },
  "POST /projects": { needs: "person", answers: 400 },
  "GET /": { needs: "viewer", answers: 200 },
  "GET /lookup": { needs: "viewer", answers: 200 },
  "GET /lookup.json": { needs: "viewer", answers: 200 },
  "GET /issues": { needs: "viewer", answers: 200 },
  "GET /issues.json": { needs: "viewer", answers: 200 },
  "GET /d/:digest": { needs: "viewer", answers: 404, path: "/d/7F3K-Q2M9" },
  "GET /d/:digest/files/:n": { needs: "viewer", answers: 404, path: "/d/7F3K-Q2M9/files/0" },
  "GET /noise": { needs: "viewer", answers: 301 },
  "GET /releases": { needs: "viewer", answers: 200 },
  "GET /releases.json": { needs: "viewer", answers: 200 },
  "GET /releases/:name{.+}": { needs: "viewer", answers: 404, path: "/releases/1.0" },
  "GET /csp": { needs: "viewer", answers: 200 },
  "GET /csp.json": { needs: "viewer", answers: 200 },
  "POST /csp": { needs: "viewer", answers: 200 },
  "POST /csp.json": { needs: "viewer", answers: 200 },
  "GET /live": { needs: "viewer", answers: 200 },
  "GET /live.json": { needs: "viewer", answers: 200 },
  "GET /live/socket": { needs: "viewer", answers: 426 },
  "GET /status": { needs: "viewer", answers: 200 },
  "GET /status.json": { needs: "viewer", answers: 200 },
  "GET /connect": { needs: "viewer", answers: 200 },
  "GET /connect.json": { needs: "viewer", answers: 200 },
  "POST /issues/state": { needs: "member", answers: 400 },
  "POST /saved-views": { needs: "member", answers: 400 },
  "POST /d/:digest/state": { needs: "member", answers: 400, path: "/d/7F3K-Q2M9/state" },
  "POST /d/:digest/annotations": {
    needs: "member",
    answers: 400,
    path: "/d/7F3K-Q2M9/annotations",
  },
  "GET /self-test": { needs: "member", answers: 200 },
  "GET /self-test/:kind": { needs: "member", answers: 404, path: "/self-test/none" },
  "POST /d/:digest/erase": { needs: "owner", answers: 400, path: "/d/7F3K-Q2M9/erase" },
  "GET /export": { needs: "owner", answers: 400, path: "/export?day=never" },
  "POST /import": { needs: "owner", answers: 400 },
  "POST /erase": { needs: "owner", answers: 400 },
  "POST /rebuild": { needs: "owner", answers: 202 },
  "POST /sample": { needs: "owner", answers: 200 },
  "POST /sample/remove": { needs: "owner", answers: 200 },
  "GET /settings": { needs: "owner", answers: 200 },
  "GET /settings.json": { needs: "owner", answers: 200 },
  "POST /settings": { needs: "owner", answers: 400 },
  "GET /settings/audit": { needs: "owner", answers: 200 },
  "GET /settings/audit.json": { needs: "owner", answers: 200 },
};

const VISITORS = [
  "a stranger",
  "a viewer",
  "a member",
  "an owner",
  "an owner of another project",
  "a viewer's token",
  "an owner's token",
  "a revoked token",
  "a token of another project",
  "whoever Access lets through",
  "a forged assertion of Access",
  "an expired assertion of Access",
  "a session that was ended",
  "an owner, sent by another site",
] as const;
type Who = (typeof VISITORS)[number];

let desk: TestMembers;
/** The proofs of each, for the first project and for the second. */
const proofs: Record<"1" | "2", Partial<Record<Who, Proof>>> = { 1: {}, 2: {} };

beforeAll(async () => {
  desk = await createMembers();
  await desk.did(desk.deployer, { do: "create-project", name: "Second" });
  for (const [project, other] of [
    ["1", "2"],
    ["2", "1"],
  ] as const) {
    const ended = await desk.invite("owner", project);
    await desk.did(ended.actor, { do: "end-sessions" });
    const revoked = await desk.token("owner", project);
    await desk.did(desk.deployer, { do: "revoke-token", project, token: revoked.id });
    proofs[project] = {
      "a stranger": {},
      "a viewer": (await desk.invite("viewer", project)).proof,
      "a member": (await desk.invite("member", project)).proof,
      "an owner": (await desk.invite("owner", project)).proof,
      "an owner of another project": (await desk.invite("owner", other)).proof,
      "a viewer's token": (await desk.token("viewer", project)).proof,
      "an owner's token": (await desk.token("owner", project)).proof,
      "a revoked token": revoked.proof,
      "a token of another project": (await desk.token("owner", other)).proof,
      "whoever Access lets through": await desk.assertion("ada@example.com"),
      "a forged assertion of Access": await desk.assertion("ada@example.com", "forged"),
      "an expired assertion of Access": await desk.assertion("ada@example.com", "expired"),
      "a session that was ended": ended.proof,
      "an owner, sent by another site": {
        ...(await desk.invite("owner", project)).proof,
        "sec-fetch-site": "cross-site",
        origin: "https://evil.example",
      },
    };
  }
});

afterAll(() => fresh());

const REACH = { viewer: 1, member: 2, owner: 3 } as const;

/** The status for a principal at a route of `project`. */
function expected(who: Who, row: Row, isPost: boolean, project: "1" | "2"): number {
  const isToken = who === "a viewer's token" || who === "an owner's token";
  const granted = isToken ? (row.tokens ?? row.answers) : row.answers;
  const isSentElsewhere = who === "an owner, sent by another site";
  if (row.needs === "nothing") return isSentElsewhere && isPost ? 403 : granted;
  switch (who) {
    case "a stranger":
    case "a revoked token":
    case "a forged assertion of Access":
    case "an expired assertion of Access":
    case "a session that was ended":
      return 401;
    case "an owner, sent by another site":
      return isPost ? 403 : granted;
    case "an owner of another project":
    case "a token of another project":
      if (row.needs !== "person") return 404;
      return who === "a token of another project" ? (row.tokens ?? granted) : granted;
    case "whoever Access lets through":
      // A member of the first project, and of no other.
      if (row.needs === "person") return granted;
      if (project !== "1") return 404;
      return REACH.member >= REACH[row.needs] ? granted : 403;
    case "a viewer":
    case "a viewer's token":
      return row.needs === "person" || row.needs === "viewer" ? granted : 403;
    case "a member":
      return row.needs === "owner" ? 403 : granted;
    case "an owner":
    case "an owner's token":
      return granted;
  }
}

/** The routes of the router, as it has them; of every project's desk those below its path too. */
function routes(): readonly { readonly method: string; readonly path: string }[] {
  const app = createApp(() => fail({ reason: "bad-config", problems: [] }));
  const all = app.routes.filter(({ method }) => method !== "ALL");
  const once = [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()];
  // Signing out ends the session of this principal.
  return once.sort((a, b) => Number(a.path === "/sign-out") - Number(b.path === "/sign-out"));
}

it("every route has its row, and every row its route", () => {
  const own = routes().map(({ method, path }) => {
    return `${method} ${path.replace(/^\/p\/:project(?=\/|$)/, "") || "/"}`;
  });
  expect([...new Set(own)].sort()).toEqual(Object.keys(ROUTES).sort());
});

describe.each(VISITORS)("%s", (who) => {
  it.each(routes().map(({ method, path }) => [`${method} ${path}`]))("%s", async (route) => {
    const [method = "", pattern = ""] = route.split(" ");
    const isSecond = pattern.startsWith("/p/:project");
    const project = isSecond ? "2" : "1";
    const name = pattern.replace(/^\/p\/:project/, "") || "/";
    const row = ROUTES[`${method} ${name}`];
    if (row === undefined) throw new Error(`no row for ${route}`);
    // The log of a made-up store says why it began anew.
    if (name === "/rebuild") expectConsoleError();
    const path = (isSecond ? "/p/2" : "") + (row.path ?? name);
    const isPost = method === "POST";
    const proof = proofs[project][who] ?? {};
    const { response } = await visit(path, {
      method,
      origin: ORIGIN,
      services: desk.services,
      redirect: "manual",
      headers: {
        accept: "application/json",
        ...(proof.cookie && method === "POST" ? OWN_PAGE : {}),
        ...(proof["cf-access-jwt-assertion"] && method === "POST" ? OWN_PAGE : {}),
        ...proof,
      },
    });
    expect(response.status).toBe(expected(who, row, isPost, project));
  });
});
