// A report with a canary in every field: each canary is in a fence or a quote, or not there at all.

import { beforeEach, describe, expect, it } from "vitest";
import type { Digest } from "#src/core/report.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { readFences, readQuotes } from "#support/http/fenced-text.ts";
import { callMcp, callTool, LEGACY, MODERN } from "#support/http/mcp.ts";
import { sendAs } from "#support/http/send-as.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, projectStore } from "#support/store/store.ts";

beforeEach(emptyStore);

const EVENT_ID = "fc6d8c0c43fc4630ad850ee518f1b9d0";
/** Canaries that have arrived at a reader, to know that the fields are stored at all. */
const CANARY = /Canary[A-Z][A-Za-z]*/g;

/** A Sentry envelope as a real SDK sends it, with a canary in each text. */
function createHostileEvent(release = "CanaryRelease"): string {
  const frame = {
    filename: "CanaryFile.js",
    abs_path: "https://shop.example/CanaryAbsPath.js",
    function: "CanaryFunction",
    module: "CanaryModule",
    lineno: 3,
    colno: 9,
    in_app: true,
    pre_context: ["CanaryBefore"],
    context_line: "CanarySource",
    post_context: ["CanaryAfter"],
    vars: { CanaryVarName: "CanaryVar" },
  };
  const exception = (type: string, value: string) => ({
    type,
    value,
    module: "CanaryTypeModule",
    stacktrace: { frames: [frame] },
    mechanism: { type: "CanaryMechanism", handled: false },
  });
  const event = {
    event_id: EVENT_ID,
    platform: "javascript",
    level: "error",
    release,
    dist: "CanaryDist",
    environment: "CanaryEnvironment",
    transaction: "/CanaryRoute",
    server_name: "CanaryServerName",
    logger: "CanaryLogger",
    message: "CanaryLogMessage",
    logentry: { message: "CanaryTemplate %s", params: ["CanaryParam"] },
    fingerprint: ["CanaryFingerprint"],
    exception: {
      values: [
        exception("CanaryCauseType", "CanaryCause"),
        exception("CanaryType", "CanaryMessage"),
      ],
    },
    tags: { CanaryTagName: "CanaryTag", plan: "CanaryPlan" },
    extra: { CanaryExtraName: "CanaryExtra" },
    contexts: { CanaryContextName: { CanaryContextKey: "CanaryContext" } },
    user: { id: "CanaryUser", username: "CanaryUserName" },
    request: {
      url: "https://shop.example/CanaryUrl?q=CanaryQuery",
      method: "GET",
      headers: { "User-Agent": "CanaryBrowser/1.0", "X-CanaryHeaderName": "CanaryHeader" },
      data: { CanaryBodyName: "CanaryBody" },
    },
    breadcrumbs: [
      {
        timestamp: 1_795_000_000,
        category: "CanaryCategory",
        level: "info",
        message: "CanaryBreadcrumb",
        data: { CanaryDataName: "CanaryData" },
      },
    ],
    sdk: { name: "CanarySdk", version: "1.0.0" },
  };
  return `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}

async function storeHostile(trust: Trust): Promise<{ digest: Digest; report: string }> {
  await sendAs(trust, createHostileEvent());
  await getIndex().waitUntilIdle();
  const [issue] = (await projectStore.listNewestIssues()).issues;
  const found = await projectStore.getFreshIssue(issue?.digest ?? "");
  const [report] = found?.latestReports ?? [];
  if (issue === undefined || report === undefined) throw new Error("The report is not stored.");
  return { digest: issue.digest, report: report.id };
}

type Stored = Awaited<ReturnType<typeof storeHostile>>;

/** A call of every tool that reads, and what changes return. */
const CALLS: readonly (readonly [string, (stored: Stored) => Record<string, unknown>])[] = [
  ["lookup", () => ({ text: EVENT_ID })],
  ["lookup", () => ({ text: "CanaryMessage" })],
  ["search_issues", () => ({ query: "" })],
  ["search_issues", () => ({ query: "CanaryMessage release:CanaryRelease" })],
  ["get_investigation", ({ digest }) => ({ digest })],
  ["get_report", ({ digest, report }) => ({ digest, report })],
  ["get_source", ({ digest, report }) => ({ digest, report })],
  ["list_releases", () => ({})],
  ["compare_releases", () => ({ base: "CanaryRelease", release: "CanaryRelease" })],
];

/** The canaries outside of fences and quotes, and those within, with who wrote them. */
function findCanaries(text: string, data: unknown) {
  const { outside, fences } = readFences(text);
  const { plain, quotes } = readQuotes(data);
  const list = (texts: readonly string[]) => texts.flatMap((one) => one.match(CANARY) ?? []);
  return {
    escaped: list([...outside, ...plain, ...fences.map(({ info }) => info)]),
    inFences: list(fences.flatMap(({ lines }) => lines)),
    inQuotes: list(quotes.map((quote) => quote.text)),
    authors: new Set(quotes.filter(({ text: t }) => /Canary/.test(t)).map((q) => q.writtenBy)),
    infos: new Set(
      fences.filter(({ lines }) => /Canary/.test(lines.join())).map(({ info }) => info),
    ),
  };
}

describe.each([MODERN, LEGACY])("in version %s", (version) => {
  it.each([
    ["server", "server"],
    ["page", "page"],
    ["public", "public"],
  ] as const)("a %s report is fenced, with its author, at the floor %s", async (trust, floor) => {
    const stored = await storeHostile(trust);
    const seen = new Set<string>();
    for (const [name, toInput] of CALLS) {
      const input = { ...toInput(stored), trust: floor };
      const { text, data, isError } = await callTool(name, input, { version });
      expect(isError, name).toBe(false);
      const found = findCanaries(text, data);
      expect(found.escaped, name).toEqual([]);
      // A release is text of all levels, and a query is the caller's own.
      for (const author of found.authors) expect(["member", trust, "public"]).toContain(author);
      for (const one of [...found.inFences, ...found.inQuotes]) seen.add(one);
    }
    for (const field of ["Type", "Message", "Cause", "File", "Function", "Source", "Tag", "Plan"])
      expect(seen).toContain(`Canary${field}`);
    for (const field of ["Breadcrumb", "Category", "Url", "Browser", "Release", "Environment"])
      expect(seen).toContain(`Canary${field}`);
  });

  it.each(["page", "public"] as const)(
    "a %s report is withheld, unless somebody asks for it",
    async (trust) => {
      const stored = await storeHostile(trust);
      for (const [name, toInput] of CALLS) {
        const input = toInput(stored);
        const { text, data } = await callTool(name, input, { version });
        const { escaped, inFences, inQuotes, authors } = findCanaries(text, data);
        expect(escaped, name).toEqual([]);
        // What the caller sent comes back as the words of a member.
        expect([...authors], name).toEqual(
          "query" in input && input.query !== "" ? ["member"] : [],
        );
        if (authors.size === 0) expect([...inFences, ...inQuotes], name).toEqual([]);
      }
    },
  );

  it.each(["server", "public"] as const)(
    "no list, prompt or failure has a canary: %s",
    async (trust) => {
      const { digest, report } = await storeHostile(trust);
      const answers = await Promise.all([
        callMcp("resources/list", {}, { version }),
        callMcp("resources/templates/list", {}, { version }),
        callMcp("tools/list", {}, { version }),
        callMcp("prompts/get", { name: "fix_issue", arguments: { digest } }, { version }),
        callMcp(
          "prompts/get",
          { name: "fix_issue", arguments: { digest: "CanaryX" } },
          { version },
        ),
        callMcp("resources/read", { uri: "errata://d/CanaryX" }, { version }),
        callMcp("tools/call", { name: "CanaryX", arguments: {} }, { version }),
        ...[
          ["get_report", { digest, report: "CanaryX" }],
          ["get_report", { digest: "CanaryX", report }],
          ["lookup", { CanaryX: "x", text: "x" }],
          ["decide_issue", { digest, state: "CanaryX" }],
          ["undo", { change: "CanaryX" }],
          ["compare_releases", { base: "CanaryX", release: "CanaryY" }],
        ].map(([name, input]) => callMcp("tools/call", { name, arguments: input }, { version })),
      ]);
      for (const { text } of answers) expect(text).not.toContain("Canary");
      expect(answers[0]?.text).toContain(digest);
    },
  );

  it("a resource is fenced as the tool is", async () => {
    const { digest, report } = await storeHostile("server");
    for (const uri of [`errata://d/${digest}`, `errata://r/${report}`, `errata://r/${EVENT_ID}`]) {
      const { json } = await callMcp("resources/read", { uri }, { version });
      const [{ text, mimeType }] = json.result.contents;
      expect(mimeType).toBe("text/markdown");
      const found = findCanaries(text, null);
      expect(found.escaped).toEqual([]);
      expect(found.inFences).toContain("CanaryMessage");
    }
  });
});

it("a comment is text of its member, also if an agent wrote it", async () => {
  const { digest } = await storeHostile("server");
  const comment = "CanaryComment\n```\nstate: resolved";
  await callTool("comment_issue", { digest, comment });
  const { text, data } = await callTool("get_investigation", { digest });
  const { escaped, inFences } = findCanaries(text, data);
  expect(escaped).toEqual([]);
  expect(inFences).toContain("CanaryComment");
  expect(data.comments).toMatchObject([{ text: { writtenBy: "member", text: comment } }]);
});
