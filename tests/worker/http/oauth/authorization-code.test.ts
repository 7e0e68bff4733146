// The authorization code flow of OAuth 2.1, in the real registry object: what a program gets, and
// that each attack on it fails.

import { runInDurableObject } from "cloudflare:test";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import { ORIGIN, OWN_PAGE, type Proof } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import {
  CHALLENGE,
  CLIENT_ID,
  CONSENT,
  createOAuth,
  LOOPBACK_URI,
  METADATA,
  REDIRECT_URI,
  readField,
  type TestOAuth,
  VERIFIER,
} from "#support/http/oauth.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings } from "#support/store/store.ts";

let oauth: TestOAuth;
let ada: { readonly actor: Actor; readonly proof: Proof };

beforeAll(async () => {
  oauth = await createOAuth();
  await oauth.members.change(oauth.members.deployer, { do: "create-project", name: "Second" });
  ada = await oauth.members.invite("member");
});

afterEach(() => {
  vi.restoreAllMocks();
  oauth.serveMetadata = async () => Response.json(METADATA);
});

afterAll(() => emptyStore());

function passTime(ms: number): void {
  const nowMs = readNowMs();
  vi.spyOn(Date, "now").mockReturnValue(nowMs + ms);
}

async function listGrants() {
  const { grants = [] } = await oauth.members.registry.readFresh();
  return grants;
}

describe("a program that a person allows", () => {
  it("gets tokens of the resource, and the issuer and the state with its code", async () => {
    const answer = await oauth.allow(ada.proof);
    expect(answer.get("iss")).toBe(ORIGIN);
    expect(answer.get("state")).toBe("the state");
    const { status, body } = await oauth.exchange(answer.get("code"));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: "Bearer",
      expires_in: 86_400,
      scope: "read triage",
    });
    expect(await oauth.callMcp(body.access_token)).toBe(200);
  });

  it("is told where to ask by a 401 of MCP and of the API", async () => {
    const mcp = await oauth.send("/p/2/mcp", { method: "POST", body: "{}" });
    expect(mcp.response.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/p/2/mcp", scope="read triage"`,
    );
    const api = await oauth.send("/api/v1/whoami", {
      headers: { authorization: "Bearer errata_unknown" },
    });
    expect(api.response.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource"`,
    );
  });

  it("may use any port of this machine", async () => {
    const answer = await oauth.allow(ada.proof, { redirect_uri: LOOPBACK_URI });
    const { body } = await oauth.exchange(answer.get("code"), { redirect_uri: LOOPBACK_URI });
    expect(await oauth.callMcp(body.access_token)).toBe(200);
  });

  it("works in all projects of its person, with the role there, if the person says so", async () => {
    const resource = `${ORIGIN}/`;
    const chosen = { project: "all", role: "viewer" };
    const { access_token: token } = await oauth.connect(ada.proof, { resource }, chosen);
    expect(await oauth.whoami(token)).toMatchObject({
      kind: "token",
      name: expect.stringMatching(/^Person \d+ via Agent$/),
      role: "viewer",
      scopes: ["read"],
      lowestTrust: "server",
    });
    expect(await oauth.whoami(token, "/p/2")).toBe(404);
  });

  it("keeps access with its refresh token, and loses the token before it", async () => {
    const first = await oauth.connect(ada.proof);
    const { status, body } = await oauth.refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(await oauth.callMcp(body.access_token)).toBe(200);
    expect(await oauth.callMcp(first.access_token)).toBe(401);
  });

  it("is in the profile and in the audit log, and loses access when it is disconnected", async () => {
    const { access_token: token, refresh_token: refreshToken } = await oauth.connect(ada.proof);
    const headers = { ...ada.proof, accept: "application/json" };
    const { body } = await oauth.send("/profile", { headers });
    const { programs } = JSON.parse(body);
    const program = programs.at(-1);
    expect(program).toMatchObject({ name: "Agent", client: CLIENT_ID, role: "member" });
    expect(body).not.toMatch(/[0-9a-f]{64}/);
    const fields = { do: "disconnect-program", grant: program.id };
    const { response } = await oauth.submit("/profile", ada.proof, fields);
    expect(response.status).toBe(303);
    expect(await oauth.callMcp(token)).toBe(401);
    expect((await oauth.refresh(refreshToken)).body.error).toBe("invalid_grant");
    const entries = await oauth.members.registry.listAuditEntries("1");
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "disconnect-program", subject: "Agent (agent.example)" },
      { action: "connect-program", subject: "Agent (agent.example)" },
    ]);
  });

  it("can end its access itself, and no other program can", async () => {
    const { access_token: token, refresh_token: refreshToken } = await oauth.connect(ada.proof);
    const revoke = (fields: Record<string, string>) => oauth.post("/oauth/revoke", fields);
    const other = await revoke({ token, client_id: "https://other.example/client.json" });
    expect(other.response.status).toBe(401);
    expect(await oauth.callMcp(token)).toBe(200);
    const own = await revoke({ token: refreshToken, client_id: CLIENT_ID });
    expect(own.response.status).toBe(200);
    expect(await oauth.callMcp(token)).toBe(401);
    const again = await revoke({ token: refreshToken, client_id: CLIENT_ID });
    expect(again.response.status).toBe(200);
  });

  it("hears that the person denied it", async () => {
    const answer = await oauth.allow(ada.proof, {}, { decision: "deny" });
    expect(Object.fromEntries(answer)).toMatchObject({
      error: "access_denied",
      state: "the state",
      iss: ORIGIN,
    });
  });

  it("loses access and its refresh token at the end that the person chose", async () => {
    const { refresh_token: refreshToken } = await oauth.connect(ada.proof, {}, { days: "7" });
    passTime(7 * 86_400_000);
    expect((await oauth.refresh(refreshToken)).body.error).toBe("invalid_grant");
  });

  it("has access for a day with each access token", async () => {
    const { access_token: token } = await oauth.connect(ada.proof);
    passTime(86_400_000);
    expect(await oauth.callMcp(token)).toBe(401);
  });
});

