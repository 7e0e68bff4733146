/** Valid bodies with invalid headers and paths. */
import { createEvent, createEventEnvelope, type Hostile, PLANTED_SECRET } from "./hostile-row.ts";

const good = createEventEnvelope([createEvent("requests")]);

const headers: readonly Hostile[] = [
  ...[
    "",
    ";;;",
    "application/json; charset=utf-16",
    "multipart/form-data",
    "text/html",
    "a/b/c",
    `${PLANTED_SECRET}/${"x".repeat(8_000)}`,
  ].map((type) => ({
    name: `Content-Type ${JSON.stringify(type.slice(0, 40))}`,
    headers: { "content-type": type },
    status: 200,
  })),
  ...[
    "user-agent",
    "referer",
    "cf-ray",
    "origin",
    "accept",
    "cookie",
    "accept-language",
    "x-forwarded-for",
    "sentry-trace",
    "baggage",
    "traceparent",
  ].flatMap((name) => [
    {
      name: `${name} of 6 kB`,
      headers: { [name]: `${PLANTED_SECRET}${"x".repeat(6_000)}` },
      status: 200,
    },
    {
      name: `${name} that is not text`,
      headers: { [name]: "\u00ff\u0080=;,\"'<>%00%0d%0a{}" },
      status: 200,
    },
  ]),
  {
    name: "two hundred headers",
    headers: Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`x-${at}`, PLANTED_SECRET]),
    ),
    status: 200,
  },
  { name: "a method in a header", headers: { "x-http-method-override": "DELETE" }, status: 200 },
  {
    name: "an Expect, a Range, an If-Match",
    headers: { range: "bytes=0-", "if-match": "*", "if-none-match": "*" },
    status: 200,
  },
].map((row) => ({ body: good, ...row }));

const notFound = { status: 404, desk: true } as const;

const paths: readonly Hostile[] = [
  { name: "a NUL after the endpoint", path: "/api/1/envelope/%00", ...notFound },
  { name: "a path that climbs to the desk", path: "/monitoring/../d/x", ...notFound },
  { name: "a path that climbs to the desk, encoded", path: "/monitoring/%2e%2e/d/x", ...notFound },
  { name: "an endpoint that does not exist", path: "/api/1/unreal/", ...notFound },
  { name: "a percent sign before no escape", path: "/d/%E0%A4%A", ...notFound },
  { name: "a percent sign alone", path: "/%", ...notFound },
  { name: "a backslash", path: "/api\\1\\envelope/../..", ...notFound },
  { name: "30 kB of slashes", path: "/d".padEnd(30_000, "/"), ...notFound },
  { name: "30 kB of letters", path: `/${"a".repeat(30_000)}`, ...notFound },
  { name: "the name of a prototype", path: "/__proto__/constructor", ...notFound },
  {
    name: "a project whose number is too large",
    path: "/api/99999999999999999999/envelope/",
    status: 401,
    reason: "unknown-key",
  },
  { name: "a project of NUL", path: "/api/%00/envelope/", status: 401, reason: "unknown-key" },
  {
    name: "a negative project",
    path: "/api/-1/envelope/",
    status: 401,
    reason: "unknown-key",
  },
  {
    name: "a project with a slash",
    path: "/monitoring/1%2F2",
    status: 401,
    reason: "unknown-key",
  },
  {
    name: "a project that climbs",
    path: "/api/%2e%2e%2f1/envelope/",
    status: 401,
    reason: "unknown-key",
  },
  {
    name: "a project named __proto__",
    path: "/monitoring/__proto__",
    status: 401,
    reason: "unknown-key",
  },
  {
    name: "a project in Arabic digits",
    path: "/monitoring/%D9%A1",
    status: 401,
    reason: "unknown-key",
  },
  {
    name: "ten thousand slashes in the path",
    path: `/a${"/".repeat(10_000)}monitoring`,
    status: 200,
  },
  { name: "a query of 30 kB", path: `/monitoring?${"a=b&".repeat(7_500)}`, status: 200 },
  { name: "a query of percent signs", path: `/monitoring?${"%".repeat(5_000)}`, status: 200 },
  { name: "a prefix of a hundred folders", path: `/${"a/".repeat(100)}monitoring`, status: 200 },
].map((row) => ({ body: good, ...row }));

/** Hostile requests by the part that is invalid. */
export const hostileRequests = { headers, paths } as const;
