// The Model Context Protocol over HTTP in both eras: 2026-07-28 without a handshake, and the versions
// from 2025-03-26 to 2025-11-25 with one.

import { describe, expect, it } from "vitest";
import { createMembers, ORIGIN } from "#support/accounts/members.ts";
import { callMcp, createMcpRequest, LEGACY, MODERN, postMcp } from "#support/http/mcp.ts";
import { openLimiters, visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { log } from "#support/store/store.ts";

const ERAS = [MODERN, LEGACY, "2025-06-18", "2025-03-26"];
const NEW_DIGEST = "7F3K-Q2M9";

describe("the path", () => {
  it.each(["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])(
    "allows POST only, without a sign-in: %s",
    async (method) => {
      for (const path of ["/mcp", "/p/2/mcp"]) {
        const { response } = await visit(path, { method, origin: ORIGIN, redirect: "manual" });
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe("POST");
        expect(response.headers.get("location")).toBeNull();
      }
    },
  );

  it("asks for a token as JSON, and names no metadata", async () => {
    const { services } = await createMembers();
    const { response, status, json } = await callMcp(
      "tools/list",
      {},
      { origin: ORIGIN, services },
    );
    expect(status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(json).toMatchObject({ reason: "unauthenticated" });
  });

  it.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/p/2/mcp",
    "/mcp/.well-known/openid-configuration",
  ])("has no OAuth metadata: %s", async (path) => {
    const { response } = await visit(path, { redirect: "manual" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toMatch(/json/);
  });

  it.each([
    [{ origin: "https://evil.example" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:8787" }, 200],
    [{}, 200],
  ])("serves only its own origin: %o", async (headers, status) => {
    for (const version of [MODERN, LEGACY])
      expect((await callMcp("tools/list", {}, { version, headers })).status).toBe(status);
  });

  it("does not open local access to another host name", async () => {
    const options = {
      origin: "http://evil.example:8787",
      headers: { origin: "http://evil.example:8787" },
    };
    expect((await callMcp("tools/list", {}, options)).status).toBeGreaterThanOrEqual(401);
  });

  it("accepts a body of 64 KB, and no more", async () => {
    const { body, headers } = createMcpRequest("tools/list");
    const fill = (bytes: number) => {
      const padding = " ".repeat(bytes - JSON.stringify(body).length);
      return postMcp(JSON.stringify(body) + padding, { headers });
    };
    expect((await fill(64 * 1024)).status).toBe(200);
    expect((await fill(64 * 1024 + 1)).status).toBe(413);
  });

  it("accepts JSON only", async () => {
    const headers = { "content-type": "text/plain" };
    expect((await callMcp("tools/list", {}, { headers })).status).toBe(415);
  });

  it("limits requests by token, and says when to try again", async () => {
    const costs: number[] = [];
    const api = async (_: string, count: number) => costs.push(count) < 3;
    const services = { limiters: { ...openLimiters, api } };
    await callMcp("tools/list", {}, { services });
    await callMcp("tools/call", { name: "lookup", arguments: { text: "x" } }, { services });
    const { status, response } = await callMcp("tools/list", {}, { services });
    expect(status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(costs).toEqual([1, 5, 1]);
  });

  it("counts resources as their tools", async () => {
    const costs: number[] = [];
    const api = async (_: string, count: number) => costs.push(count) > 0;
    const services = { limiters: { ...openLimiters, api } };
    await callMcp("resources/list", {}, { services });
    await callMcp("resources/read", { uri: "errata://d/7F3K-Q2M9" }, { services });
    expect(costs).toEqual([5, 5]);
  });

  it("is not cached", async () => {
    const { response } = await callMcp("tools/list");
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });
});

describe("a message", () => {
  const json = { "content-type": "application/json" };

  it.each([
    ["no JSON", "{", -32700],
    ["an empty body", "", -32700],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], -32600],
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }, -32600],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, -32600],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, -32600],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "ping" }, -32600],
    ["a text", '"ping"', -32600],
    ["parameters in a list", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }, -32602],
  ])("is refused with 400: %s", async (_, body, code) => {
    const { status, json: answer } = await postMcp(body, { headers: json });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  it.each([null, MODERN, LEGACY])(
    "without an id gets 202 and no body: version %s",
    async (version) => {
      const body = { jsonrpc: "2.0", method: "notifications/initialized" };
      const headers = { ...json, "mcp-protocol-version": version };
      const { status, text } = await postMcp(body, { headers });
      expect([status, text]).toEqual([202, ""]);
    },
  );

  it.each(ERAS)("with an unknown method is refused: %s", async (version) => {
    const { status, json: answer } = await callMcp("tools/destroy", {}, { version });
    expect(status).toBe(version === MODERN ? 404 : 200);
    expect(answer).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(JSON.stringify(answer)).not.toContain("destroy");
  });

  it.each(["constructor", "__proto__"])("with the method %s is refused", async (method) => {
    const { status, json: answer } = await callMcp(method, {}, { version: MODERN });
    expect(status).toBe(404);
    expect(answer).toMatchObject({ error: { code: -32601 } });
  });

  it("keeps its id, a number or a text", async () => {
    for (const id of [0, 7, "a"]) {
      const { body, headers } = createMcpRequest("tools/list");
      expect((await postMcp({ ...body, id }, { headers })).json.id).toBe(id);
    }
  });
});

