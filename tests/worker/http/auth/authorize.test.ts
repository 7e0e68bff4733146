import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "#src/app.ts";
import { SETTINGS_PAGES } from "#src/http/desk/settings-pages.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { expectConsoleError } from "#support/console.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

/**
 * The required role of a route, and the status of an authorized request without a body.
 */
interface Row {
  readonly requiredRole: "nothing" | "person" | "viewer" | "member" | "owner";
  readonly status: number;
  /** A path of this route, if the pattern is not a path. */
  readonly path?: string;
  /** The status for API tokens, if it differs. */
  readonly tokenStatus?: number;
  /** The status for everyone, if nobody can use the route in this deployment. */
  readonly statusForAll?: number;
  /** True if an upload token of the project is enough. */
  readonly isUpload?: true;
}

/** The settings pages, as they are declared. */
const SETTINGS_ROUTES: Readonly<Record<string, Row>> = Object.fromEntries(
  SETTINGS_PAGES.flatMap(({ path, role, hasJson }) =>
    (hasJson ? [path, `${path}.json`] : [path]).map((route) => [
      `GET ${route}`,
      { requiredRole: role, status: 200 },
    ]),
  ),
);

/** Behind Access, there is no OAuth. `worker/http/oauth/` has its tests. */
const OAUTH_ROUTES: Readonly<Record<string, Row>> = Object.fromEntries(
  [
    "POST /oauth/token",
    "POST /oauth/revoke",
    "POST /oauth/device",
    "GET /oauth/authorize",
    "POST /oauth/authorize",
    "GET /device",
    "POST /device",
  ].map((route) => [route, { requiredRole: "nothing", status: 404, statusForAll: 404 }]),
);

/**
 * Every route of the first project's desk, and what is public; those of other projects are the
 * same.
 */