describe("an attack on a code", () => {
  it("a second use fails, and ends what the first one got", async () => {
    const code = (await oauth.allow(ada.proof)).get("code");
    const { body } = await oauth.exchange(code);
    const replayed = await oauth.exchange(code);
    expect(replayed).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await oauth.callMcp(body.access_token)).toBe(401);
    expect((await oauth.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    const [entry] = await oauth.members.registry.listAuditEntries("1");
    expect(entry?.action).toBe("reuse-authorization-code");
  });

  it("of two exchanges at the same time, at most one gets tokens, and they do not last", async () => {
    const code = (await oauth.allow(ada.proof)).get("code");
    const both = await Promise.all([oauth.exchange(code), oauth.exchange(code)]);
    const issued = both.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const { body } of issued) expect(await oauth.callMcp(body.access_token)).toBe(401);
  });

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, "invalid_request"],
    ["another redirect URI", { redirect_uri: LOOPBACK_URI }, "invalid_grant"],
    ["another program", { client_id: "https://evil.example/client.json" }, "invalid_grant"],
    ["another resource", { resource: `${ORIGIN}/` }, "invalid_target"],
    ["another project", { resource: `${ORIGIN}/p/2/mcp` }, "invalid_target"],
    ["another server", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["a secret", { client_secret: "secret" }, "invalid_client"],
  ])("fails with %s", async (_, wrong, error) => {
    const code = (await oauth.allow(ada.proof)).get("code");
    expect((await oauth.exchange(code, wrong)).body.error).toBe(error);
  });

  it("the right verifier does not help after a wrong one", async () => {
    const code = (await oauth.allow(ada.proof)).get("code");
    await oauth.exchange(code, { code_verifier: "x".repeat(43) });
    expect((await oauth.exchange(code)).body.error).toBe("invalid_grant");
  });

  it("fails after a minute", async () => {
    const code = (await oauth.allow(ada.proof)).get("code");
    passTime(60_000);
    expect((await oauth.exchange(code)).body.error).toBe("invalid_grant");
  });

  it("gives nothing to a program whose person was removed in between", async () => {
    const { members } = oauth;
    const eve = await members.invite("member");
    const code = (await oauth.allow(eve.proof)).get("code");
    const registry = await members.registry.readFresh();
    const person = registry.sessions.find(
      ({ id }) => eve.actor.kind === "session" && id === eve.actor.id,
    )?.person;
    await members.change(members.deployer, {
      do: "remove-member",
      project: "1",
      person: person ?? "",
    });
    expect((await oauth.exchange(code)).body.error).toBe("invalid_grant");
  });
});

