import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

let members: TestMembers;
let owner: Proof;

beforeAll(async () => {
  members = await createMembers();
  const { proof, actor } = await members.invite("owner");
  owner = proof;
  await members.change(actor, { do: "create-project", name: "Web shop" });
});

afterAll(() => emptyStore());

const open = async (path: string, headers: Proof, init: RequestInit = {}) => {
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    ...init,
    headers,
  });
  return { response, body: body.replaceAll("<!-- -->", "") };
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("a link of an invitation", () => {
  it.each([
    ["owner", "1", "/"],
    ["member", "2", "/p/2/"],
    ["viewer", "2", "/p/2/"],
  ] as const)("for %s of project %s leads to %s", async (role, project, path) => {
    const change = { do: "invite", project, role } as const;
    const actor = { kind: "session", id: await findSessionId(owner) } as const;
    const { secrets: [code = ""] = [] } = await members.change(actor, change);
    const { response } = await open(
      "/sign-in",
      { ...FORM, ...OWN_PAGE },
      {
        method: "POST",
        body: `${new URLSearchParams({ code, name: `New ${role}` })}`,
      },
    );
    expect([response.status, response.headers.get("location")]).toEqual([303, path]);
  });
});

describe("an invitation", () => {
  const invite = async (role: "owner" | "viewer", project = "2") => {
    const actor = { kind: "session", id: await findSessionId(owner) } as const;
    const { secrets = [] } = await members.change(actor, { do: "invite", project, role });
    return secrets[0] ?? "";
  };
  const ask = (code: string, headers: Proof = {}) =>
    open(
      "/sign-in/invitation",
      { ...FORM, ...OWN_PAGE, ...headers },
      { method: "POST", body: `${new URLSearchParams({ code })}` },
    );

  it("says who invites to what, to those who have its code", async () => {
    const { response, body } = await ask(await invite("owner"));
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      by: expect.stringMatching(/\S/),
      project: expect.stringMatching(/\S/),
      role: "owner",
    });
  });

  it.each(["", "x", "0".repeat(40), "a".repeat(10_000)])(
    "says nothing for another code: %.20j",
    async (code) => {
      const { response, body } = await ask(code);
      expect(response.status).toBe(403);
      expect(JSON.parse(body)).not.toHaveProperty("project");
    },
  );

  it("says nothing to another site", async () => {
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await ask(await invite("viewer"), foreign)).response.status).toBe(403);
  });

  it("is on the page that asks for a name, without scripts", async () => {
    const code = await invite("viewer");
    const { body } = await open(
      "/sign-in?streaming=off",
      { ...FORM, ...OWN_PAGE },
      { method: "POST", body: `${new URLSearchParams({ code, name: "" })}` },
    );
    const text = body.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");
    expect(text).toMatch(/\S+ invites you to \S.* as a viewer\./);
  });
});

describe("a new setup link", () => {
  const code = "the link of the next start";
  const setup = { hash: toSha256(code), expiresMs: readNowMs() + 60_000 };
  const post = (path: string, expiresMs = setup.expiresMs) => {
    const config = { ...members.services.config, setup: { ...setup, expiresMs } };
    return visit(path, {
      origin: ORIGIN,
      services: { ...members.services, config } as typeof members.services,
      redirect: "manual",
      method: "POST",
      headers: { ...FORM, ...OWN_PAGE },
      body: `${new URLSearchParams({ code })}`,
    });
  };

  it("says whom it signs in, signs in without a name and leads home, once", async () => {
    const { body } = await post("/sign-in/invitation");
    expect(JSON.parse(body)).toEqual({ name: "Person 1" });
    const { response } = await post("/sign-in");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect((await post("/sign-in/invitation")).response.status).toBe(403);
  });

  it("says nothing after it expired", async () => {
    expect((await post("/sign-in/invitation", readNowMs() - 1)).response.status).toBe(403);
  });
});

