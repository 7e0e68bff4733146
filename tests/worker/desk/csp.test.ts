import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { desk } from "../../support/store.ts";

afterEach(() => fresh());

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
const report = (...reports: unknown[]) =>
  visit("/monitoring", { method: "POST", body: JSON.stringify(reports) });

const asJson = { headers: { accept: "application/json" } };
const tried = (policy: string) => `/csp?${new URLSearchParams({ policy })}`;
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
const read = async (path: string) => JSON.parse((await visit(path, asJson)).body) as CspJson;

const away: ProjectStore = { ...desk, listIssues: () => Promise.reject(new Error("away")) };

describe("violations", () => {
  it("stand as they are now: one that was ignored for a time that is over is open", async () => {
    await report(violation("img-src", "https://cdn.example/a.png"));
    const [issue] = (await read("/csp")).issues;
    const over = { v: 1, state: "ignored", atMs: 0, untilMs: 1 } as const;
    const listed = async (untilMs: number) => {
      const list: ProjectStore["listIssues"] = async (query, from) => {
        const page = await desk.listIssues(query, from);
        const decision = { ...over, untilMs };
        return {
          ...page,
          issues: page.issues.map((one) => ({ ...one, state: "ignored", decision })),
        };
      };
      return (
        await visit("/csp?streaming=off", {
          services: { projectStore: { ...desk, listIssues: list } },
        })
      ).body;
    };
    expect(issue?.type).toBe("img-src");
    expect(await listed(1)).not.toContain('data-state="ignored"');
    expect(await listed(Number.MAX_SAFE_INTEGER)).toContain('data-state="ignored"');
  });

  it("stand under their directives; noise and other reports stand apart", async () => {
    await report(
      violation("img-src", "https://cdn.example/a.png"),
      violation("script-src-elem", "inline"),
      violation("script-src-elem", "inline", { sourceFile: EXTENSION }),
      { type: "deprecation", url: PAGE, body: { id: "UnloadHandler", message: "Unload goes." } },
      { type: "network-error", url: PAGE, body: { type: "tcp.timed_out", phase: "connection" } },
    );
    const { body, response, logged } = await visit("/csp");
    expect([response.status, logged]).toEqual([200, []]);
    for (const words of ["https://cdn.example/a.png", "inline script", "Deprecations", "NEL"])
      expect(body).toContain(words);
    expect(body.replaceAll("<!-- -->", "")).toContain("1 violation hidden as noise");
    expect((await read("/csp")).total).toBe(2);
    expect((await read("/csp.json")).total).toBe(2);
  });

  it("name the policy that was in force, and lead to a trial of it", async () => {
    await report(violation("img-src", "https://cdn.example/a.png"));
    const { body } = await visit("/csp");
    expect(body).toContain(`href="${tried("default-src 'self'; report-to main")}"`);
  });

  it("are asked for when there are none", async () => {
    expect((await visit("/csp")).body).toContain("No violations yet.");
  });
});

describe("a policy that is tried", () => {
  it("says of each violation what would become of it, and which header would be clean", async () => {
    await report(
      violation("img-src", "https://cdn.example/a.png"),
      violation("img-src", "https://shop.example/b.png"),
      violation("script-src-elem", "inline"),
    );
    const { issues, dryRun } = await read(tried("default-src 'self'"));
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
    const { body, response } = await visit(tried("default-src 'self'"));
    expect(response.status).toBe(200);
    for (const words of ["Allowed", "Still blocked", "img-src &#x27;self&#x27; https://cdn"])
      expect(body).toContain(words);
  });

  it("has a line for each directive, is copied in one, and says what was added and left out", async () => {
    await report(
      violation("img-src", "https://cdn.example/a.png"),
      violation("img-src", "https://cdn.example/b.png"),
      violation("img-src", "https://other.example/a.png"),
      violation("connect-src", "https://api.example/v1"),
    );
    const { body } = await visit(
      `${tried("default-src 'self'; img-src https://x.example/?q 'self', font-src *")}&streaming=off`,
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

  it("is held against no noise", async () => {
    await report(violation("script-src-elem", "inline", { sourceFile: EXTENSION }));
    expect((await read(tried("default-src 'none'"))).dryRun.stillBlocked).toEqual([]);
  });

  it("has an address where it is short, and is answered at once where it is not", async () => {
    const short = await post("img-src\r\n 'self'");
    expect([short.response.status, short.response.headers.get("location")]).toEqual([
      303,
      tried("img-src\n 'self'"),
    ]);
    await report(violation("img-src", "data"));
    const long = await post(`img-src ${"https://cdn.example/a-long-path ".repeat(200)}`);
    expect(long.response.status).toBe(200);
    expect(long.body).toContain("Suggested header");
  });

  it("begins with the usual one where the field was left empty", async () => {
    await report(violation("img-src", "https://cdn.example/a.png"));
    const { response } = await post("");
    expect(response.headers.get("location")).toBe("/csp?policy=");
    expect((await visit("/csp?policy=")).body).toContain("No policy was entered");
  });

  it.each([
    ["hello", "a Content-Security-Policy with directives"],
    ["x".repeat(limits.maxPolicyChars + 1), "a policy of at most 8000 characters"],
    ["<script>alert(1)</script>", "a Content-Security-Policy with directives"],
  ])("is refused in a sentence, no. %#", async (policy, sentence) => {
    for (const { response, body } of [await visit(tried(policy)), await post(policy)]) {
      expect(response.status).toBe(400);
      expect(body).toContain(sentence);
      expect(body).not.toContain("<script>alert");
    }
    const { response, body } = await visit(tried(policy), asJson);
    expect([response.status, JSON.parse(body).reason]).toEqual([400, "bad-policy"]);
  });

  it("is shown as the text that it is", async () => {
    const { body } = await visit(tried("img-src </textarea><script>alert(1)</script>"));
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("&lt;/textarea&gt;&lt;script&gt;alert(1)");
  });
});

describe("a form", () => {
  it("of another site is refused", async () => {
    const { response } = await post("img-src *", { "sec-fetch-site": "cross-site" });
    expect(response.status).toBe(403);
  });

  it.each([
    ["policy=a&policy=b", "application/x-www-form-urlencoded", 400],
    ["policy=img-src&x=1", "application/x-www-form-urlencoded", 400],
    ['{"policy":1}', "application/json", 400],
    ["img-src *", "text/plain", 415],
    [`policy=${"x".repeat(limits.maxFormBytes)}`, "application/x-www-form-urlencoded", 413],
  ])("that is none is refused, no. %#", async (body, type, status) => {
    const { response } = await visit("/csp", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect(response.status).toBe(status);
  });

  it("as JSON is answered with JSON", async () => {
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

describe("while the index is away", () => {
  it("JSON is 503, and the page says so in its place", async () => {
    const services = { projectStore: away };
    expect((await visit("/csp", { ...asJson, services })).response.status).toBe(503);
    const { response, body } = await visit(tried("img-src *"), { services });
    expect(response.status).toBe(200);
    expect(body).toContain("Test a policy");
  });
});
