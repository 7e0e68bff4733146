import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleRequest } from "#src/app.ts";
import { signValue } from "#src/auth/signed-value.ts";
import { ok } from "#src/core/result.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings } from "#support/store/store.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json", accept: "application/json" };

let members: TestMembers;
let owner: { readonly proof: Proof };

beforeAll(async () => {
  members = await createMembers();
  owner = await members.invite("owner");
});

afterAll(() => emptyStore());

function visitDesk(path: string, headers: Proof = {}, body?: string) {
  return visit(path, {
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    headers,
    ...(body !== undefined && { method: "POST", body }),
  });
}

/** An invitation code for a viewer. */
async function createInviteCode(): Promise<string> {
  const change = { do: "invite", project: "1", role: "viewer" } as const;
  return (await members.change(members.deployer, change)).secrets?.[0] ?? "";
}

describe("session fixation", () => {
  it("a planted session is not continued by a sign-in, and ends", async () => {
    const plantedMember = await members.invite("viewer");
    await members.change(plantedMember.actor, { do: "end-sessions" });
    const code = await createInviteCode();
    const { response } = await visitDesk(
      "/sign-in",
      { ...FORM, ...OWN_PAGE, ...plantedMember.proof },
      `code=${code}&name=Planted`,
    );
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(response.status).toBe(303);
    expect(cookie).toMatch(/^__Host-errata-session=/);
    expect(cookie).not.toContain(plantedMember.proof.cookie);
    const again = await visitDesk("/profile.json", plantedMember.proof);
    expect(again.response.status).toBe(401);
  });

  it("a forged session is unauthenticated, whatever id it contains", async () => {
    const { secret, sessions } = await members.registry.readCopy();
    const id = sessions[0]?.id ?? "";
    for (const value of [
      id,
      `${id}.`,
      `${id}.${"A".repeat(43)}`,
      signValue("session", id, "another secret"),
      // A value signed for another purpose is not a session.
      signValue("sign-in", id, secret),
      `${signValue("session", id, secret)}A`,
      ".",
      "",
    ]) {
      const { response } = await visitDesk("/profile.json", {
        cookie: `__Host-errata-session=${value}`,
      });
      expect(response.status, value).toBe(401);
    }
  });

  it("over HTTPS, a cookie without its prefix is ignored, because another host of the site can set it", async () => {
    const cookie = owner.proof.cookie?.replace("__Host-", "") ?? "";
    expect((await visitDesk("/profile.json", { cookie })).response.status).toBe(401);
    expect((await visitDesk("/profile.json", owner.proof)).response.status).toBe(200);
  });
});

describe("CSRF", () => {
  it.each<[string, Proof]>([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another host of the site", { "sec-fetch-site": "same-site", origin: "https://a.example" }],
    ["a sandboxed frame", { origin: "null" }],
    ["a client without Sec-Fetch-Site and Origin", {}],
  ])("a session sent by %s changes nothing", async (_, headers) => {
    const body = JSON.stringify({ do: "rename-project", name: "Taken" });
    const { response } = await visitDesk(
      "/settings",
      { ...JSON_TYPE, ...owner.proof, ...headers },
      body,
    );
    expect(response.status).toBe(403);
    expect((await members.registry.readFresh("a test")).projects[0]?.name).toBe("First project");
  });

  it("another site cannot sign users in or out", async () => {
    const evil = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const code = await createInviteCode();
    const signIn = await visitDesk("/sign-in", { ...FORM, ...evil }, `code=${code}`);
    const signOut = await visitDesk("/sign-out", { ...FORM, ...evil, ...owner.proof }, "");
    for (const { response } of [signIn, signOut]) {
      expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
    }
  });

  it("a WebSocket from a page of another site is refused", async () => {
    const headers = { upgrade: "websocket", origin: "https://evil.example", ...owner.proof };
    expect((await visitDesk("/live/socket", headers)).response.status).toBe(403);
  });
});