const ROUTES: Readonly<Record<string, Row>> = {
  ...SETTINGS_ROUTES,
  ...OAUTH_ROUTES,
  "GET /deployment.json": { requiredRole: "nothing", status: 404 },
  "GET /e/:digest": { requiredRole: "nothing", status: 200, path: "/e/7F3K-Q2M9" },
  "POST /e/:digest": { requiredRole: "nothing", status: 400, path: "/e/7F3K-Q2M9" },
  "GET /e/:digest/tell": { requiredRole: "nothing", status: 302, path: "/e/7F3K-Q2M9/tell" },
  "POST /e/:digest/tell": { requiredRole: "nothing", status: 404, path: "/e/7F3K-Q2M9/tell" },
  "GET /e/:digest/confirm": { requiredRole: "nothing", status: 404, path: "/e/7F3K-Q2M9/confirm" },
  "POST /e/:digest/confirm": {
    requiredRole: "nothing",
    status: 404,
    path: "/e/7F3K-Q2M9/confirm",
  },
  "GET /R/:digest": { requiredRole: "nothing", status: 302, path: "/R/7F3K-Q2M9" },
  "GET /P/:project/R/:digest": {
    requiredRole: "nothing",
    status: 302,
    path: "/P/2/R/7F3K-Q2M9",
  },
  "GET /opensearch.xml": { requiredRole: "nothing", status: 200 },
  "GET /docs/search": { requiredRole: "nothing", status: 200 },
  "POST /theme": { requiredRole: "nothing", status: 400 },
  "GET /sign-in": { requiredRole: "nothing", status: 401 },
  "POST /sign-in": { requiredRole: "nothing", status: 403 },
  "POST /sign-in/options": { requiredRole: "nothing", status: 200 },
  "POST /sign-in/invitation": { requiredRole: "nothing", status: 403 },
  "POST /sign-in/passkey": { requiredRole: "nothing", status: 403 },
  "POST /sign-out": { requiredRole: "nothing", status: 200 },
  "GET /profile": { requiredRole: "person", status: 200 },
  "GET /profile.json": { requiredRole: "person", status: 200 },
  "POST /profile": { requiredRole: "person", status: 400 },
  "POST /profile/passkeys/options": { requiredRole: "person", status: 200, tokenStatus: 403 },
  "POST /profile/passkeys": { requiredRole: "person", status: 403 },
  "GET /projects": { requiredRole: "person", status: 200 },
  "GET /projects.json": { requiredRole: "person", status: 200 },
  "POST /projects": { requiredRole: "person", status: 400 },
  "GET /": { requiredRole: "viewer", status: 200 },
  "GET /lookup": { requiredRole: "viewer", status: 200 },
  "GET /lookup.json": { requiredRole: "viewer", status: 200 },
  "GET /issues": { requiredRole: "viewer", status: 200 },
  "GET /issues.json": { requiredRole: "viewer", status: 200 },
  "GET /issue-values.json": { requiredRole: "viewer", status: 200 },
  "GET /d/:digest": { requiredRole: "viewer", status: 404, path: "/d/7F3K-Q2M9" },
  "GET /d/:digest/files/:n": { requiredRole: "viewer", status: 404, path: "/d/7F3K-Q2M9/files/0" },
  "GET /d/:digest/tracker": { requiredRole: "member", status: 404, path: "/d/7F3K-Q2M9/tracker" },
  "GET /policies": { requiredRole: "viewer", status: 301 },
  "GET /noise": { requiredRole: "viewer", status: 301 },
  "GET /all-alerts": { requiredRole: "viewer", status: 200 },
  "GET /all-alerts.json": { requiredRole: "viewer", status: 200 },
  "GET /all-issues": { requiredRole: "viewer", status: 200 },
  "GET /all-issues.json": { requiredRole: "viewer", status: 200 },
  "GET /releases": { requiredRole: "viewer", status: 200 },
  "GET /releases.json": { requiredRole: "viewer", status: 200 },
  "GET /releases/:name{.+}": { requiredRole: "viewer", status: 404, path: "/releases/1.0" },
  "GET /csp": { requiredRole: "viewer", status: 200 },
  "GET /csp.json": { requiredRole: "viewer", status: 200 },
  "POST /csp": { requiredRole: "viewer", status: 200 },
  "POST /csp.json": { requiredRole: "viewer", status: 200 },
  "GET /live": { requiredRole: "viewer", status: 200 },
  "GET /live.json": { requiredRole: "viewer", status: 200 },
  "GET /live/socket": { requiredRole: "viewer", status: 426 },
  "GET /scope": { requiredRole: "viewer", status: 200 },
  "POST /scope": { requiredRole: "viewer", status: 200 },
  "GET /source-maps/:id": { requiredRole: "viewer", status: 404, path: "/source-maps/none" },
  "GET /alerts/confirm-email": { requiredRole: "nothing", status: 404 },
  "POST /alerts/confirm-email": { requiredRole: "nothing", status: 404 },
  "GET /feeds/:token": { requiredRole: "nothing", status: 404, path: "/feeds/none" },
  "GET /alerts": { requiredRole: "viewer", status: 200 },
  "GET /alerts.json": { requiredRole: "viewer", status: 200 },
  "GET /alerts/preferences": { requiredRole: "viewer", status: 200 },
  "GET /alerts/preferences.json": { requiredRole: "viewer", status: 200 },
  "GET /alerts/act": { requiredRole: "member", status: 404 },
  "GET /settings/alerts/:form": {
    requiredRole: "viewer",
    status: 302,
    path: "/settings/alerts/rules",
  },
  "POST /alerts/read": { requiredRole: "viewer", status: 400 },
  "POST /alerts/preferences": { requiredRole: "member", status: 400, tokenStatus: 403 },
  "POST /settings/alerts/test": { requiredRole: "member", status: 400 },
  "POST /settings/alerts/again": { requiredRole: "member", status: 400 },
  "POST /settings/alerts/rules": { requiredRole: "owner", status: 400 },
  "POST /settings/alerts/destinations": { requiredRole: "owner", status: 400 },
  "POST /settings/alerts/feeds": { requiredRole: "owner", status: 400 },
  "POST /settings/repositories": { requiredRole: "owner", status: 400 },
  "POST /settings/repositories/editor": { requiredRole: "member", status: 200 },
  "PUT /source-maps": { requiredRole: "member", status: 400, isUpload: true },
  "PUT /source-maps/:name{.+}": {
    requiredRole: "member",
    status: 400,
    path: "/source-maps/app.js.map",
    isUpload: true,
  },
  "POST /connect": { requiredRole: "owner", status: 200 },
  "POST /connect/test": { requiredRole: "member", status: 200 },
  "POST /issues/state": { requiredRole: "member", status: 400 },
  "POST /undo": { requiredRole: "member", status: 400 },
  "POST /saved-views": { requiredRole: "member", status: 400 },
  "POST /d/:digest/state": { requiredRole: "member", status: 400, path: "/d/7F3K-Q2M9/state" },
  "POST /d/:digest/annotations": {
    requiredRole: "member",
    status: 400,
    path: "/d/7F3K-Q2M9/annotations",
  },
  "POST /d/:digest/tracker": { requiredRole: "member", status: 400, path: "/d/7F3K-Q2M9/tracker" },
  "POST /hooks/:tracker": { requiredRole: "nothing", status: 404, path: "/hooks/none" },
  "POST /settings/trackers": { requiredRole: "owner", status: 400 },
  "GET /self-test": { requiredRole: "member", status: 200 },
  "POST /self-test/injection": { requiredRole: "member", status: 200 },
  "GET /self-test/:kind": { requiredRole: "member", status: 404, path: "/self-test/none" },
  "POST /source-maps/:id/delete": {
    requiredRole: "owner",
    status: 404,
    path: "/source-maps/none/delete",
  },
  "POST /d/:digest/erase": { requiredRole: "owner", status: 400, path: "/d/7F3K-Q2M9/erase" },
  "GET /export": { requiredRole: "owner", status: 400, path: "/export?day=never" },
  "POST /import": { requiredRole: "owner", status: 400 },
  "POST /erase": { requiredRole: "owner", status: 400 },
  "POST /erase/preview": { requiredRole: "owner", status: 400 },
  "GET /erase/:id": { requiredRole: "owner", status: 404, path: "/erase/none" },
  "POST /rebuild": { requiredRole: "owner", status: 202 },
  "POST /sample": { requiredRole: "owner", status: 200 },
  "POST /sample/remove": { requiredRole: "owner", status: 200 },
  "POST /self-test/remove": { requiredRole: "owner", status: 202 },
  "POST /settings": { requiredRole: "owner", status: 400 },
};