describe("an attack on a request", () => {
  it.each([
    [
      "without PKCE",
      { code_challenge: undefined, code_challenge_method: undefined },
      "invalid_request",
    ],
    ["with the plain method", { code_challenge_method: "plain" }, "invalid_request"],
    ["without a method", { code_challenge_method: undefined }, "invalid_request"],
    ["with a challenge that is no SHA-256", { code_challenge: VERIFIER }, "invalid_request"],
    ["for a token in the URL", { response_type: "token" }, "unsupported_response_type"],
    ["with an unknown scope", { scope: "read root" }, "invalid_scope"],
    ["for another server", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["for a page of Errata", { resource: `${ORIGIN}/settings` }, "invalid_target"],
  ])("%s, the program gets an error", async (_, wrong, error) => {
    const parameters = { ...wrong, redirect_uri: LOOPBACK_URI };
    const { response } = await oauth.open(ada.proof, parameters);
    expect(response.status).toBe(303);
    const url = new URL(response.headers.get("location") ?? "");
    expect(url.origin + url.pathname).toBe(LOOPBACK_URI);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error,
      iss: ORIGIN,
      state: "the state",
    });
  });

  it("that is wrong on purpose leads the browser to no other site by itself", async () => {
    const { response, body } = await oauth.open(ada.proof, { response_type: "token" });
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
    expect(response.headers.has("refresh")).toBe(false);
    const [, href = ""] = /href="([^"]*)" data-oauth-return/.exec(body) ?? [];
    const url = new URL(href.replaceAll("&amp;", "&"));
    expect(url.origin + url.pathname).toBe(REDIRECT_URI);
    expect(url.searchParams.get("error")).toBe("unsupported_response_type");
  });

  it.each([
    ["another site", "https://evil.example/callback"],
    ["a longer path", `${REDIRECT_URI}/more`],
    ["a query", `${REDIRECT_URI}?x=1`],
    ["another path of this machine", "http://127.0.0.1:8123/other"],
    ["another name of this machine", "http://127.0.0.2/callback"],
    ["an address that looks like this machine", "http://127.0.0.1.evil.example/callback"],
    ["a user name", "http://127.0.0.1:80@evil.example/callback"],
    ["a script", "javascript:alert(1)"],
  ])("the browser never goes to %s", async (_, uri) => {
    const { response, body } = await oauth.open(ada.proof, { redirect_uri: uri });
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
    expect(body).not.toContain(`href="${uri}`);
  });

  it("a parameter that is sent twice is refused", async () => {
    const query = `client_id=${encodeURIComponent(CLIENT_ID)}&redirect_uri=${REDIRECT_URI}`;
    const twice = `/oauth/authorize?${query}&redirect_uri=https://evil.example`;
    const { response } = await oauth.send(twice, {
      headers: { ...ada.proof, accept: "text/html" },
    });
    expect(response.status).toBe(400);
  });

  it("a visitor who is not signed in must sign in, and returns to the request", async () => {
    const { response } = await oauth.open({});
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toMatch(
      /^\/sign-in\?returnTo=%2Foauth%2Fauthorize%3F/,
    );
  });

  it("also a new member, who signs in with an invitation", async () => {
    const { deployer, change } = oauth.members;
    const invitation = await change(deployer, { do: "invite", project: "1", role: "viewer" });
    const path = "/oauth/authorize?client_id=x";
    const fields = { code: invitation.secrets?.[0], name: "Grace", returnTo: path };
    const { response } = await oauth.submit("/sign-in", {}, fields);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(path);
  });

  it("a token cannot allow a program", async () => {
    const token = await oauth.members.token("owner");
    const { response } = await oauth.open(token.proof);
    expect(response.status).toBe(404);
  });

  it("a person without a role in the project of the resource cannot allow it", async () => {
    const { response } = await oauth.open(ada.proof, { resource: `${ORIGIN}/p/2/mcp` });
    expect(response.status).toBe(404);
  });
});

