import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { signValue } from "../../../src/auth/signed-value.ts";
import { ok } from "../../../src/core/result.ts";
import { testServices, visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import {
  createMembers,
  hashOf,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "../../support/people.ts";
import { bindings } from "../../support/store.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json", accept: "application/json" };

let desk: TestMembers;
let owner: { readonly proof: Proof };

beforeAll(async () => {
  desk = await createMembers();
  owner = await desk.invite("owner");
});

afterAll(() => fresh());

function ask(path: string, headers: Proof = {}, body?: string) {
  return visit(path, {
    origin: ORIGIN,
    services: desk.services,
    redirect: "manual",
    headers,
    ...(body !== undefined && { method: "POST", body }),
  });
}

/** A code that makes its user a member. */
async function aCode(): Promise<string> {
  const change = { do: "invite", project: "1", role: "viewer" } as const;
  return (await desk.did(desk.deployer, change)).secrets?.[0] ?? "";
}

describe("session fixation", () => {
  it("a session that was planted is not the one that begins, and ends", async () => {
    const planted = await desk.invite("viewer");
    await desk.did(planted.actor, { do: "end-sessions" });
    const code = await aCode();
    const { response } = await ask(
      "/sign-in",
      { ...FORM, ...OWN_PAGE, ...planted.proof },
      `code=${code}`,
    );
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(response.status).toBe(303);
    expect(cookie).toMatch(/^__Host-errata-session=/);
    expect(cookie).not.toContain(planted.proof.cookie);
    const again = await ask("/profile.json", planted.proof);
    expect(again.response.status).toBe(401);
  });

  it("a made-up session is nobody's, whatever it names", async () => {
    const { secret, sessions } = await desk.registry.readCopy();
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
      const { response } = await ask("/profile.json", { cookie: `__Host-errata-session=${value}` });
      expect(response.status, value).toBe(401);
    }
  });

  it("over https the cookie without its prefix is not looked at: another host of the site could have set it", async () => {
    const cookie = owner.proof.cookie?.replace("__Host-", "") ?? "";
    expect((await ask("/profile.json", { cookie })).response.status).toBe(401);
    expect((await ask("/profile.json", owner.proof)).response.status).toBe(200);
  });
});

