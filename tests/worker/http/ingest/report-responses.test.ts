/**
 * Chromium counts a `keepalive` request against 64 KiB until an answer with `no-store` is read;
 * SDKs read none.
 */
import { afterEach, describe, expect, it } from "vitest";
import { openLimiters, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

const KEY = testConfig.ingestKey ?? "";
const PATHS = [
  "/monitoring",
  "/monitoring/1",
  `/api/1/envelope/?sentry_key=${KEY}`,
  `/api/1/store/?sentry_key=${KEY}`,
  `/api/1/security/?sentry_key=${KEY}`,
  `/api/1/csp-report/?sentry_key=${KEY}`,
  `/api/1/nel/?sentry_key=${KEY}`,
  "/v1/logs",
  "/v1/traces",
] as const;

const CSP = {
  "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://cdn.example/a.png" },
};
const EVENT = { message: "no price for 42", platform: "javascript" };

/** The path behind one more key than the request has. */
function addKey(path: string): string {
  return path.includes("?")
    ? path.replace(KEY, "0".repeat(32))
    : `${path}?sentry_key=${"0".repeat(32)}`;
}

const refuse = async () => false;

const CASES = PATHS.flatMap((path) => {
  const isOtlp = path.startsWith("/v1/");
  const body = isOtlp ? "{}" : JSON.stringify(path.includes("csp") ? CSP : EVENT);
  const headers = {
    "content-type": "application/json",
    "cf-connecting-ip": "192.0.2.1",
    ...(isOtlp && { authorization: `Bearer ${KEY}` }),
  };
  const post = { method: "POST", headers, body };
  return [
    { what: "a report", path, init: post, status: 200 },
    { what: "an empty body", path, init: { ...post, body: "" }, status: isOtlp ? 200 : 400 },
    { what: "a body that is not a report", path, init: { ...post, body: "{" }, status: 400 },
    { what: "another method", path, init: { method: "PUT", body }, status: 405 },
    {
      what: "a report beyond the limit of a minute",
      path,
      init: { ...post, services: { limiters: { ...openLimiters, address: refuse } } },
      status: 429,
    },
    { what: "a report with another key", path: addKey(path), init: post, status: 401 },
    { what: "a preflight", path, init: { method: "OPTIONS" }, status: 204 },
  ];
});

describe("responses to reports carry no Cache-Control", () => {
  it.each(CASES)("$path: $what ($status)", async ({ path, init, status }) => {
    const { response } = await visit(path, init);
    const expected = status === 200 ? [200, 202, 204] : [status];
    expect(expected).toContain(response.status);
    expect(response.headers.get("cache-control")).toBeNull();
  });
});
