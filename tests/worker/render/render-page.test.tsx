import { type ReactNode, Suspense, use } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { NOTICE_SENTENCE } from "#src/core/notice-sentence.ts";
import { SELF_REPORT_QUERY } from "#src/core/report/self-reports.ts";
import type { Report } from "#src/core/report.ts";
import { type RenderOptions, renderPage } from "#src/render/render-page.tsx";
import { Boundary } from "#src/ui/failure/boundary.tsx";
import { SELF_TEST_KINDS } from "#src/ui/setup/self-test-kinds.ts";
import { createMembers, ORIGIN } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

/**
 * The expected status, notices and errors of each kind of server failure.
 */
const KINDS = [
  { kind: "shell", status: 500, notices: 1, errors: ["TypeError: self-test: the shell threw"] },
  {
    kind: "before-flush",
    status: 200,
    notices: 1,
    errors: ["RangeError: self-test: a boundary threw before the flush"],
  },
  {
    kind: "after-flush",
    status: 200,
    notices: 1,
    errors: ["RangeError: self-test: a boundary threw after the flush"],
  },
  {
    kind: "late-rejection",
    status: 200,
    notices: 1,
    errors: ["Error: self-test: a promise rejected late"],
  },
  {
    kind: "deadline",
    status: 200,
    notices: 2,
    errors: ["RenderDeadline: /self-test/deadline was not rendered within 1500 ms"],
  },
  { kind: "string", status: 200, notices: 1, errors: ["String: self-test: a string was thrown"] },
  { kind: "null", status: 200, notices: 1, errors: ["Null"] },
  {
    kind: "frozen",
    status: 200,
    notices: 1,
    errors: ["FrozenFault: self-test: a frozen object was thrown"],
  },
  { kind: "getters", status: 200, notices: 1, errors: ["Error: self-test: a getter threw"] },
  {
    kind: "huge-message",
    status: 200,
    notices: 1,
    errors: ["Error: self-test: a message of 1 MB xxx"],
  },
  {
    kind: "cyclic-cause",
    status: 200,
    notices: 1,
    errors: ["Error: self-test: an error that caused itself"],
  },
  {
    kind: "fallback",
    status: 500,
    notices: 1,
    errors: [
      "Error: self-test: the fallback threw too",
      "RangeError: self-test: a boundary threw before the flush",
    ],
  },
  {
    kind: "failure-page",
    status: 500,
    notices: 1,
    errors: ["TypeError: self-test: the shell threw", "Error: self-test: the failure page threw"],
  },
  {
    kind: "recovered",
    status: 200,
    notices: 1,
    errors: ["Error: self-test: only the server failed"],
  },
  {
    kind: "both",
    status: 200,
    notices: 1,
    errors: ["Error: self-test: both sides failed, this is the server"],
  },
] as const;

const listShownDigests = (html: string) =>
  [...html.matchAll(/Digest: <code>([^<]+)<\/code>/g)].map(([, digest]) => digest ?? "");

/** A visit, with the issues of the digests that the page shows, and all issues of Errata's own. */
async function visitAndFindIssues(path: string) {
  const visited = await visit(path);
  const shown = await Promise.all(
    listShownDigests(visited.body).map((digest) => projectStore.getFreshIssue(digest)),
  );
  const { issues } = await projectStore.listIssues(parseIssueQuery(SELF_REPORT_QUERY));
  return { ...visited, shown, stored: issues };
}