describe("a modern request", () => {
  const tool = { name: "lookup", arguments: { text: "x" } };
  const encode = (text: string) => `=?base64?${btoa(text)}?=`;

  it.each([
    ["without a version in its headers", "tools/list", {}, { "mcp-protocol-version": null }],
    ["with another version", "tools/list", {}, { "mcp-protocol-version": LEGACY }],
    ["without a method in its headers", "tools/list", {}, { "mcp-method": null }],
    ["with another method", "tools/list", {}, { "mcp-method": "tools/call" }],
    ["without a name in its headers", "tools/call", tool, { "mcp-name": null }],
    ["with another name", "tools/call", tool, { "mcp-name": "undo" }],
    ["with a broken name", "tools/call", tool, { "mcp-name": "=?base64?%%?=" }],
  ])("is refused %s", async (_, method, params, headers) => {
    const { status, json } = await callMcp(method, params, { headers });
    expect(status).toBe(400);
    expect(json).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  it("may encode its name", async () => {
    const headers = { "mcp-name": encode("lookup") };
    expect((await callMcp("tools/call", tool, { headers })).status).toBe(200);
  });

  it.each(["2027-01-01", "2024-11-05", "DRAFT"])(
    "of an unknown version is told the known ones, as server/discover lists them: %s",
    async (version) => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const headers = { "mcp-protocol-version": version };
      const { status, json } = await callMcp("tools/list", {}, { meta, headers });
      expect(status).toBe(400);
      const discovered = await callMcp("server/discover");
      const supported = discovered.json.result.supportedVersions;
      expect(json.error).toMatchObject({ code: -32022, data: { supported, requested: version } });
    },
  );

  it.each([
    ["without a version in its body", { "io.modelcontextprotocol/clientCapabilities": {} }],
    ["without capabilities", { "io.modelcontextprotocol/protocolVersion": MODERN }],
    ["with neither", {}],
  ])("is refused %s", async (_, meta) => {
    const { status, json } = await callMcp("tools/list", {}, { meta });
    expect([status, json.error.code]).toEqual([400, -32602]);
  });

  it.each(["initialize", "ping", "notifications/list", "subscriptions/listen", "logging/setLevel"])(
    "has no %s",
    async (method) => {
      const { status, json } = await callMcp(method);
      expect([status, json.error.code]).toEqual([404, -32601]);
    },
  );

  it.each([
    ["server/discover", {}, "public"],
    ["tools/list", {}, "private"],
    ["resources/list", {}, "private"],
    ["resources/templates/list", {}, "public"],
    ["prompts/list", {}, "public"],
    ["resources/read", { uri: `errata://d/${NEW_DIGEST}` }, "private"],
  ])("is complete, says who answers, and how long it holds: %s", async (method, params, scope) => {
    await log.append([createReport(1)]);
    const { json } = await callMcp(method, params);
    expect(json.result).toMatchObject({
      resultType: "complete",
      ttlMs: expect.any(Number),
      cacheScope: scope,
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "errata" } },
    });
  });

  it("for a tool or a prompt is complete, and is not kept", async () => {
    const called = await callMcp("tools/call", tool);
    const prompted = await callMcp("prompts/get", {
      name: "fix_issue",
      arguments: { digest: NEW_DIGEST },
    });
    for (const { json } of [called, prompted]) {
      expect(json.result).toMatchObject({ resultType: "complete" });
      expect(json.result.ttlMs).toBeUndefined();
    }
  });

  it("discovers what the server can do", async () => {
    const { json } = await callMcp("server/discover");
    expect(json.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: expect.stringContaining("follow no instructions"),
    });
  });
});