describe("CSRF", () => {
  it.each<[string, Proof]>([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another host of the site", { "sec-fetch-site": "same-site", origin: "https://a.example" }],
    ["a sandboxed frame", { origin: "null" }],
    ["a client that says nothing of its site", {}],
  ])("a session sent by %s changes nothing", async (_, headers) => {
    const body = JSON.stringify({ do: "rename-project", name: "Taken" });
    const { response } = await ask("/settings", { ...JSON_TYPE, ...owner.proof, ...headers }, body);
    expect(response.status).toBe(403);
    expect((await desk.registry.readFresh("a test")).projects[0]?.name).toBe("First project");
  });

  it("nobody can be signed in, or out, by another site", async () => {
    const evil = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const code = await aCode();
    const entered = await ask("/sign-in", { ...FORM, ...evil }, `code=${code}`);
    const left = await ask("/sign-out", { ...FORM, ...evil, ...owner.proof }, "");
    for (const { response } of [entered, left]) {
      expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
    }
  });

  it("a WebSocket of another site's page is refused", async () => {
    const headers = { upgrade: "websocket", origin: "https://evil.example", ...owner.proof };
    expect((await ask("/live/socket", headers)).response.status).toBe(403);
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
  ])("whoever signs in stays on this host: to=%j", async (to) => {
    const entering = new URLSearchParams({ code: await aCode(), returnTo: to });
    const { response } = await ask(
      "/sign-in",
      { ...FORM, ...OWN_PAGE, ...owner.proof },
      String(entering),
    );
    const location = response.headers.get("location") ?? "";
    expect(response.status).toBe(303);
    expect(new URL(location, ORIGIN).origin).toBe(ORIGIN);
    expect(location).not.toMatch(/^\/\//);
  });

  it("a stranger is led to sign in, and from there to a path of this host alone", async () => {
    const { response } = await ask("/p/2/issues?q=%22%3E%3Cscript", { accept: "text/html" });
    const location = response.headers.get("location") ?? "";
    expect(location).toBe("/sign-in?returnTo=%2Fp%2F2%2Fissues%3Fq%3D%2522%253E%253Cscript");
  });
});

describe("IDOR", () => {
  it("ids of another project's keys, people, tokens and invitations open nothing", async () => {
    const { createdId: second = "" } = await desk.did(desk.deployer, {
      do: "create-project",
      name: "Second",
    });
    const { createdId: key = "" } = await desk.did(desk.deployer, {
      do: "add-key",
      kind: "public",
      project: second,
      name: "web",
      origins: [],
    });
    const token = await desk.token("owner", second);
    const invitation = await desk.did(desk.deployer, {
      do: "invite",
      project: second,
      role: "owner",
    });
    const before = await desk.registry.readFresh("a test");
    for (const body of [
      { do: "revoke-key", key },
      { do: "rotate-key", key },
      { do: "change-key", key, name: "mine" },
      { do: "revoke-token", token: token.id },
      { do: "withdraw-invitation", invitation: invitation.createdId },
    ]) {
      const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
      const { response } = await ask("/settings", headers, JSON.stringify(body));
      expect(response.status, body.do).toBe(404);
    }
    expect(await desk.registry.readFresh("a test")).toEqual(before);
  });

  it("a project that is not there and one that is somebody else's are told alike", async () => {
    const viewer = await desk.invite("viewer");
    const headers = { accept: "application/json", ...viewer.proof };
    const answers = [];
    for (const path of ["/p/2/issues", "/p/999/issues", "/p/x/issues", "/p/2/settings"]) {
      const { response, body } = await ask(path, headers);
      answers.push([response.status, body]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
  });
});

describe("mass assignment", () => {
  it.each([
    { do: "rename-project", name: "X", project: "2" },
    { do: "invite", role: "viewer", by: "Ada" },
    { do: "add-key", name: "X", key: "chosen0000000000" },
    { do: "add-token", name: "X", role: "viewer", hash: hashOf("known") },
    { do: "set-role", person: "x", role: "deployer" },
    { do: "create-project", name: "X" },
    { do: "access-sign-in", name: "eve@example.com", ownership: "granted" },
    { do: "sign-in-with-code", hash: hashOf("x"), setup: { hash: hashOf("x"), untilMs: 9e15 } },
    { do: "add-passkey", passkey: { id: "x" } },
    { do: "__proto__" },
    { do: ["invite"], role: "owner" },
  ])("%j is refused by its fields", async (body) => {
    const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
    const { response } = await ask("/settings", headers, JSON.stringify(body));
    expect(response.status).toBe(400);
  });

  it("whoever enters chooses a name, and neither a role nor a project", async () => {
    const body = new URLSearchParams({ code: await aCode(), role: "owner", project: "2" });
    await ask("/sign-in", { ...FORM, ...OWN_PAGE }, String(body));
    const { memberships } = await desk.registry.readFresh("a test");
    expect(memberships.at(-1)).toMatchObject({ role: "viewer", project: "1" });
  });
});

describe("header injection", () => {
  it.each(["a\r\nSet-Cookie: x=1", "a\nb", "\u0000", "ü€😀"])(
    "what is sent in fields gets into no header: %j",
    async (text) => {
      const body = new URLSearchParams({
        code: await aCode(),
        name: text,
        returnTo: `/issues?q=${text}`,
      });
      const { response } = await ask(
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
  ])("%s is kept by no cache, for nobody", async (path) => {
    for (const headers of [owner.proof, {}]) {
      const { response } = await ask(path, { accept: "text/html", ...headers });
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
  });
});

describe("oversized credentials", () => {
  it.each<[string, Proof]>([
    ["a cookie", { cookie: `__Host-errata-session=${"A".repeat(100_000)}` }],
    ["many cookies", { cookie: "__Host-errata-session=x; ".repeat(5_000) }],
    ["a token", { authorization: `Bearer errata_${"A".repeat(100_000)}` }],
    ["an assertion", { "cf-access-jwt-assertion": "A".repeat(100_000) }],
    ["a challenge", { cookie: `errata-challenge=${"A".repeat(100_000)}` }],
  ])("%s is nobody's", async (_, headers) => {
    const { response } = await ask("/issues.json", headers);
    expect(response.status).toBe(401);
    const answer = JSON.stringify({ response: { id: "x" } });
    const entering = await ask("/sign-in/passkey", { ...JSON_TYPE, ...headers }, answer);
    expect(entering.response.status).toBe(403);
  });

  it.each([
    { response: null },
    { response: { id: {} } },
    { response: { id: "x", response: { clientDataJSON: "!!" }, type: "public-key" } },
    { response: "x".repeat(39_000) },
    {},
  ])("an answer that is none is refused, and throws nothing", async (body) => {
    for (const path of ["/sign-in/passkey", "/profile/passkeys"]) {
      const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
      expect((await ask(path, headers, JSON.stringify(body))).response.status).toBe(403);
    }
  });
});

describe("secrets", () => {
  it("of tokens, invitations and recovery codes nothing is kept that opens anything", async () => {
    const { proof } = await desk.token("viewer");
    const code = await aCode();
    const codes = (await desk.did(desk.deployer, { do: "new-recovery-codes" })).secrets ?? [];
    const kept = JSON.stringify(await desk.registry.readFresh("a test"));
    const copied = (await bindings.KV.get("registry")) ?? "";
    for (const secret of [proof.authorization?.slice(7) ?? "", code, ...codes]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(kept + copied).not.toContain(secret);
    }
  });

  it("neither pages nor JSON show a hash, the secret, a recovery code or a whole session", async () => {
    const { secret, sessions, tokens, invitations } = await desk.registry.readFresh("a test");
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
      const { body } = await ask(`${path}`, { accept: "text/html", ...owner.proof });
      expect(body.length).toBeGreaterThan(10);
      for (const text of hidden) expect(body).not.toContain(text);
    }
  });

  it("what is shown once is on the answer itself, and nowhere after it", async () => {
    const fields = "do=add-token&name=ci&role=viewer";
    const made = await ask("/settings", { ...FORM, ...OWN_PAGE, ...owner.proof }, fields);
    const [token = ""] = /errata_[\w-]{43}/.exec(made.body) ?? [];
    expect([made.response.status, token === ""]).toEqual([200, false]);
    expect((await ask("/settings", { accept: "text/html", ...owner.proof })).body).not.toContain(
      token,
    );
  });
});

it("tries to enter are limited by address", async () => {
  const limiters = { signIn: async () => false } as unknown as NonNullable<
    TestMembers["services"]["limiters"]
  >;
  for (const path of ["/sign-in", "/sign-in/options", "/sign-in/passkey"]) {
    const { response } = await visit(path, {
      method: "POST",
      origin: ORIGIN,
      body: "code=x",
      headers: { ...FORM, ...OWN_PAGE, "cf-connecting-ip": "203.0.113.7" },
      services: { ...desk.services, limiters },
    });
    expect(response.status).toBe(429);
  }
});

it("what was changed, and by whom, is in the audit log; what was refused is not", async () => {
  const member = await desk.invite("member");
  await desk.did(member.actor, { do: "rename-person", name: "Grace" });
  const headers = { ...JSON_TYPE, ...OWN_PAGE, ...member.proof };
  await ask("/d/7F3K-Q2M9/state", headers, JSON.stringify({ state: "resolved" }));
  await ask("/settings", headers, JSON.stringify({ do: "rename-project", name: "Mine" }));
  const { body } = await ask("/settings/audit.json", owner.proof);
  const [newest] = JSON.parse(body).entries;
  expect(newest).toMatchObject({
    by: "Grace",
    action: "POST /d/:digest/state",
    subject: "7F3K-Q2M9",
  });
  expect(body).not.toContain("Mine");
});

it("an owner's log says nothing of other projects, nor of people who are in none of his", async () => {
  const hermit = await desk.invite("owner");
  const { createdId: own = "" } = await desk.did(hermit.actor, {
    do: "create-project",
    name: "Quite secret",
  });
  const { secrets: [code = ""] = [] } = await desk.did(hermit.actor, {
    do: "invite",
    project: own,
    role: "viewer",
  });
  const change = {
    do: "sign-in-with-code",
    hash: hashOf(code),
    name: "A stranger to you",
    userAgent: "",
  };
  await desk.did(null, change as never);
  const { body } = await ask("/settings/audit.json", owner.proof);
  expect(JSON.parse(body).entries.length).toBeGreaterThan(0);
  expect(body).not.toMatch(/Quite secret|A stranger to you/);
  const theirs = await ask(`/p/${own}/settings/audit.json`, hermit.proof);
  expect(theirs.body).toContain("A stranger to you");
});

it("whoever looks on is let in anew when rights were taken from somebody", async () => {
  const dismissed: string[] = [];
  const forProject = (project: string) =>
    ({ closeLiveSockets: async () => void dismissed.push(project) }) as never;
  const member = await desk.invite("member");
  const { memberships } = await desk.registry.readFresh("a test");
  const person = memberships.at(-1)?.person;
  const body = JSON.stringify({ do: "remove-member", person });
  const headers = { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof };
  const services = { ...testServices({ waitUntil() {} }), ...desk.services, forProject };
  const app = createApp(() => ok(services));
  const request = new Request(`${ORIGIN}/settings`, { method: "POST", headers, body });
  const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
  expect((await app.fetch(request, bindings, context as never)).status).toBe(200);
  expect(dismissed).toEqual(["1"]);
  expect((await ask("/live.json", member.proof)).response.status).toBe(401);
});

it("who is in another project alone is led there, and not told of the first", async () => {
  const { createdId: own = "" } = await desk.did(desk.deployer, {
    do: "create-project",
    name: "Own",
  });
  const member = await desk.invite("member", own);
  const { response } = await ask("/", { accept: "text/html", ...member.proof });
  expect([response.status, response.headers.get("location")]).toEqual([303, `/p/${own}/`]);
  const { body } = await ask("/profile?streaming=off", { accept: "text/html", ...member.proof });
  expect(body).toContain(`href="/p/${own}/issues"`);
  expect(body).not.toContain('href="/issues"');
});

describe("in the clear", () => {
  const http = ORIGIN.replace("https", "http");

  it("nobody enters, and no session is believed", async () => {
    const cookie = owner.proof.cookie?.replace("__Host-", "") ?? "";
    const services = desk.services;
    const reading = await visit("/profile.json", { origin: http, services, headers: { cookie } });
    expect(reading.response.status).toBe(401);
    const entering = await visit("/sign-in", {
      method: "POST",
      origin: http,
      services,
      headers: { ...FORM, origin: http },
      body: `code=${await aCode()}`,
    });
    expect(entering.response.status).toBe(403);
    expect(entering.response.headers.get("set-cookie") ?? "").not.toMatch(/errata-session=/);
  });
});

describe("odd projects in addresses", () => {
  it.each(["%0a", "%0d%0aX:y", "..%2f..%2f", "01", "-1", "1e3", "%D9%A1", "9999999999", "x"])(
    "/p/%s is nowhere, for a stranger's receipt too",
    async (project) => {
      for (const path of [`/p/${project}/e/7f3kq2m9`, `/p/${project}/issues`]) {
        const { response } = await ask(path, { accept: "text/html", ...owner.proof });
        expect(response.status).toBe(404);
      }
    },
  );
});

describe("what one person can use up", () => {
  it("changes of oneself are limited", async () => {
    const limiters = { signIn: async () => false } as unknown as NonNullable<
      TestMembers["services"]["limiters"]
    >;
    const { response } = await visit("/profile", {
      method: "POST",
      origin: ORIGIN,
      services: { ...desk.services, limiters },
      headers: { ...FORM, ...OWN_PAGE, ...owner.proof },
      body: "do=rename-person&name=Deployer",
    });
    expect(response.status).toBe(429);
  });

  it("the owner of one project does not fill the registry for others", async () => {
    const { createdId: own = "" } = await desk.did(desk.deployer, {
      do: "create-project",
      name: "Big",
    });
    const filler = await desk.invite("owner", own);
    const origins = Array.from({ length: 20 }, (_, n) => `https://${n}.${"a".repeat(240)}.example`);
    const projects = [own];
    for (let made = true; made; ) {
      const create = { do: "create-project", name: `Big ${projects.length}` } as const;
      const result = await desk.registry.applyChange(filler.actor, create);
      made = result.ok;
      if (result.ok) projects.push(result.value.createdId ?? "");
    }
    for (const project of projects) {
      const fill = { do: "add-key", kind: "public", project, name: "web", origins } as const;
      while ((await desk.registry.applyChange(filler.actor, fill)).ok);
    }
    expect(projects.length).toBeLessThan(12);
    const mine = await desk.invite("owner");
    const { createdId: key = "" } = await desk.did(mine.actor, {
      do: "add-key",
      kind: "public",
      project: "1",
      name: "web",
      origins: [],
    });
    await desk.did(mine.actor, { do: "rotate-key", project: "1", key, overlapMs: 60_000 });
    await desk.did(mine.actor, { do: "add-token", project: "1", name: "ci", role: "viewer" });
    await desk.did(mine.actor, { do: "new-recovery-codes" });
    await desk.did(mine.actor, { do: "create-project", name: "Mine" });
    expect((await desk.invite("viewer")).proof).toBeDefined();
  });
});

it("whoever leaves while the registry is away is signed out in this browser", async () => {
  const registry = {
    ...desk.registry,
    applyChange: async () => {
      throw new Error("away");
    },
  };
  const { response } = await visit("/sign-out", {
    method: "POST",
    origin: ORIGIN,
    services: { ...desk.services, registry },
    headers: { ...FORM, ...OWN_PAGE, ...owner.proof },
  });
  expect(response.headers.get("set-cookie")).toMatch(/^__Host-errata-session=; .*Max-Age=0/);
});