describe.each(KINDS)("a failed render: $kind", ({ kind, status, notices, errors }) => {
  const forms = ["", "?streaming=off"] as const;
  const visited = new Map<string, Awaited<ReturnType<typeof visitAndFindIssues>>>();
  const getVisited = (form: (typeof forms)[number]) => {
    const one = visited.get(form);
    if (one === undefined) throw new Error("not visited");
    return one;
  };

  beforeAll(async () => {
    for (const form of forms) {
      visited.set(form, await visitAndFindIssues(`/self-test/${kind}${form}`));
      await emptyStore();
    }
  });

  it.each(forms)(
    "shows the notice with a digest that leads to the error (/self-test/%s)",
    (form) => {
      const { response, body, logged, shown, stored } = getVisited(form);
      expect(response.status).toBe(status);
      expect(body.split(NOTICE_SENTENCE)).toHaveLength(1 + notices);
      expect(shown).toHaveLength(notices);
      for (const issue of shown) expect(`${issue?.type}: ${issue?.message}`).toContain(errors[0]);
      // Every digest was stored, also those that no page shows, and the Worker's log has the same
      // codes.
      expect(stored).toHaveLength(errors.length);
      expect(new Set(logged.map(({ digest }) => digest))).toEqual(
        new Set(stored.map(({ digest }) => digest)),
      );
      expect(logged).toHaveLength(Math.max(notices, errors.length));
    },
  );

  it("reveals no message, no stack and no path", () => {
    const { body } = getVisited("");
    expect(body).not.toMatch(/self-test: /);
    expect(body).not.toMatch(/\n\s+at |\.(ts|tsx|js):\d|data-(msg|stck|cstck)|xxxxxxxx/);
    expect(body).not.toContain("threw after the flush");
  });

  it("is a complete document", () => {
    const { body } = getVisited("");
    expect(body).toMatch(/^<!DOCTYPE html>/);
    expect(body.trimEnd()).toMatch(/<\/html>$/);
  });

  it(
    status === 500
      ? "carries the digest in a header and is not stored by any cache"
      : "is a silent 200, which the report records",
    () => {
      const { response, body, logged } = getVisited("");
      if (status === 500) {
        expect(response.headers.get("errata-digest")).toBe(listShownDigests(body)[0]);
        expect(response.headers.get("errata-report")).toMatch(/^[0-9a-f]{32}$/);
        expect(response.headers.get("cache-control")).toBe("private, no-store");
      }
      for (const { response: loggedResponse } of logged)
        expect(loggedResponse).toEqual({ status, isSilent200: status === 200 });
    },
  );
});

it("every kind of the self-test that fails on the server has a case", () => {
  const testedKinds = KINDS.map(({ kind }) => kind);
  const onServer = SELF_TEST_KINDS.filter(({ side }) => side === "server").map(({ kind }) => kind);
  expect(testedKinds).toEqual(expect.arrayContaining(onServer));
});

describe("the report of a failed render", () => {
  it("has the message, the stack, the component stack, the request, the route and the release", async () => {
    const members = await createMembers();
    const { proof } = await members.invite("owner");
    const { logged } = await visit("/self-test/after-flush", {
      origin: ORIGIN,
      services: members.services,
      headers: {
        cookie: `session=secret; ${proof.cookie}`,
        "user-agent": "Mozilla/5.0 Firefox/153.0",
        "cf-ray": "8f2a-DFW",
      },
    });
    const [report] = logged;
    expect(report).toMatchObject({
      kind: "error",
      side: "server",
      format: "render",
      release: "1.4.0",
      rayId: "8f2a-DFW",
      request: { method: "GET", route: "/self-test/after-flush" },
    });
    expect(report?.frames.length).toBeGreaterThan(0);
    expect(report?.componentStack).toContain("ThrowsLate");
    expect(JSON.stringify(report)).not.toContain("secret");
  });

  it("is logged with its digest if it cannot be stored, and the visitor sees the digest", async () => {
    const unavailableWriter = { append: () => Promise.reject(new Error("the log is down")) };
    const { response, body, logged } = await visit("/self-test/shell", {
      services: { reportWriter: unavailableWriter },
    });
    expect(response.status).toBe(500);
    expect(listShownDigests(body)).toEqual([logged[0]?.digest]);
    expect(logged[0]?.message).toBe("self-test: the shell threw");
  });
});

