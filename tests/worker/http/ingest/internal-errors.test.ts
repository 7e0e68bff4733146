/** A failure of Errata itself at an endpoint for programs. */
import { afterEach, describe, expect, it } from "vitest";
import { openLimiters, TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const broken = () => Promise.reject(new Error("an uncommon fault"));
const limiters = { ...openLimiters, global: broken };
const key = `sentry_key=${TEST_SERVER_KEY}`;
const ENVELOPE = '{}\n{"type":"event"}\n{"message":"x"}';
const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";

const PATHS = [
  { path: `/monitoring?${key}`, body: ENVELOPE, type: "text/plain" },
  { path: `/api/1/envelope/?${key}`, body: ENVELOPE, type: "text/plain" },
  { path: `/v1/logs?${key}`, body: '{"resourceLogs":[]}', type: JSON_TYPE },
  { path: `/v1/traces?${key}`, body: new Uint8Array(), type: PROTOBUF_TYPE },
];

describe("a failure inside an ingest endpoint", () => {
  it.each(PATHS)("$path: 503 in the sender's format, without Retry-After", async (row) => {
    const { path, body, type } = row;
    const { response, body: text } = await visit(path, {
      method: "POST",
      body,
      headers: { "content-type": type, accept: "text/html,*/*" },
      services: { limiters },
    });
    expect(response.status).toBe(503);
    const responseType = type === PROTOBUF_TYPE ? PROTOBUF_TYPE : JSON_TYPE;
    expect(response.headers.get("content-type")).toBe(responseType);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBeNull();
    // SDKs would stop sending every other report for that time.
    expect(response.headers.get("retry-after")).toBeNull();
    expect(text).toContain("Errata failed");
    expect(text).not.toContain("uncommon");
  });

  it("is logged and stored as Errata's own error, without the key", async () => {
    const { body, logged } = await visit(`/monitoring?${key}`, {
      method: "POST",
      body: ENVELOPE,
      services: { limiters },
    });
    const [report] = logged;
    expect(report).toMatchObject({ message: "an uncommon fault", trust: "server" });
    expect(JSON.stringify(report)).not.toContain(TEST_SERVER_KEY);
    expect(JSON.parse(body).detail).toContain(report?.digest);
    expect(await projectStore.getFreshIssue(report?.digest ?? "")).toMatchObject({ count: 1 });
  });

  it("responds even if the error cannot be reported", async () => {
    const problems: unknown[] = [];
    const sha256 = () => {
      throw new Error("no hash");
    };
    const { response } = await visit("/monitoring", {
      method: "POST",
      // The hashes of a message that the isolate has seen are remembered.
      body: ENVELOPE.replace("x", "a message that no other test sends"),
      services: { sha256, logProblem: (cause) => problems.push(cause) },
    });
    expect(response.status).toBe(503);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe("other API paths never respond with a page", () => {
  it.each(["/api/", "/api", "/api/1/unreal/", "/v1/metrics"])("%s is unknown", async (path) => {
    const { response, body } = await visit(path, { headers: { accept: "text/html" } });
    expect(response.status).toBe(404);
    expect(JSON.parse(body).reason).toBe("not-found");
  });

  it("the API of Sentry's tools answers as JSON, too", async () => {
    const { response, body } = await visit("/api/0/projects", { headers: { accept: "text/html" } });
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(body)).toBeTypeOf("object");
  });

  it("a failed request for JSON gets JSON with the digest of the error", async () => {
    // No handler expects that a service is missing.
    const visitLive = (accept: string) =>
      visit("/live", { headers: { accept }, services: { projectStore: null as never } });
    const { response, body, logged } = await visitLive("application/json");
    expect([response.status, JSON.parse(body).reason]).toEqual([500, "internal-error"]);
    expect(body).toContain(logged[0]?.digest ?? "?");
    expect((await visitLive("text/html")).body).toContain("<!DOCTYPE html>");
  });
});