const PRINCIPALS = [
  "an unauthenticated visitor",
  "a viewer",
  "a member",
  "an owner",
  "an owner of another project",
  "a viewer's token",
  "an owner's token",
  "a revoked token",
  "an owner's token for text of servers",
  "a token of another project",
  "an upload token",
  "a person admitted by Access",
  "a forged assertion of Access",
  "an expired assertion of Access",
  "a session that was ended",
  "an owner, sent by another site",
] as const;
type PrincipalName = (typeof PRINCIPALS)[number];

let members: TestMembers;
/** The proofs of each, for the first project and for the second. */
const proofs: Record<"1" | "2", Partial<Record<PrincipalName, Proof>>> = { 1: {}, 2: {} };

beforeAll(async () => {
  members = await createMembers();
  await members.change(members.deployer, { do: "create-project", name: "Second" });
  for (const [project, other] of [
    ["1", "2"],
    ["2", "1"],
  ] as const) {
    const ended = await members.invite("owner", project);
    await members.change(ended.actor, { do: "end-sessions" });
    const revoked = await members.token("owner", project);
    await members.change(members.deployer, { do: "revoke-token", project, token: revoked.id });
    proofs[project] = {
      "an unauthenticated visitor": {},
      "a viewer": (await members.invite("viewer", project)).proof,
      "a member": (await members.invite("member", project)).proof,
      "an owner": (await members.invite("owner", project)).proof,
      "an owner of another project": (await members.invite("owner", other)).proof,
      "a viewer's token": (await members.token("viewer", project)).proof,
      "an owner's token": (await members.token("owner", project)).proof,
      "a revoked token": revoked.proof,
      "an owner's token for text of servers": (
        await members.token("owner", project, { lowestTrust: "server" })
      ).proof,
      "a token of another project": (await members.token("owner", other)).proof,
      "an upload token": (await members.token("uploader", project)).proof,
      "a person admitted by Access": await members.assertion("ada@example.com"),
      "a forged assertion of Access": await members.assertion("ada@example.com", "forged"),
      "an expired assertion of Access": await members.assertion("ada@example.com", "expired"),
      "a session that was ended": ended.proof,
      "an owner, sent by another site": {
        ...(await members.invite("owner", project)).proof,
        "sec-fetch-site": "cross-site",
        origin: "https://evil.example",
      },
    };
  }
});