describe("renderPage", () => {
  const storedReports: Report[] = [];
  const options: RenderOptions = {
    title: "A page",
    description: "A page of a test.",
    nonce: "n0nce",
    reportingUrl: "/monitoring",
    headers: new Headers(),
    deadlineMs: 5_000,
    route: "/a",
    nonStreamingUrl: "/a?streaming=off",
    reporter: {
      createReport: () => createReport(1),
      store: (report) => storedReports.push(report),
    },
  };
  afterEach(() => storedReports.splice(0));

  const Waits = ({ value }: { value: Promise<ReactNode> }) => use(value);
  const inBoundary = (value: Promise<ReactNode>) => (
    <main>
      <h1>Heading</h1>
      <Boundary name="a" loading={<i>Loading…</i>}>
        <Waits value={value} />
      </Boundary>
    </main>
  );

  it("sends the shell first and suspended content later, with the nonce on React's own scripts", async () => {
    const { promise, resolve } = Promise.withResolvers<ReactNode>();
    const response = await renderPage(inBoundary(promise), options);
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let shell = "";
    while (!shell.includes("Loading…")) shell += (await reader.read()).value ?? "";
    expect(shell).toContain("<h1>Heading</h1>");
    resolve(<b>the data</b>);
    let rest = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value;
    expect(rest).toContain("<b>the data</b>");
    const scripts = `${shell}${rest}`.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) expect(script).toContain('nonce="n0nce"');
  });

  it("without streaming sends no inline script and all content in place", async () => {
    const { nonStreamingUrl: _, ...withoutStreaming } = options;
    const html = await (
      await renderPage(inBoundary(Promise.resolve(<b>the data</b>)), withoutStreaming)
    ).text();
    expect(html).toMatch(/<h1>Heading<\/h1>.*<b>the data<\/b>.*<\/main>/);
    expect(html).not.toMatch(/\$RC|\$RX|http-equiv/);
  });

  it("without streaming sends all content of a long page in place", async () => {
    const { nonStreamingUrl: _, ...withoutStreaming } = options;
    const rows = Array.from({ length: 500 }, (_row, n) => <li key={n}>row {n} of a long list</li>);
    const html = await (
      await renderPage(inBoundary(Promise.resolve(<ul>{rows}</ul>)), withoutStreaming)
    ).text();
    expect(html).not.toMatch(/id="B:|id="S:|Loading…/);
    expect(html).toContain("row <!-- -->499<!-- --> of a long list");
  });

  it("reports nothing if the client disconnects", async () => {
    const response = await renderPage(inBoundary(new Promise(() => undefined)), options);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel("gone");
    // React calls onError for an aborted render in a later task.
    await new Promise((resolve) => setTimeout(resolve));
    expect(storedReports).toEqual([]);
  });

  it.each([
    [
      "a redirect of Next.js",
      Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;replace;/login;307;" }),
    ],
    [
      "a thrown redirect response",
      new Response(null, { status: 302, headers: { Location: "/login" } }),
    ],
  ])("reports nothing for control flow: %s", async (_name, thrown) => {
    const Redirects = (): ReactNode => {
      throw thrown;
    };
    const page = (
      <Suspense fallback={<i>Loading…</i>}>
        <Redirects />
      </Suspense>
    );
    const html = await (await renderPage(page, options)).text();
    expect(html).not.toContain(NOTICE_SENTENCE);
    expect(storedReports).toEqual([]);
  });
});

it("the redirect to the non-streaming page never leads to another host", async () => {
  for (const path of ["//evil.example/a", "/.//evil.example", "/nothing?x=1"]) {
    const { body } = await visit(`http://localhost:8787${path}`);
    expect(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]).toMatch(/^\?/);
  }
});

it("the policy allows the style of the constant page by its hash", async () => {
  const { body: html, response } = await visit("/self-test/failure-page");
  const style = /<style>([^<]+)<\/style>/.exec(html)?.[1];
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  expect(response.headers.get("content-security-policy")).toContain(
    `style-src 'self' 'sha256-${hash}'`,
  );
});

it("the strict policy has a nonce and no unsafe source, and reports to Errata itself", async () => {
  const { response } = await visit("/");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("'nonce-test-nonce'");
  expect(policy).not.toContain("unsafe");
  expect(policy).toContain("report-uri /monitoring");
  const { response: secure } = await visit("/", { origin: "https://errata.localhost" });
  expect(secure.headers.get("content-security-policy")).toContain("report-to default");
  expect(secure.headers.get("reporting-endpoints")).toMatch(
    /^default="\/monitoring\?t=[\w-]{40}"$/,
  );
});