describe("the page of consent", () => {
  it("names the program, its address, and what it gets, and cannot be framed", async () => {
    const { response, body } = await oauth.open(ada.proof);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    for (const text of ["Agent", "agent.example", "First project", "Read and triage"])
      expect(body).toContain(text);
    // The program did not ask for it.
    expect(body).not.toContain("export and erase");
  });

  it("is refused from another site, from another session, and when it was changed", async () => {
    const page = await oauth.open(ada.proof);
    const fields = { ...CONSENT, request: readField(page.body, "request") };
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const forged = await oauth.submit("/oauth/authorize", ada.proof, fields, elsewhere);
    expect(forged.response.status).toBe(403);
    const unstated = await oauth.submit("/oauth/authorize", ada.proof, fields, {});
    expect(unstated.response.status).toBe(403);
    const eve = await oauth.members.invite("member");
    const stolen = await oauth.submit("/oauth/authorize", eve.proof, fields);
    expect(stolen.response.status).toBe(400);
    const [text = "", signature] = fields.request.split(".");
    const json = Buffer.from(text, "base64url").toString();
    const changed = Buffer.from(json.replace(REDIRECT_URI, "https://evil.example"));
    const request = `${changed.toString("base64url")}.${signature}`;
    const altered = await oauth.submit("/oauth/authorize", ada.proof, { ...fields, request });
    expect(altered.response.status).toBe(400);
    for (const { response } of [forged, unstated, stolen, altered])
      expect(response.headers.has("refresh")).toBe(false);
  });

  it("is refused after ten minutes", async () => {
    const page = await oauth.open(ada.proof);
    const fields = { ...CONSENT, request: readField(page.body, "request") };
    passTime(600_001);
    const { response } = await oauth.submit("/oauth/authorize", ada.proof, fields);
    expect(response.status).toBe(400);
  });

  it.each([
    ["a higher role than the program asked for", { role: "owner" }],
    ["an unknown role", { role: "root" }],
    ["an endless grant", { days: "100000" }],
    ["an unknown field", { extra: "1" }],
  ])("is shown again for %s", async (_, wrong) => {
    const page = await oauth.open(ada.proof);
    const request = readField(page.body, "request");
    const fields = { ...CONSENT, ...wrong, request };
    const { response, body } = await oauth.submit("/oauth/authorize", ada.proof, fields);
    expect(response.status).toBe(400);
    expect(body).toContain('role="alert"');
  });

  it("gives a program nothing in a project that its person cannot read", async () => {
    const page = await oauth.open(ada.proof, { resource: ORIGIN });
    const request = readField(page.body, "request");
    const fields = { ...CONSENT, project: "2", request };
    const { response } = await oauth.submit("/oauth/authorize", ada.proof, fields);
    expect(response.status).toBe(404);
  });
});

