import { afterEach, describe, expect, it } from "vitest";
import { handleRequest } from "#src/app.ts";
import { fail } from "#src/core/result.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { type Visit, visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const JSON_ONLY = { headers: { accept: "application/json" } };
const FORM = {
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: "state=resolved",
};
const file = { bytes: 25, name: "a.txt", type: "text/html", text: "<script>alert(1)</script>" };

type Kind = "page" | "plain" | "report";
interface Row {
  readonly what: string;
  readonly kind: Kind;
  readonly status: number;
  readonly visit: (origin: string) => Promise<Visit>;
}
const row = (
  what: string,
  kind: Kind,
  status: number,
  path: string,
  init: RequestInit = {},
): Row => ({
  what,
  kind,
  status,
  visit: (origin) => visit(path, { ...init, origin }),
});

/** Public URLs, the same on every host. */
const PUBLIC = [
  row("a receipt", "page", 200, `/e/${DIGEST}`),
  row("an unknown receipt", "page", 200, "/e/0000-0000"),
  row("a receipt as JSON", "plain", 200, `/e/${DIGEST}.json`),
  row("a receipt by another spelling", "plain", 302, "/e/7f3kq2m9"),
  row("a comment", "plain", 303, `/e/${DIGEST}`, { ...FORM, body: "comment=hello" }),
  row("an empty comment", "page", 400, `/e/${DIGEST}`, { ...FORM, body: "comment=" }),
  row("the choice of a color scheme", "plain", 303, "/theme", { ...FORM, body: "theme=dark" }),
  row("an unknown path", "page", 404, "/missing"),
  row("an unknown path as JSON", "plain", 404, "/missing", JSON_ONLY),
  row("a report", "report", 202, "/monitoring", {
    method: "POST",
    body: '{"errata":1,"how":"uncaught","type":"Error","message":"no price"}',
  }),
  row("an invalid report", "report", 400, "/monitoring", { method: "POST", body: "{" }),
  row("a preflight", "report", 204, "/monitoring", { method: "OPTIONS" }),
  row("a report by the wrong method", "report", 405, "/api/1/envelope/"),
] as const;

const DESK = [
  row("the desk", "page", 200, "/"),
  row("the list", "page", 200, "/issues"),
  row("the list as JSON", "plain", 200, "/issues.json"),
  row("an issue", "page", 200, `/d/${DIGEST}`),
  row("an issue as Markdown", "plain", 200, `/d/${DIGEST}.md`),
  row("an unknown issue", "page", 404, "/d/0000-0000?streaming=off"),
  row("a file", "plain", 200, `/d/${DIGEST}/files/0`),
  row("an unknown file", "plain", 404, `/d/${DIGEST}/files/7`),
  row("a decision", "plain", 303, `/d/${DIGEST}/state`, FORM),
  row("an invalid decision", "plain", 400, `/d/${DIGEST}/state`, { ...FORM, body: "" }),
  row("an export", "plain", 200, "/export"),
  row("a moved URL", "plain", 301, "/noise"),
  row("a page that streams", "page", 200, "/self-test/after-flush"),
  row("a shell that fails", "page", 500, "/self-test/shell"),
  row("the constant failure page", "page", 500, "/self-test/failure-page"),
  row("a socket without an upgrade", "plain", 426, "/live/socket"),
] as const;

const CLOSED = [
  row("the closed desk", "page", 503, "/"),
  row("the closed desk as JSON", "plain", 503, "/issues.json"),
  row("a file of the closed desk", "page", 503, `/d/${DIGEST}/files/0`),
] as const;

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};

/**
 * The security headers of each kind of response; null for a header that it must not have.
 */
const OF_KIND: Readonly<Record<Kind, Readonly<Record<string, string | null>>>> = {
  page: {
    ...EVERYWHERE,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
    "access-control-allow-origin": null,
  },
  plain: {
    ...EVERYWHERE,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
    "access-control-allow-origin": null,
  },
  report: {
    ...EVERYWHERE,
    "cross-origin-resource-policy": null,
    "cache-control": null,
    "access-control-allow-origin": "*",
  },
};

/** On this machine everyone is signed in. */
const OWN = { rows: [...PUBLIC, ...DESK], robots: null };
/** Search engines must list no page for a visitor who is not signed in. */
const FOREIGN = { rows: [...PUBLIC, ...CLOSED], robots: "noindex" };

const HOSTS = [
  { origin: "http://localhost:8787", ...OWN, hsts: false },
  { origin: "https://localhost:8787", ...OWN, hsts: false },
  { origin: "https://errata.example", ...FOREIGN, hsts: true },
  { origin: "http://errata.example", ...FOREIGN, hsts: false },
];

describe.each(HOSTS)("at $origin", ({ origin, rows, robots, hsts }) => {
  it.each(rows)(
    "$what ($status) has the security headers of its kind",
    async ({ visit: visitRow, kind, status }) => {
      await log.append([createReport(1, { attachments: [file] })]);
      const { response } = await visitRow(origin);
      expect(response.status).toBe(status);
      const expected = OF_KIND[kind];
      const said = Object.keys(expected).map((name) => [name, response.headers.get(name)]);
      expect(Object.fromEntries(said)).toEqual(expected);
      expect(response.headers.get("strict-transport-security")).toBe(
        hsts ? "max-age=63072000" : null,
      );
      if (kind !== "page") return;
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("x-robots-tag")).toBe(robots);
      expectStrict(response.headers);
    },
  );
});

function expectStrict(headers: Headers): void {
  const policy = new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values.join(" ")] as const;
    }),
  );
  expect(Object.fromEntries(policy)).toMatchObject({
    "default-src": "'none'",
    "script-src": "'self' 'nonce-test-nonce' 'report-sample'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  });
  expect([...policy.values()].join(" ")).not.toMatch(/unsafe|\*|https?:/);
  expect(policy.has("report-to") || policy.has("report-uri")).toBe(true);
  const permissions = (headers.get("permissions-policy") ?? "").split(", ");
  expect(permissions.filter((one) => !one.endsWith("=()"))).toEqual([
    "clipboard-write=(self)",
    "publickey-credentials-create=(self)",
    "publickey-credentials-get=(self)",
  ]);
  expect(permissions).toContain("camera=()");
}

it("an attachment is served with headers that disable all its contents", async () => {
  await log.append([createReport(1, { attachments: [file] })]);
  const { response } = await visit(`/d/${DIGEST}/files/0`);
  const { headers } = response;
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
});

it("an unconfigured Errata responds with the same headers", async () => {
  const opened = fail({ reason: "bad-config", problems: ["It is not."] } as const);
  const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
  const request = new Request("https://errata.example/");
  const response = await handleRequest(request, opened, context as never);
  expect(response.status).toBe(503);
  for (const [name, value] of Object.entries(EVERYWHERE))
    expect(response.headers.get(name)).toBe(value);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
});

it("no text of a URL becomes part of a header", async () => {
  for (const path of [
    "/e/%0d%0aSet-Cookie:%20a=b",
    "/lookup?q=%0d%0aSet-Cookie:%20a=b",
    "/d/%0aX:%20y",
  ]) {
    const { response } = await visit(path);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("set-cookie") ?? "").not.toContain("a=b");
    expect(response.headers.has("x")).toBe(false);
  }
});
