import { describe, expect, it } from "vitest";
import { parseDsnKey, readIngestKeys } from "#src/http/ingest/credentials.ts";
import { findTunnelRoute, parseIngestRoute, toTunnelHash } from "#src/http/ingest/endpoints.ts";

const KEY = "0123456789abcdef0123456789abcdef";

describe("the ingest endpoints", () => {
  it.each([
    ["/monitoring", { endpoint: "monitoring" }],
    ["/monitoring/", { endpoint: "monitoring" }],
    ["/monitoring/1", { endpoint: "monitoring", project: "1" }],
    ["/api/1/envelope/", { endpoint: "envelope", project: "1" }],
    ["/api/1/envelope", { endpoint: "envelope", project: "1" }],
    ["//api//1//envelope//", { endpoint: "envelope", project: "1" }],
    ["/_errata/api/42/store/", { endpoint: "store", project: "42" }],
    ["/a/b/api/1/security/", { endpoint: "security", project: "1" }],
    ["/api/1/csp-report/", { endpoint: "csp-report", project: "1" }],
    ["/api/1/nel/", { endpoint: "nel", project: "1" }],
    [`/api/1/security/${KEY}/`, { endpoint: "security", project: "1", key: KEY }],
    ["/api/1/minidump/", { endpoint: "minidump", project: "1" }],
    ["/api/embed/error-page/", { endpoint: "error-page" }],
    ["/v1/logs", { endpoint: "otlp-logs" }],
    ["/otel/v1/traces/", { endpoint: "otlp-traces" }],
  ])("include %s", (path, route) => {
    expect(parseIngestRoute(path)).toEqual(route);
  });

  it.each([
    "/",
    "/d/7F3K-Q2M9",
    "/api/1",
    "/api/embed/error-page/x",
    "/monitoring/1/2",
    "/monitoringx",
    "/v1/metrics",
    "/1ka1kua",
  ])("do not include %s", (path) => {
    expect(parseIngestRoute(path)).toBeNull();
  });

  it("include the form of showReportDialog, whose DSN names key and project", () => {
    const query = new URLSearchParams({ dsn: `https://${KEY}@errata.example/shop/42` });
    const route = { endpoint: "error-page", project: "42", key: KEY };
    expect(parseIngestRoute("/shop/api/embed/error-page/", query)).toEqual(route);
  });

  it("include the managed tunnel of a known DSN, with or without a path prefix", () => {
    const dsn = `https://${KEY}@errata.example/1`;
    const tunnel = toTunnelHash(dsn);
    expect(tunnel).toMatch(/^[0-9a-z]{1,7}$/);
    for (const path of [`/${tunnel}`, `/shop/${tunnel}/`]) {
      expect(findTunnelRoute(path, ["https://other@errata.example/2", dsn])).toEqual({
        endpoint: "monitoring",
      });
    }
    expect(findTunnelRoute(`/${tunnel}`, [])).toBeNull();
    expect(findTunnelRoute(`/${tunnel}x`, [dsn])).toBeNull();
  });
});

describe("the key of a request", () => {
  const readKeys = (query: string, headers: Record<string, string>, keyInPath?: string) =>
    readIngestKeys(
      new URL(`https://errata.example/api/1/envelope/${query}`),
      new Headers(headers),
      keyInPath,
    );

  it.each<{ name: string; query: string; headers: Record<string, string> }>([
    { name: "the query", query: `?sentry_version=7&sentry_key=${KEY}`, headers: {} },
    {
      name: "X-Sentry-Auth",
      query: "",
      headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${KEY}` },
    },
    {
      name: "Authorization: Sentry",
      query: "",
      headers: { authorization: `Sentry sentry_key=${KEY},sentry_client=a/1` },
    },
    { name: "Authorization: Bearer", query: "", headers: { authorization: `Bearer ${KEY}` } },
    {
      name: "Basic, as the user",
      query: "",
      headers: { authorization: `Basic ${btoa(`${KEY}:`)}` },
    },
    {
      name: "two forms that agree",
      query: `?sentry_key=${KEY}`,
      headers: { authorization: `Bearer ${KEY}` },
    },
  ])("is read from $name", ({ query, headers }) => {
    expect(readKeys(query, headers)).toEqual([KEY]);
  });

  it("is read from the path or from the DSN in the body", () => {
    expect(readKeys("", {}, KEY)).toEqual([KEY]);
    expect(parseDsnKey(`https://${KEY}:secret@errata.example/1`)).toBe(KEY);
  });

  it.each([
    {},
    { authorization: "Bearer" },
    { authorization: "Basic %%%" },
    { "x-sentry-auth": "x" },
  ])("is not in the headers %j", (headers) => {
    expect(readKeys("", headers as Record<string, string>)).toEqual([]);
  });

  it("is one of several if its sources disagree", () => {
    const keys = readKeys(`?sentry_key=${KEY}`, { authorization: "Bearer another_key" });
    expect(keys).toEqual([KEY, "another_key"]);
  });
});