describe("open redirect", () => {
  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/%09/evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "\\\\evil.example",
    "/..//evil.example",
  ])("a sign-in redirects only to this host: returnTo=%j", async (returnTo) => {
    const signInForm = new URLSearchParams({ code: await createInviteCode(), returnTo });
    const { response } = await visitDesk(
      "/sign-in",
      { ...FORM, ...OWN_PAGE, ...owner.proof },
      String(signInForm),
    );
    const location = response.headers.get("location") ?? "";
    expect(response.status).toBe(303);
    expect(new URL(location, ORIGIN).origin).toBe(ORIGIN);
    expect(location).not.toMatch(/^\/\//);
  });

  it("a visitor who is not signed in is redirected to the sign-in page, with a path of this host", async () => {
    const { response } = await visitDesk("/p/2/issues?q=%22%3E%3Cscript", { accept: "text/html" });
    const location = response.headers.get("location") ?? "";
    expect(location).toBe("/sign-in?returnTo=%2Fp%2F2%2Fissues%3Fq%3D%2522%253E%253Cscript");
  });
});

describe("IDOR", () => {
  it("ids of another project's keys, people, tokens and invitations have no effect", async () => {
    const { createdId: second = "" } = await members.change(members.deployer, {
      do: "create-project",
      name: "Second",
    });
    const { createdId: key = "" } = await members.change(members.deployer, {
      do: "add-key",
      kind: "public",
      project: second,
      name: "web",
      origins: [],
    });
    const token = await members.token("owner", second);
    const invitation = await members.change(members.deployer, {
      do: "invite",
      project: second,
      role: "owner",
    });
    const before = await members.registry.readFresh("a test");
    for (const body of [
      { do: "revoke-key", key },
      { do: "rotate-key", key },
      { do: "change-key", key, name: "mine" },
      { do: "revoke-token", token: token.id },
      { do: "withdraw-invitation", invitation: invitation.createdId },
    ]) {
      const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
      const { response } = await visitDesk("/settings", headers, JSON.stringify(body));
      expect(response.status, body.do).toBe(404);
    }
    expect(await members.registry.readFresh("a test")).toEqual(before);
  });

  it("an unknown project and an inaccessible one get the same response", async () => {
    const viewer = await members.invite("viewer");
    const headers = { accept: "application/json", ...viewer.proof };
    const responses = [];
    for (const path of ["/p/2/issues", "/p/999/issues", "/p/x/issues", "/p/2/settings"]) {
      const { response, body } = await visitDesk(path, headers);
      responses.push([response.status, body]);
    }
    expect(new Set(responses.map(String)).size).toBe(1);
  });
});

describe("mass assignment", () => {
  it.each([
    { do: "rename-project", name: "X", project: "2" },
    { do: "invite", role: "viewer", by: "Ada" },
    { do: "add-key", name: "X", key: "chosen0000000000" },
    { do: "add-token", name: "X", role: "viewer", hash: toSha256("known") },
    { do: "set-role", person: "x", role: "deployer" },
    { do: "create-project", name: "X" },
    { do: "access-sign-in", name: "eve@example.com", ownership: "granted" },
    {
      do: "sign-in-with-code",
      hash: toSha256("x"),
      setup: { hash: toSha256("x"), untilMs: 9e15 },
    },
    { do: "add-passkey", passkey: { id: "x" } },
    { do: "__proto__" },
    { do: ["invite"], role: "owner" },
  ])("%j is refused because of its fields", async (body) => {
    const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
    const { response } = await visitDesk("/settings", headers, JSON.stringify(body));
    expect(response.status).toBe(400);
  });

  it("an invited person chooses a name, and neither a role nor a project", async () => {
    const body = new URLSearchParams({
      code: await createInviteCode(),
      role: "owner",
      project: "2",
    });
    await visitDesk("/sign-in", { ...FORM, ...OWN_PAGE }, String(body));
    const { memberships } = await members.registry.readFresh("a test");
    expect(memberships.at(-1)).toMatchObject({ role: "viewer", project: "1" });
  });
});

describe("header injection", () => {
  it.each(["a\r\nSet-Cookie: x=1", "a\nb", "\u0000", "ü€😀"])(
    "no text of form fields becomes part of a header: %j",
    async (text) => {
      const body = new URLSearchParams({
        code: await createInviteCode(),
        name: text,
        returnTo: `/issues?q=${text}`,
      });
      const { response } = await visitDesk(
        "/sign-in",
        { ...FORM, ...OWN_PAGE, ...owner.proof, "user-agent": "a" },
        String(body),
      );
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toMatch(/^\/issues\?q=[\x21-\x7e]*$/);
      expect(response.headers.getSetCookie().join()).not.toContain("x=1");
    },
  );
});

