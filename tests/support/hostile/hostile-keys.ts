/** Ingest keys and DSNs that are wrong, contradictory or missing. */
import {
  createEvent,
  createEventEnvelope,
  type Hostile,
  KEY,
  PLANTED_SECRET,
} from "./hostile-row.ts";

const good = createEventEnvelope([createEvent("requests")]);
const OTHER = "f".repeat(32);
const api = "/api/1/envelope/";
const refused = { status: 401, reason: "unknown-key" } as const;
const several = { status: 401, reason: "conflicting-keys" } as const;

const requests: readonly Omit<Hostile, "body">[] = [
  {
    name: "two in the query and a header",
    path: `${api}?sentry_key=${KEY}`,
    headers: { authorization: `Bearer ${OTHER}` },
    ...several,
  },
  {
    name: "one in each header",
    path: api,
    headers: { authorization: `Bearer ${OTHER}`, "x-sentry-auth": `Sentry sentry_key=${KEY}` },
    ...several,
  },
  {
    name: "one in the path, one in the query",
    path: `/api/1/envelope/${OTHER}?sentry_key=${KEY}`,
    ...several,
  },
  { name: "none", path: api, ...refused },
  { name: "an empty one", path: `${api}?sentry_key=`, ...refused },
  { name: "a percent that begins nothing", path: `${api}?sentry_key=%E0%A4%A%`, ...refused },
  { name: "an array", path: `${api}?sentry_key[]=${KEY}`, ...refused },
  { name: "one of 30 kB", path: `${api}?sentry_key=${"a".repeat(30_000)}`, ...refused },
  {
    name: "X-Sentry-Auth of 30 kB",
    path: api,
    headers: { "x-sentry-auth": `Sentry ${"a=b,".repeat(7_500)}` },
    ...refused,
  },
  {
    name: "X-Sentry-Auth with quotes that never end",
    path: api,
    headers: { "x-sentry-auth": `Sentry sentry_key="` },
    ...refused,
  },
  {
    name: "Basic that is not base64",
    path: api,
    headers: { authorization: "Basic %%%" },
    ...refused,
  },
  {
    name: "Basic without a colon",
    path: api,
    headers: { authorization: `Basic ${btoa(KEY)}` },
    ...refused,
  },
  { name: "Basic of bytes", path: api, headers: { authorization: "Basic //79/A==" }, ...refused },
  {
    name: "a scheme of its own",
    path: api,
    headers: { authorization: `${PLANTED_SECRET} ${KEY}` },
    ...refused,
  },
  {
    name: "Bearer of spaces",
    path: api,
    headers: { authorization: `Bearer${" ".repeat(5_000)}x` },
    ...refused,
  },
];
const keys: readonly Hostile[] = requests.map((row) => ({ body: good, ...row }));

const dsns: readonly Hostile[] = [
  ...[
    17,
    null,
    [],
    {},
    true,
    "",
    "x",
    "http://",
    "https://[::1",
    `javascript:${PLANTED_SECRET}`,
    "http://a".repeat(1_500),
  ].map((dsn) => ({
    name: JSON.stringify(dsn).slice(0, 30),
    body: good.replace("{}", JSON.stringify({ dsn })),
    status: 200,
  })),
  {
    name: "of another key here",
    body: good.replace("{}", `{"dsn":"http://${OTHER}@localhost:8787/1"}`),
    status: 401,
  },
  {
    name: "with a path that climbs",
    body: good.replace("{}", `{"dsn":"http://${KEY}@localhost:8787/../../2"}`),
    status: 200,
  },
  {
    name: "with a user that is not a key",
    body: good.replace("{}", '{"dsn":"http://%00:%ff@localhost:8787/1"}'),
    status: 200,
  },
];

/** Requests by the part that carries the key. */
export const hostileKeys = { keys, dsns } as const;