afterAll(() => emptyStore());

const ROLE_RANK = { viewer: 1, member: 2, owner: 3 } as const;

/** The status for a principal at a route of `project`. */
function getExpectedStatus(
  who: PrincipalName,
  row: Row,
  isChange: boolean,
  project: "1" | "2",
): number {
  if (row.statusForAll !== undefined) return row.statusForAll;
  const isToken = who === "a viewer's token" || who === "an owner's token";
  const granted = isToken ? (row.tokenStatus ?? row.status) : row.status;
  const isSentElsewhere = who === "an owner, sent by another site";
  if (row.requiredRole === "nothing") return isSentElsewhere && isChange ? 403 : granted;
  switch (who) {
    case "an unauthenticated visitor":
    case "a revoked token":
    case "a forged assertion of Access":
    case "an expired assertion of Access":
    case "a session that was ended":
      return 401;
    case "an upload token":
      return row.isUpload ? granted : 401;
    case "an owner's token for text of servers":
      return row.isUpload ? granted : 403;
    case "an owner, sent by another site":
      return isChange ? 403 : granted;
    case "an owner of another project":
    case "a token of another project":
      if (row.requiredRole !== "person") return 404;
      return who === "a token of another project" ? (row.tokenStatus ?? granted) : granted;
    case "a person admitted by Access":
      // A member of the first project, and of no other.
      if (row.requiredRole === "person") return granted;
      if (project !== "1") return 404;
      return ROLE_RANK.member >= ROLE_RANK[row.requiredRole] ? granted : 403;
    case "a viewer":
    case "a viewer's token":
      return row.requiredRole === "person" || row.requiredRole === "viewer" ? granted : 403;
    case "a member":
      return row.requiredRole === "owner" ? 403 : granted;
    case "an owner":
    case "an owner's token":
      return granted;
  }
}

/** The routes of the router, including those of the desks below a project's path. */
function listRoutes(): readonly { readonly method: string; readonly path: string }[] {
  const app = createApp();
  const all = app.routes.filter(({ method }) => method !== "ALL");
  const once = [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()];
  // Signing out ends the session of this principal.
  return once.sort((a, b) => Number(a.path === "/sign-out") - Number(b.path === "/sign-out"));
}

it("settings pages are for owners, except those that say so here", () => {
  const others = SETTINGS_PAGES.filter(({ role }) => role !== "owner");
  expect(others.map(({ path, role }) => `${path} ${role}`).sort()).toEqual([
    "/connect viewer",
    "/settings/alerts viewer",
    "/settings/repositories member",
    "/settings/trackers member",
    "/source-maps viewer",
    "/status viewer",
  ]);
});

it("every route has a row, and every row a route", () => {
  const own = listRoutes().map(({ method, path }) => {
    return `${method} ${path.replace(/^\/p\/:project(?=\/|$)/, "") || "/"}`;
  });
  expect([...new Set(own)].sort()).toEqual(Object.keys(ROUTES).sort());
});

describe.each(PRINCIPALS)("%s", (who) => {
  it.each(listRoutes().map(({ method, path }) => [`${method} ${path}`]))("%s", async (route) => {
    const [method = "", pattern = ""] = route.split(" ");
    const isSecond = pattern.startsWith("/p/:project");
    const project = isSecond ? "2" : "1";
    const name = pattern.replace(/^\/p\/:project/, "") || "/";
    const row = ROUTES[`${method} ${name}`];
    if (row === undefined) throw new Error(`no row for ${route}`);
    // A rebuild of an empty store is logged.
    if (name === "/rebuild") expectConsoleError();
    const path = (isSecond ? "/p/2" : "") + (row.path ?? name);
    const isChange = method !== "GET";
    const proof = proofs[project][who] ?? {};
    const { response } = await visit(path, {
      method,
      origin: ORIGIN,
      services: members.services,
      redirect: "manual",
      headers: {
        accept: "application/json",
        ...(proof.cookie && isChange ? OWN_PAGE : {}),
        ...(proof["cf-access-jwt-assertion"] && isChange ? OWN_PAGE : {}),
        ...proof,
      },
    });
    expect(response.status).toBe(getExpectedStatus(who, row, isChange, project));
  });
});
