import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const PAGE = "https://shop.example/cart";
const EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/a.js";

const violation = (directive: string, blocked: string, over: Record<string, unknown> = {}) => ({
  type: "csp-violation",
  age: 1,
  url: PAGE,
  body: {
    documentURL: PAGE,
    effectiveDirective: directive,
    blockedURL: blocked,
    disposition: "enforce",
    originalPolicy: "default-src 'self'; report-to main",
    ...over,
  },
});
const sendReports = (...reports: unknown[]) =>
  visit("/monitoring", { method: "POST", body: JSON.stringify(reports) });

const asJson = { headers: { accept: "application/json" } };
const dryRunPath = (policy: string) => `/csp?${new URLSearchParams({ policy })}`;
const post = (policy: string, headers: Record<string, string> = {}) =>
  visit("/csp", {
    method: "POST",
    body: String(new URLSearchParams({ policy })),
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

interface CspJson {
  readonly total: number;
  readonly issues: readonly { readonly digest: string; readonly type: string }[];
  readonly dryRun: {
    readonly verdicts: Readonly<Record<string, { readonly verdict: string; readonly by?: string }>>;
    readonly suggestedPolicies: readonly string[];
    readonly stillBlocked: readonly { readonly requirement: string }[];
    readonly origins: readonly string[];
  };
}
const readJson = async (path: string) => JSON.parse((await visit(path, asJson)).body) as CspJson;

const unavailable: ProjectStore = replaceMethods(projectStore, {
  listIssues: () => Promise.reject(new Error("unavailable")),
});

describe("violations", () => {
  it("have their current state: an issue is open again when its ignore duration is over", async () => {
    await sendReports(violation("img-src", "https://cdn.example/a.png"));
    const [issue] = (await readJson("/csp")).issues;
    const ignored = { v: 2, state: "snoozed", atMs: 0, untilMs: 1 } as const;
    const readList = async (untilMs: number) => {
      const list: ProjectStore["listIssues"] = async (query, from) => {
        const page = await projectStore.listIssues(query, from);
        const decision = { ...ignored, untilMs };
        return {
          ...page,
          issues: page.issues.map((one) => ({ ...one, state: "snoozed", decision })),
        };
      };
      return (
        await visit("/csp?streaming=off", {
          services: { projectStore: replaceMethods(projectStore, { listIssues: list }) },
        })
      ).body;
    };
    expect(issue?.type).toBe("img-src");
    expect(await readList(1)).not.toContain('data-state="snoozed"');
    expect(await readList(Number.MAX_SAFE_INTEGER)).toContain('data-state="snoozed"');
  });

  it("are listed by directive; noise and other reports are listed separately", async () => {
    await sendReports(
      violation("img-src", "https://cdn.example/a.png"),
      violation("script-src-elem", "inline"),
      violation("script-src-elem", "inline", { sourceFile: EXTENSION }),
      { type: "deprecation", url: PAGE, body: { id: "UnloadHandler", message: "Unload goes." } },
      { type: "network-error", url: PAGE, body: { type: "tcp.timed_out", phase: "connection" } },
    );
    const { body, response, logged } = await visit("/csp");
    expect([response.status, logged]).toEqual([200, []]);
    for (const text of [
      "https://cdn.example/a.png",
      "inline script",
      "UnloadHandler",
      "tcp.timed_out",
    ])
      expect(body).toContain(text);
    expect(body.replaceAll("<!-- -->", "")).toContain("1 violation hidden as noise");
    expect((await readJson("/csp")).total).toBe(2);
    expect((await readJson("/csp.json")).total).toBe(2);
  });

  it("show the policy that was in force, with a link that tests it", async () => {
    await sendReports(violation("img-src", "https://cdn.example/a.png"));
    const { body } = await visit("/csp");
    expect(body).toContain(`href="${dryRunPath("default-src 'self'; report-to main")}"`);
  });

  it("keep the policy of a signed page if a public report names another one", async () => {
    const report = createReport(1, { kind: "csp", type: "img-src", trust: "page" });
    await log.append([{ ...report, detail: { "original-policy": "img-src 'self'" } }]);
    const forged = {
      id: toReportId(2),
      trust: "public",
      occurredAtMs: report.occurredAtMs + 1,
    } as const;
    await log.append([{ ...report, ...forged, detail: { "original-policy": "img-src *" } }]);
    expect((await visit("/csp")).body).toContain(`href="${dryRunPath("img-src 'self'")}"`);
  });

  it("have an empty state", async () => {
    expect((await visit("/csp")).body).toContain("No violations yet.");
  });
});

describe("the dry run of a policy", () => {
  it("suggests no sources and pages of public reports if there are trusted ones", async () => {
    const createViolation = (n: number, host: string, trust: Trust, digest: string) =>
      createReport(n, {
        ...{ kind: "csp", type: "img-src", trust, digest, blockedUri: `https://${host}/a.png` },
        request: { url: `https://shop-${host}/` },
      });
    await log.append([createViolation(1, "evil.example", "public", "7F3K-Q2M9")]);
    const path = dryRunPath("img-src 'self'");
    const before = (await readJson(path)).dryRun;
    expect(before.suggestedPolicies).toEqual(["img-src 'self' https://evil.example"]);
    expect(before.origins).toEqual(["https://shop-evil.example"]);
    await log.append([createViolation(2, "cdn.example", "page", "NN8A-S8H6")]);
    const { verdicts, suggestedPolicies, origins } = (await readJson(path)).dryRun;
    expect(Object.keys(verdicts)).toHaveLength(2);
    expect(suggestedPolicies).toEqual(["img-src 'self' https://cdn.example"]);
    expect(origins).toEqual(["https://shop-cdn.example"]);
  });

  it("shows the verdict for each violation, and suggests a header that allows the blocked ones", async () => {
    await sendReports(
      violation("img-src", "https://cdn.example/a.png"),
      violation("img-src", "https://shop.example/b.png"),
      violation("script-src-elem", "inline"),
    );
    const { issues, dryRun } = await readJson(dryRunPath("default-src 'self'"));
    const verdicts = issues.map(({ digest, type }) => [type, dryRun.verdicts[digest]?.verdict]);
    expect(verdicts.toSorted()).toEqual([
      ["img-src", "allowed"],
      ["img-src", "blocked"],
      ["script-src-elem", "blocked"],
    ]);
    expect(dryRun.suggestedPolicies).toEqual([
      "default-src 'self'; img-src 'self' https://cdn.example",
    ]);
    expect(dryRun.stillBlocked.map(({ requirement }) => requirement)).toEqual(["nonce-or-hash"]);
    expect(dryRun.origins).toEqual(["https://shop.example"]);
    const { body, response } = await visit(dryRunPath("default-src 'self'"));
    expect(response.status).toBe(200);
    for (const text of ["Allowed", "Still blocked", "img-src &#x27;self&#x27; https://cdn"])
      expect(body).toContain(text);
  });

  it("shows one line per directive, copies them as one, and lists added and removed sources", async () => {
    await sendReports(
      violation("img-src", "https://cdn.example/a.png"),
      violation("img-src", "https://cdn.example/b.png"),
      violation("img-src", "https://other.example/a.png"),
      violation("connect-src", "https://api.example/v1"),
    );
    const { body } = await visit(
      `${dryRunPath("default-src 'self'; img-src https://x.example/?q 'self', font-src *")}&streaming=off`,
    );
    const text = body.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
    const lines = [...text.matchAll(/class="header-line">([^<]*)/g)].map(([, line]) => line);
    const sources = "https://cdn.example https://other.example";
    expect(lines).toEqual([
      "default-src 'self';\n",
      `img-src 'self' ${sources};\n`,
      "connect-src 'self' https://api.example,\n",
      "font-src *\n",
    ]);
    expect(text).toContain(
      `data-copy="Content-Security-Policy: ${lines.join(" ").replaceAll("\n", "")}"`,
    );
    const additions = [...text.matchAll(/<dt><code>([^<]*)<\/code>: <ins>([^<]*)/g)];
    expect(additions.map(([, directive, count]) => [directive, count])).toEqual([
      ["img-src", "+2"],
      ["connect-src", "+1"],
    ]);
    expect(text).toContain(
      "https://x.example/?q</code> is not a source. It is removed, because browsers",
    );
  });

  it("ignores noise", async () => {
    await sendReports(violation("script-src-elem", "inline", { sourceFile: EXTENSION }));
    expect((await readJson(dryRunPath("default-src 'none'"))).dryRun.stillBlocked).toEqual([]);
  });

  it("redirects to a URL for a short policy, and responds directly for a long one", async () => {
    const short = await post("img-src\r\n 'self'");
    expect([short.response.status, short.response.headers.get("location")]).toEqual([
      303,
      dryRunPath("img-src\n 'self'"),
    ]);
    await sendReports(violation("img-src", "data"));
    const long = await post(`img-src ${"https://cdn.example/a-long-path ".repeat(200)}`);
    expect(long.response.status).toBe(200);
    expect(long.body).toContain("Suggested header");
  });

  it("starts with the default policy if the field was empty", async () => {
    await sendReports(violation("img-src", "https://cdn.example/a.png"));
    const { response } = await post("");
    expect(response.headers.get("location")).toBe("/csp?policy=");
    expect((await visit("/csp?policy=")).body).toContain("No policy was entered");
  });

  it.each([
    ["hello", "a Content-Security-Policy with directives"],
    ["x".repeat(limits.maxPolicyChars + 1), "a policy of at most 8000 characters"],
    ["<script>alert(1)</script>", "a Content-Security-Policy with directives"],
  ])("refuses an invalid policy with an explanation (case %#)", async (policy, sentence) => {
    for (const { response, body } of [await visit(dryRunPath(policy)), await post(policy)]) {
      expect(response.status).toBe(400);
      expect(body).toContain(sentence);
      expect(body).not.toContain("<script>alert");
    }
    const { response, body } = await visit(dryRunPath(policy), asJson);
    expect([response.status, JSON.parse(body).reason]).toEqual([400, "bad-policy"]);
  });

  it("shows the policy as plain text", async () => {
    const { body } = await visit(dryRunPath("img-src </textarea><script>alert(1)</script>"));
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("&lt;/textarea&gt;&lt;script&gt;alert(1)");
  });
});

describe("a form", () => {
  it("from another site is refused", async () => {
    const { response } = await post("img-src *", { "sec-fetch-site": "cross-site" });
    expect(response.status).toBe(403);
  });

  it.each([
    ["policy=a&policy=b", "application/x-www-form-urlencoded", 400],
    ["policy=img-src&x=1", "application/x-www-form-urlencoded", 400],
    ['{"policy":1}', "application/json", 400],
    ["img-src *", "text/plain", 415],
    [`policy=${"x".repeat(limits.maxFormBytes)}`, "application/x-www-form-urlencoded", 413],
  ])("that is invalid is refused (case %#)", async (body, type, status) => {
    const { response } = await visit("/csp", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect(response.status).toBe(status);
  });

  it("sent as JSON gets a JSON response", async () => {
    const { response, body } = await visit("/csp", {
      method: "POST",
      body: JSON.stringify({ policy: "img-src *" }),
      headers: { "content-type": "application/json" },
    });
    expect([response.status, JSON.parse(body).dryRun.suggestedPolicies]).toEqual([
      200,
      ["img-src *"],
    ]);
  });
});

describe("while the index is unavailable", () => {
  it("JSON responses are 503, and the page shows the rest", async () => {
    const services = { projectStore: unavailable };
    expect((await visit("/csp", { ...asJson, services })).response.status).toBe(503);
    const { response, body } = await visit(dryRunPath("img-src *"), { services });
    expect(response.status).toBe(200);
    expect(body).toContain("Test a policy");
  });
});