describe("the metadata of a program", () => {
  const refused = async (clientId = CLIENT_ID) => {
    const { response, body } = await oauth.open(ada.proof, { client_id: clientId });
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
    return body;
  };

  it.each([
    ["http", "http://agent.example/client.json"],
    ["an address of this machine", "https://127.0.0.1/client.json"],
    ["an address of the local network", "https://192.168.1.1/client.json"],
    ["an IPv6 address", "https://[fd00::1]/client.json"],
    ["a name of the local network", "https://metadata.internal/client.json"],
    ["a name for any address", "https://10.0.0.1.nip.io/client.json"],
    ["Errata itself", `${ORIGIN}/client.json`],
    ["no path", "https://agent.example/"],
    ["a fragment", `${CLIENT_ID}#x`],
    ["a user name", "https://ada@agent.example/client.json"],
    ["dot segments", "https://agent.example/a/../client.json"],
    ["no URL", "errata-cli"],
  ])("is not read from %s", async (_, clientId) => {
    let reads = 0;
    oauth.serveMetadata = async () => {
      reads++;
      return Response.json({ ...METADATA, client_id: clientId });
    };
    await refused(clientId);
    expect(reads).toBe(0);
  });

  it.each<[string, () => Response]>([
    ["names another client_id", () => Response.json({ ...METADATA, client_id: `${CLIENT_ID}?` })],
    ["has no client_id", () => Response.json({ ...METADATA, client_id: undefined })],
    ["has no redirect URI", () => Response.json({ ...METADATA, redirect_uris: [] })],
    ["has a secret", () => Response.json({ ...METADATA, client_secret: "secret" })],
    [
      "authenticates by a secret",
      () => Response.json({ ...METADATA, token_endpoint_auth_method: "client_secret_basic" }),
    ],
    ["is a redirect", () => Response.redirect("https://evil.example/client.json", 302)],
    ["is missing", () => Response.json(METADATA, { status: 404 })],
    ["is a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["is no JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["is a list", () => Response.json([METADATA])],
    ["is too large", () => Response.json({ ...METADATA, logo: "x".repeat(5 * 1024) })],
  ])("is refused if it %s", async (_, respond) => {
    oauth.serveMetadata = async () => respond();
    expect(await refused()).toContain("cannot be connected");
  });

  it("is refused if its server does not answer, and redirects are not followed", async () => {
    const inits: RequestInit[] = [];
    oauth.serveMetadata = async (_, init) => {
      inits.push(init);
      throw new TypeError("connection refused");
    };
    await refused();
    expect(inits).toMatchObject([{ redirect: "manual" }]);
  });

  it("cannot show a name with invisible characters", async () => {
    const name = "Ad\u200bmin \u202e";
    oauth.serveMetadata = async () => Response.json({ ...METADATA, client_name: name });
    const { body } = await oauth.open(ada.proof);
    expect(body).not.toContain("\u202e");
    expect(body).toContain("Connect <bdi>agent.example</bdi>?");
  });
});

describe("an attack on tokens", () => {
  it("a token for MCP of one project opens nothing else", async () => {
    const { deployer } = oauth.members;
    const owner = await oauth.members.invite("owner", "2");
    expect(deployer).toBeDefined();
    const resource = `${ORIGIN}/p/2/mcp`;
    const { access_token: token } = await oauth.connect(owner.proof, { resource });
    expect(await oauth.callMcp(token, "/p/2/mcp")).toBe(200);
    expect(await oauth.callMcp(token, "/p/2/mcp/")).toBe(200);
    expect(await oauth.callMcp(token, "/mcp")).toBe(401);
    expect(await oauth.whoami(token, "/p/2")).toBe(401);
    expect(await oauth.whoami(token)).toBe(401);
  });

  it("a refresh token that is used twice ends the grant", async () => {
    const first = await oauth.connect(ada.proof);
    const second = (await oauth.refresh(first.refresh_token)).body;
    const reused = await oauth.refresh(first.refresh_token);
    expect(reused).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await oauth.callMcp(second.access_token)).toBe(401);
    expect((await oauth.refresh(second.refresh_token)).body.error).toBe("invalid_grant");
    const [entry] = await oauth.members.registry.listAuditEntries("1");
    expect(entry?.action).toBe("reuse-refresh-token");
  });

  it("a refresh token of another program, for another resource or a higher scope is refused", async () => {
    const { refresh_token: token } = await oauth.connect(ada.proof);
    const other = { client_id: "https://evil.example/client.json" };
    expect((await oauth.refresh(token, other)).body.error).toBe("invalid_grant");
    const target = { resource: ORIGIN };
    expect((await oauth.refresh(token, target)).body.error).toBe("invalid_target");
    expect((await oauth.refresh(token, { scope: "admin" })).body.error).toBe("invalid_scope");
    expect((await oauth.refresh(token, { scope: "read" })).status).toBe(200);
  });

  it("a refresh token is no access token, and an access token no refresh token", async () => {
    const tokens = await oauth.connect(ada.proof);
    expect(await oauth.callMcp(tokens.refresh_token)).toBe(401);
    expect((await oauth.refresh(tokens.access_token)).body.error).toBe("invalid_grant");
  });

  it("a token never does more than its person may do now", async () => {
    const { members } = oauth;
    const eve = await members.invite("owner");
    const asked = { resource: ORIGIN, scope: "admin" };
    const { access_token: token } = await oauth.connect(eve.proof, asked, {
      role: "owner",
      project: "1",
    });
    expect(await oauth.whoami(token)).toMatchObject({ role: "owner" });
    const { sessions } = await members.registry.readFresh();
    const person = sessions.find(({ id }) => eve.actor.kind === "session" && id === eve.actor.id);
    const change = { project: "1", person: person?.person ?? "" } as const;
    await members.change(members.deployer, { do: "set-role", role: "viewer", ...change });
    expect(await oauth.whoami(token)).toMatchObject({ role: "viewer", scopes: ["read"] });
    await members.change(members.deployer, { do: "remove-member", ...change });
    expect(await oauth.whoami(token)).toBe(401);
  });

  it("a token of an owner cannot create tokens", async () => {
    const owner = await oauth.members.invite("owner");
    const asked = { resource: ORIGIN, scope: "admin" };
    const { access_token: token } = await oauth.connect(owner.proof, asked, {
      role: "owner",
      project: "1",
      lowestTrust: "public",
    });
    const { response } = await oauth.send("/settings", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ do: "add-token", name: "x", role: "owner" }),
    });
    expect(response.status).toBe(403);
  });
});