describe("cache leaks between users", () => {
  it.each([
    "/",
    "/issues",
    "/profile",
    "/settings",
    "/settings/audit",
    "/projects",
    "/sign-in",
    "/status",
  ])("%s is stored by no cache, whether the visitor is signed in or not", async (path) => {
    for (const headers of [owner.proof, {}]) {
      const { response } = await visitDesk(path, { accept: "text/html", ...headers });
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
  });
});

describe("JSON whose texts are objects", () => {
  const evil = { toString: 1, valueOf: 1 };
  it.each<[string, object]>([
    ["/settings", { do: "add-key", kind: "public", name: "x", origins: evil }],
    ["/settings", { do: "add-key", kind: "public", name: "x", perMinute: evil }],
    ["/settings", { do: "set-keyless", keyless: "origins", origins: evil }],
    ["/erase", { preview: "7".repeat(32), confirm: "x", reports: evil }],
  ])("is refused with 400: %s %j", async (path, fields) => {
    const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
    const { response } = await visitDesk(path, headers, JSON.stringify(fields));
    expect(response.status).toBe(400);
  });

  it("confirms no email address", async () => {
    const body = JSON.stringify({ address: evil, until: evil, signature: evil });
    const { response } = await visitDesk(
      "/alerts/confirm-email",
      { ...JSON_TYPE, ...OWN_PAGE },
      body,
    );
    expect(response.status).toBe(404);
  });
});

describe("oversized credentials", () => {
  it.each<[string, Proof]>([
    ["a cookie", { cookie: `__Host-errata-session=${"A".repeat(100_000)}` }],
    ["many cookies", { cookie: "__Host-errata-session=x; ".repeat(5_000) }],
    ["a token", { authorization: `Bearer errata_${"A".repeat(100_000)}` }],
    ["an assertion", { "cf-access-jwt-assertion": "A".repeat(100_000) }],
    ["a challenge", { cookie: `errata-challenge=${"A".repeat(100_000)}` }],
  ])("%s is unauthenticated", async (_, headers) => {
    const { response } = await visitDesk("/issues.json", headers);
    expect(response.status).toBe(401);
    const passkeyResponse = JSON.stringify({ response: { id: "x" } });
    const visited = await visitDesk(
      "/sign-in/passkey",
      { ...JSON_TYPE, ...headers },
      passkeyResponse,
    );
    expect(visited.response.status).toBe(403);
  });

  it.each([
    { response: null },
    { response: { id: {} } },
    { response: { id: "x", response: { clientDataJSON: "!!" }, type: "public-key" } },
    { response: "x".repeat(39_000) },
    {},
  ])("an invalid passkey response is refused without an exception", async (body) => {
    for (const path of ["/sign-in/passkey", "/profile/passkeys"]) {
      const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
      expect((await visitDesk(path, headers, JSON.stringify(body))).response.status).toBe(403);
    }
  });
});

describe("secrets", () => {
  it("tokens, invitations and recovery codes are stored only as hashes", async () => {
    const { proof } = await members.token("viewer");
    const code = await createInviteCode();
    const codes =
      (await members.change(members.deployer, { do: "new-recovery-codes" })).secrets ?? [];
    const registryText = JSON.stringify(await members.registry.readFresh("a test"));
    const copyInKv = (await bindings.KV.get("registry")) ?? "";
    for (const secret of [proof.authorization?.slice(7) ?? "", code, ...codes]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(registryText + copyInKv).not.toContain(secret);
    }
  });

  it("neither pages nor JSON show a hash, the secret, a recovery code or a full session id", async () => {
    const { secret, sessions, tokens, invitations } = await members.registry.readFresh("a test");
    const hidden = [
      secret,
      ...sessions.map(({ id }) => id),
      ...tokens.map(({ hash }) => hash),
      ...invitations.map(({ hash }) => hash),
    ];
    for (const path of [
      "/settings",
      "/settings.json",
      "/profile",
      "/profile.json",
      "/settings/audit.json",
    ]) {
      const { body } = await visitDesk(`${path}`, { accept: "text/html", ...owner.proof });
      expect(body.length).toBeGreaterThan(10);
      for (const text of hidden) expect(body).not.toContain(text);
    }
  });

  it("a new token is shown in the response to its form, and never again", async () => {
    const fields = "do=add-token&name=ci&role=viewer";
    const created = await visitDesk("/settings", { ...FORM, ...OWN_PAGE, ...owner.proof }, fields);
    const [token = ""] = /errata_[\w-]{43}/.exec(created.body) ?? [];
    expect([created.response.status, token === ""]).toEqual([200, false]);
    expect(
      (await visitDesk("/settings", { accept: "text/html", ...owner.proof })).body,
    ).not.toContain(token);
  });
});

it("sign-in attempts are limited by address", async () => {
  const limiters = { signIn: async () => false } as unknown as NonNullable<
    TestMembers["services"]["limiters"]
  >;
  for (const path of ["/sign-in", "/sign-in/options", "/sign-in/passkey"]) {
    const { response } = await visit(path, {
      method: "POST",
      origin: ORIGIN,
      body: "code=x",
      headers: { ...FORM, ...OWN_PAGE, "cf-connecting-ip": "203.0.113.7" },
      services: { ...members.services, limiters },
    });
    expect(response.status).toBe(429);
  }
});

it("the audit log contains changes and who made them, and no refused change", async () => {
  const member = await members.invite("member");
  await members.change(member.actor, { do: "rename-person", name: "Grace" });
  const headers = { ...JSON_TYPE, ...OWN_PAGE, ...member.proof };
  await visitDesk("/d/7F3K-Q2M9/state", headers, JSON.stringify({ state: "resolved" }));
  await visitDesk("/settings", headers, JSON.stringify({ do: "rename-project", name: "Mine" }));
  const { body } = await visitDesk("/settings/audit.json", owner.proof);
  const [newest] = JSON.parse(body).entries;
  expect(newest).toMatchObject({
    by: "Grace",
    action: "issues.decide",
    subject: "7F3K-Q2M9",
  });
  expect(body).not.toContain("Mine");
});

it("the audit log contains nothing about other projects, nor about people outside the owner's projects", async () => {
  const otherOwner = await members.invite("owner");
  const { createdId: own = "" } = await members.change(otherOwner.actor, {
    do: "create-project",
    name: "Quite secret",
  });
  const { secrets: [code = ""] = [] } = await members.change(otherOwner.actor, {
    do: "invite",
    project: own,
    role: "viewer",
  });
  const change = {
    do: "sign-in-with-code",
    hash: toSha256(code),
    name: "A person elsewhere",
    userAgent: "",
  };
  await members.change(null, change as never);
  const { body } = await visitDesk("/settings/audit.json", owner.proof);
  expect(JSON.parse(body).entries.length).toBeGreaterThan(0);
  expect(body).not.toMatch(/Quite secret|A person elsewhere/);
  const otherLog = await visitDesk(`/p/${own}/settings/audit.json`, otherOwner.proof);
  expect(otherLog.body).toContain("A person elsewhere");
});

it("the live sockets of a project are closed when a member is removed", async () => {
  const closedProjects: string[] = [];
  const closeLiveSockets = async () => void closedProjects.push("1");
  const member = await members.invite("member");
  const { memberships } = await members.registry.readFresh("a test");
  const person = memberships.at(-1)?.person;
  const body = JSON.stringify({ do: "remove-member", person });
  const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
  const services = {
    ...createTestServices({ waitUntil() {} }),
    ...members.services,
    closeLiveSockets,
  };
  const request = new Request(`${ORIGIN}/settings`, { method: "POST", headers, body });
  const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
  expect((await handleRequest(request, ok(services), context as never)).status).toBe(200);
  expect(closedProjects).toEqual(["1"]);
  expect((await visitDesk("/live.json", member.proof)).response.status).toBe(401);
});

it("a member of another project only is redirected there, and sees nothing of the first", async () => {
  const { createdId: own = "" } = await members.change(members.deployer, {
    do: "create-project",
    name: "Own",
  });
  const member = await members.invite("member", own);
  const { response } = await visitDesk("/", { accept: "text/html", ...member.proof });
  expect([response.status, response.headers.get("location")]).toEqual([303, `/p/${own}/`]);
  const { body } = await visitDesk("/profile?streaming=off", {
    accept: "text/html",
    ...member.proof,
  });
  expect(body).toContain(`href="/p/${own}/issues"`);
  expect(body).not.toContain('href="/issues"');
});

describe("over plain HTTP", () => {
  const http = ORIGIN.replace("https", "http");

  it("sign-in is refused, and sessions are ignored", async () => {
    const cookie = owner.proof.cookie?.replace("__Host-", "") ?? "";
    const services = members.services;
    const profile = await visit("/profile.json", { origin: http, services, headers: { cookie } });
    expect(profile.response.status).toBe(401);
    const visited = await visit("/sign-in", {
      method: "POST",
      origin: http,
      services,
      headers: { ...FORM, origin: http },
      body: `code=${await createInviteCode()}`,
    });
    expect(visited.response.status).toBe(403);
    expect(visited.response.headers.get("set-cookie") ?? "").not.toMatch(/errata-session=/);
  });
});

describe("an invalid project in a URL", () => {
  it.each(["%0a", "%0d%0aX:y", "..%2f..%2f", "01", "-1", "1e3", "%D9%A1", "9999999999", "x"])(
    "/p/%s is 404, for public receipts too",
    async (project) => {
      for (const path of [`/p/${project}/e/7f3kq2m9`, `/p/${project}/issues`]) {
        const { response } = await visitDesk(path, { accept: "text/html", ...owner.proof });
        expect(response.status).toBe(404);
      }
    },
  );
});

describe("the limits per person", () => {
  it("apply to changes of the profile", async () => {
    const limiters = { signIn: async () => false } as unknown as NonNullable<
      TestMembers["services"]["limiters"]
    >;
    const { response } = await visit("/profile", {
      method: "POST",
      origin: ORIGIN,
      services: { ...members.services, limiters },
      headers: { ...FORM, ...OWN_PAGE, ...owner.proof },
      body: "do=rename-person&name=Deployer",
    });
    expect(response.status).toBe(429);
  });

  it("prevent the owner of one project from filling the registry for others", async () => {
    const { createdId: own = "" } = await members.change(members.deployer, {
      do: "create-project",
      name: "Big",
    });
    const otherOwner = await members.invite("owner", own);
    const origins = Array.from({ length: 20 }, (_, n) => `https://${n}.${"a".repeat(240)}.example`);
    const projects = [own];
    for (let created = true; created; ) {
      const create = { do: "create-project", name: `Big ${projects.length}` } as const;
      const result = await members.registry.applyChange(otherOwner.actor, create);
      created = result.ok;
      if (result.ok) projects.push(result.value.createdId ?? "");
    }
    for (const project of projects) {
      const fill = { do: "add-key", kind: "public", project, name: "web", origins } as const;
      while ((await members.registry.applyChange(otherOwner.actor, fill)).ok);
    }
    expect(projects.length).toBeLessThan(12);
    const ownerOfFirst = await members.invite("owner");
    const { createdId: key = "" } = await members.change(ownerOfFirst.actor, {
      do: "add-key",
      kind: "public",
      project: "1",
      name: "web",
      origins: [],
    });
    await members.change(ownerOfFirst.actor, {
      do: "rotate-key",
      project: "1",
      key,
      overlapMs: 60_000,
    });
    await members.change(ownerOfFirst.actor, {
      do: "add-token",
      project: "1",
      name: "ci",
      role: "viewer",
    });
    await members.change(ownerOfFirst.actor, { do: "new-recovery-codes" });
    await members.change(ownerOfFirst.actor, { do: "create-project", name: "Mine" });
    expect((await members.invite("viewer")).proof).toBeDefined();
  });
});

it("signing out deletes the cookie of the browser even while the registry is unavailable", async () => {
  const registry = {
    ...members.registry,
    applyChange: async () => {
      throw new Error("unavailable");
    },
  };
  const { response } = await visit("/sign-out", {
    method: "POST",
    origin: ORIGIN,
    services: { ...members.services, registry },
    headers: { ...FORM, ...OWN_PAGE, ...owner.proof },
  });
  expect(response.headers.get("set-cookie")).toMatch(/^__Host-errata-session=; .*Max-Age=0/);
});
