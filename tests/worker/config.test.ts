import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { handleRequest } from "#src/app.ts";
import { readConfig, readStoreSettings } from "#src/config.ts";
import { fail } from "#src/core/result.ts";
import { bindings } from "#support/store/store.ts";

describe("an invalid configuration", () => {
  const invalidBindings = { ...bindings, ERRATA_KEY: "s3cret!", ERRATA_RENDER_DEADLINE_MS: "soon" };

  it("reports all problems at once and echoes no value", () => {
    const config = readConfig(invalidBindings);
    const problems = config.ok ? [] : config.problems;
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "ERRATA_KEY",
      "ERRATA_RENDER_DEADLINE_MS",
    ]);
    expect(problems.join(" ")).not.toMatch(/s3cret|soon/);
  });

  it.each([
    ["ERRATA_KEY", ["short", "a-b-c-d-e", `errata_server_${"a".repeat(32)}`]],
    ["ERRATA_SERVER_KEY", ["", "a".repeat(46), `errata_server_${"A".repeat(32)}`]],
    ["ERRATA_PREVIOUS_SERVER_KEY", ["", "a".repeat(46), `errata_server_${"A".repeat(32)}`]],
    ["ERRATA_LOCATION", ["mars", "", "WEUR", "weur,enam", "toString"]],
    ["ERRATA_RETENTION_DAYS", ["", "0", "366", "1.5", "-1", "a month", "1e9"]],
    ["ERRATA_SHARDS", ["", "0", "65", "two"]],
    ["ERRATA_LOCAL", ["", "1", "true", "OPEN"]],
    ["ERRATA_SETUP", ["", "open", `${"a".repeat(64)}`, `${"A".repeat(64)}.1795282200000`]],
    ["ERRATA_UPLOAD", ["", "open", `${"a".repeat(64)}`, `${"A".repeat(64)}.1795282200000`]],
    ["ERRATA_ACCESS_TEAM", ["", "acme.cloudflareaccess.com", "https://acme.cloudflareaccess.com"]],
    ["ERRATA_ACCESS_OWNER", ["", "ada", "a b@example.com", "ada@example.com"]],
    ["ERRATA_URL", ["", "errata.example", "https://errata.example/desk", "ftp://errata.example"]],
    ["ERRATA_MAIL_FROM", ["", "errata", "a b@example.com"]],
    ["ERRATA_KV_WRITES_PER_DAY", ["", "99", "100.5", "all"]],
  ])("with an invalid %s reports that variable alone, with the expected value", (name, values) => {
    for (const value of values) {
      const config = readConfig({ ...bindings, [name]: value });
      const problems = config.ok ? [] : config.problems;
      expect(problems, value).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name} must be .*\\.$`));
    }
  });

  const opened = fail({ reason: "bad-config", problems: ["ERRATA_KEY is wrong."] } as const);
  const send = async (path: string, init: RequestInit = {}) =>
    handleRequest(new Request(`http://localhost${path}`, init), opened, createExecutionContext());

  it("gives 503 for every URL, with the global headers", async () => {
    const response = await send("/");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ reason: "bad-config" });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  it.each(["/monitoring", "/monitoring/2", "/api/1/envelope/"])(
    "gives 503 that a page of another origin can read for POST %s",
    async (path) => {
      const response = await send(path, { method: "POST", body: "{}" });
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { reason: "bad-config" },
      ]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cache-control")).toBeNull();
      expect(response.headers.get("retry-after")).toBeNull();
      const preflight = await send(path, { method: "OPTIONS" });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    },
  );

  it.each([
    ["/v1/logs", "application/json"],
    ["/v1/traces", "application/x-protobuf"],
  ])("gives 503 with the `Status` of OTLP for POST %s as %s", async (path, type) => {
    const headers = { "content-type": type };
    const response = await send(path, { method: "POST", body: "{}", headers });
    expect([response.status, response.headers.get("content-type")]).toEqual([503, type]);
    const text = await response.text();
    expect(text).toContain("Errata is not configured: ERRATA_KEY is wrong.");
    if (type === "application/json") expect(Object.keys(JSON.parse(text))).toEqual(["message"]);
    else expect(text.charCodeAt(0)).toBe(0x12);
  });
});

describe("a valid configuration", () => {
  it.each([
    ["location", "ERRATA_LOCATION", "weur", "weur"],
    ["location", "ERRATA_LOCATION", "me", "me"],
    ["retentionDays", "ERRATA_RETENTION_DAYS", "1", 1],
    ["retentionDays", "ERRATA_RETENTION_DAYS", "365", 365],
    ["shards", "ERRATA_SHARDS", "64", 64],
    ["isLocalOpen", "ERRATA_LOCAL", "open", true],
  ])("sets %s from %s: %s", (member, name, value, expected) => {
    const config = readConfig({ ...bindings, [name]: value });
    expect(config.ok && config.value).toHaveProperty(member, expected);
    if (member === "isLocalOpen") return;
    expect(readStoreSettings({ ...bindings, [name]: value })).toHaveProperty(member, expected);
  });

  it("sets how people sign in: a setup code by its hash, a Cloudflare Access application", () => {
    const config = readConfig({
      ...bindings,
      ERRATA_SETUP: `${"a".repeat(64)}.1795282200000`,
      ERRATA_ACCESS_TEAM: "acme.cloudflareaccess.com",
      ERRATA_ACCESS_AUD: "0".repeat(64),
      ERRATA_ACCESS_OWNER: "Ada@example.com",
    });
    expect(config).toMatchObject({
      ok: true,
      value: {
        isLocalOpen: false,
        setup: { hash: "a".repeat(64), expiresMs: 1_795_282_200_000 },
        access: {
          team: "acme.cloudflareaccess.com",
          audience: "0".repeat(64),
          owner: "ada@example.com",
        },
      },
    });
  });

  it("defaults to one shard, no location and a retention of thirty days", () => {
    const config = readConfig(bindings);
    expect(config.ok && config.value).toMatchObject({ shards: 1, retentionDays: 30 });
    expect(config.ok && config.value.location).toBeUndefined();
    expect(readStoreSettings(bindings).location).toBeUndefined();
  });
});