describe("what is stored", () => {
  it("has no code and no token, and the copy in KV no hash of a refresh token", async () => {
    const { access_token: access, refresh_token: refresh } = await oauth.connect(ada.proof);
    const stub = bindings.REGISTRY.get(bindings.REGISTRY.idFromName("registry"));
    const rows = await runInDurableObject(stub, async (_, { storage }) => {
      const read = (table: string) => storage.sql.exec(`SELECT * FROM ${table}`).toArray();
      return JSON.stringify([read("registry"), read("pending_code"), read("refresh_token")]);
    });
    for (const secret of [access, refresh, "errata_code_"]) expect(rows).not.toContain(secret);
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(refresh)));
    expect(rows).toContain(hash.toString("hex"));
    expect(JSON.stringify(await oauth.members.registry.readFresh())).not.toContain(
      hash.toString("hex"),
    );
  });

  it("has no grant whose code was never exchanged, and at most twenty of a person", async () => {
    const eve = await oauth.members.invite("viewer");
    for (let n = 0; n < 21; n++) await oauth.connect(eve.proof, {}, { role: "viewer" });
    const { sessions } = await oauth.members.registry.readFresh();
    const person = sessions.find(({ id }) => eve.actor.kind === "session" && id === eve.actor.id);
    const count = async () =>
      (await listGrants()).filter((one) => one.person === person?.person).length;
    expect(await count()).toBe(20);
    await oauth.allow(eve.proof, {}, { role: "viewer" });
    passTime(60_001);
    await oauth.members.change(eve.actor, { do: "rename-person", name: "Eve" });
    expect(await count()).toBe(19);
  });
});

describe("without sign-in, or behind Access", () => {
  it.each([
    ["ERRATA_LOCAL=open", { isLocalOpen: true }],
    ["Cloudflare Access", { access: { team: "acme.cloudflareaccess.com", audience: "a" } }],
  ])("%s: there is no metadata and no endpoint", async (_, more) => {
    const { services } = oauth.members;
    const config = {
      ...(services.config as object),
      isLocalOpen: false,
      access: undefined,
      ...more,
    };
    const options = { services: { config: config as never } };
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/oauth/authorize",
      "/device",
    ]) {
      const { response } = await oauth.send(path, options);
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
    const token = await oauth.send("/oauth/token", { ...options, method: "POST", body: "" });
    expect(token.response.status).toBe(404);
    const mcp = await oauth.send("/mcp", {
      ...options,
      method: "POST",
      body: "{}",
      headers: { authorization: "Bearer errata_x" },
    });
    expect(mcp.response.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("a configured token of the API works beside OAuth", async () => {
    const token = await oauth.members.token("viewer");
    expect(await oauth.callMcp(token.proof.authorization?.slice("Bearer ".length) ?? "")).toBe(200);
  });
});

it("limits requests of a person and of a network", async () => {
  const keys: string[] = [];
  const refuse = async (key: string) => {
    keys.push(key);
    return false;
  };
  const { limiters } = await import("#support/http/visit.ts").then(({ openLimiters }) => ({
    limiters: { ...openLimiters, signIn: refuse, receipt: refuse },
  }));
  const headers = { ...ada.proof, accept: "application/json" };
  const page = await oauth.send("/oauth/authorize", { headers, services: { limiters } });
  expect(page.response.status).toBe(429);
  const address = { "cf-connecting-ip": "192.0.2.1" };
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/device"]) {
    const init = { method: "POST", headers: address, body: "", services: { limiters } };
    expect((await oauth.send(path, init)).response.status).toBe(429);
  }
  expect(keys).toEqual([
    expect.stringMatching(/^oauth \S+$/),
    "oauth 192.0.2.1",
    "oauth 192.0.2.1",
    "oauth 192.0.2.1",
  ]);
  expect(OWN_PAGE.origin).toBe(ORIGIN);
  expect(CHALLENGE).toHaveLength(43);
});