describe("a form without a name", () => {
  const send = async (fields: Record<string, string>, headers: Proof = {}) =>
    open(
      "/sign-in?streaming=off",
      { ...FORM, ...OWN_PAGE, ...headers },
      { method: "POST", body: `${new URLSearchParams(fields)}` },
    );
  const invite = async () => {
    const actor = { kind: "session", id: await findSessionId(owner) } as const;
    const change = { do: "invite", project: "1", role: "viewer" } as const;
    return (await members.change(actor, change)).secrets?.[0] ?? "";
  };

  it.each(["", "   ", "a\u200bb", "x".repeat(200)])(
    "asks for the name again and keeps the link: %j",
    async (name) => {
      const code = await invite();
      const { response, body } = await send({ code, name });
      expect(response.status).toBe(400);
      expect(response.headers.get("set-cookie")).not.toContain("errata-session");
      expect(body).toContain("Enter your name, as the other members will see it");
      expect(body).toMatch(/<input[^>]* id="your-name"[^>]* aria-invalid="true"/);
      expect(body).toContain(`value="${code}"`);
      expect(body).toMatch(/<section[^>]* data-invited=""/);
      expect((await send({ code, name: `Ada ${code.slice(0, 9)}` })).response.status).toBe(303);
    },
  );

  it("is enough for a person who has a name already", async () => {
    const { response } = await send({ code: await invite() }, owner);
    expect(response.status).toBe(303);
  });

  it("does not show a wrong code again", async () => {
    const { body } = await send({ code: "wrong-code", name: "" });
    expect(body).toContain("Invalid code.");
    expect(body).not.toContain("wrong-code");
  });
});

async function findSessionId(proof: Proof): Promise<string> {
  const { sessions } = await members.registry.readFresh();
  const id = sessions.find((one) => proof.cookie?.includes(one.id))?.id;
  return id ?? "";
}

it("a test report arrives in its own project, and is an issue of its page", async () => {
  const { response, body } = await open(
    "/p/2/connect/test",
    { ...owner, ...OWN_PAGE, accept: "application/json" },
    { method: "POST" },
  );
  expect(response.status).toBe(200);
  const { digest } = JSON.parse(body);
  const page = await open("/p/2/connect?streaming=off", owner);
  expect(page.body).toContain("Your first report has arrived.");
  expect(page.body).toContain(digest);
});

it("a page without reports listens, offers a test report, and reminds of a passkey", async () => {
  const { body } = await open("/connect?streaming=off", owner);
  expect(body).toContain("Listening for your first report…");
  expect(body).toContain('action="/connect/test"');
  expect(body).toContain("Add a passkey");
});

describe("a person who came with a link", () => {
  it.each(["owner", "member", "viewer"] as const)(
    "is told to add a passkey, as %s: on the home page, on Connect and in the menu of every page",
    async (role) => {
      const { proof } = await members.invite(role);
      for (const path of ["/", "/connect"])
        expect((await open(`${path}?streaming=off`, proof)).body).toContain("<b>Add a passkey</b>");
      const { body } = await open("/issues?streaming=off", proof);
      expect(body).toContain('href="/profile#passkeys">Add a passkey</a>');
    },
  );

  it("is not told any more after creating recovery codes", async () => {
    const { proof, actor } = await members.invite("member");
    await members.change(actor, { do: "new-recovery-codes" });
    for (const path of ["/", "/connect", "/profile", "/issues"])
      expect((await open(`${path}?streaming=off`, proof)).body).not.toContain("Add a passkey");
  });
});

it.each(["/settings", "/p/2/issues"])(
  "a refused request to %s with a token gets JSON, not a page",
  async (path) => {
    const { proof } = await members.token("viewer");
    const { response, body } = await open(path, { ...proof, accept: "*/*" });
    expect([403, 404]).toContain(response.status);
    expect(JSON.parse(body)).toHaveProperty("reason");
  },
);

it.each(["/nowhere", "/p/2/nowhere", "/p/9/issues"])(
  "the 404 page at %s keeps the name and the project of a member",
  async (path) => {
    const { response, body } = await open(path, owner);
    expect(response.status).toBe(404);
    expect(body).toContain(path.startsWith("/p/2") ? 'data-desk="/p/2"' : 'data-desk=""');
    expect(body).toContain("Person 2");
    expect(body).not.toContain("/e/</code>");
  },
);