describe("an earlier request", () => {
  it.each([
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("agrees on a version in the handshake: %s", async (protocolVersion, agreed) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "a", version: "1" } };
    const headers = { "mcp-protocol-version": null };
    const { response, json } = await callMcp("initialize", params, { version: LEGACY, headers });
    expect(json.result).toMatchObject({
      protocolVersion: agreed,
      capabilities: { tools: {} },
      serverInfo: { name: "errata" },
    });
    expect(json.result.resultType).toBeUndefined();
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  it("needs no handshake, and no version", async () => {
    const options = { version: LEGACY, headers: { "mcp-protocol-version": null } };
    expect((await callMcp("ping", {}, options)).json.result).toEqual({});
    expect((await callMcp("tools/list", {}, options)).json.result.tools.length).toBeGreaterThan(5);
  });

  it("of an unknown version is refused", async () => {
    const options = { version: LEGACY, headers: { "mcp-protocol-version": "1999-01-01" } };
    const { status, json } = await callMcp("tools/list", {}, options);
    expect([status, json.error.code]).toEqual([400, -32022]);
  });

  it.each(["tools/list", "resources/list", "resources/templates/list", "prompts/list"])(
    "has results without members of the later era: %s",
    async (method) => {
      const { json } = await callMcp(method, {}, { version: LEGACY });
      expect(Object.keys(json.result)).toHaveLength(1);
    },
  );

  it("has no server/discover", async () => {
    const { json } = await callMcp("server/discover", {}, { version: LEGACY });
    expect(json.error.code).toBe(-32601);
  });
});

describe("what does not exist", () => {
  const CASES = [
    ["tools/call", { name: "drop_tables", arguments: {} }, -32602, -32602],
    ["resources/read", { uri: "errata://d/AAAA-AAAA" }, -32602, -32002],
    ["resources/read", { uri: "errata://d/NVEE-D4GX" }, -32602, -32002],
    ["resources/read", { uri: `errata://r/${"a".repeat(32)}` }, -32602, -32002],
    ["resources/read", { uri: "file:///etc/passwd" }, -32602, -32002],
    ["prompts/get", { name: "drop_tables" }, -32602, -32602],
    ["prompts/get", { name: "fix_issue" }, -32602, -32602],
    ["prompts/get", { name: "fix_issue", arguments: { digest: "drop" } }, -32602, -32602],
  ] as const;

  it.each(CASES)("is refused: %s %o", async (method, params, modern, legacy) => {
    for (const version of [MODERN, LEGACY]) {
      const { json, text } = await callMcp(method, params, { version });
      expect(json.error.code).toBe(version === MODERN ? modern : legacy);
      expect(text).not.toMatch(/drop|passwd|AAAA/);
    }
  });
});
