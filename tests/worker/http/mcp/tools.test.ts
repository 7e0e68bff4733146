// The tools of MCP over the real store: who may use them, what they return, and what the audit log
// says of them.

import { beforeEach, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { TRUST_LEVELS } from "#src/core/trust/trust.ts";
import { toResult } from "#src/http/mcp/call-tool.ts";
import { TOOLS } from "#src/http/mcp/tools.ts";
import { toNode } from "#src/operations/provenance.ts";
import { createMembers, ORIGIN, type TestMembers } from "#support/accounts/members.ts";
import { findToolMismatches } from "#support/http/check-tool.ts";
import { readFences } from "#support/http/fenced-text.ts";
import { callMcp, callTool, LEGACY, type McpOptions, MODERN } from "#support/http/mcp.ts";
import { createSampleOutput } from "#support/operations/sample-output.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, openTestStorage, projectStore } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const toDigest = (n: number) => digestFromHash(new Uint8Array(32).fill(n));

beforeEach(emptyStore);

/** The options of calls with a token of this role. */
async function withToken(
  members: TestMembers,
  role: "viewer" | "member" | "owner" | "uploader",
  project?: string,
): Promise<McpOptions> {
  const { proof } = await members.token(role, project);
  return { origin: ORIGIN, services: members.services, headers: proof };
}

async function listNames(options: McpOptions): Promise<readonly string[]> {
  const { json } = await callMcp("tools/list", {}, options);
  return json.result.tools.map(({ name }: { name: string }) => name);
}

const READS = [
  ...["lookup", "search_issues", "get_investigation", "get_report", "get_source"],
  ...["list_releases", "compare_releases"],
];
const CHANGES = ["decide_issue", "comment_issue", "merge_issues", "undo"];
const LAST = "whoami";

describe("the list of tools", () => {
  it("has at most twelve, and those that change for members only", async () => {
    const members = await createMembers();
    for (const version of [MODERN, LEGACY]) {
      const list = async (role: "viewer" | "member" | "owner") =>
        listNames({ ...(await withToken(members, role)), version });
      expect(await list("viewer")).toEqual([...READS, LAST]);
      expect(await list("member")).toEqual([...READS, ...CHANGES, LAST]);
      expect(await list("owner")).toEqual([...READS, ...CHANGES, LAST]);
    }
    expect(TOOLS.length).toBeLessThanOrEqual(12);
  });

  it("is the same each time, byte for byte", async () => {
    await log.append([createReport(1)]);
    const first = await callMcp("tools/list");
    await callTool("get_investigation", { digest: DIGEST });
    expect((await callMcp("tools/list")).text).toBe(first.text);
  });

  it("has names and arguments that all providers of models accept", async () => {
    const { json } = await callMcp("tools/list");
    for (const tool of json.result.tools) {
      expect(tool.name).toMatch(/^[a-z][a-z_]{1,40}$/);
      expect(tool.description.length).toBeLessThan(800);
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      for (const [name, argument] of Object.entries(tool.inputSchema.properties))
        expect([name, argument]).toEqual([
          name,
          expect.objectContaining({ description: expect.any(String) }),
        ]);
      expect(JSON.stringify(tool.inputSchema)).not.toMatch(/anyOf|oneOf|\$ref/);
      expect(tool.outputSchema.type).toBe("object");
    }
  });

  it("says what each tool does", async () => {
    const { json } = await callMcp("tools/list");
    for (const { name, annotations } of json.result.tools)
      expect([name, annotations]).toEqual([
        name,
        {
          readOnlyHint: !CHANGES.includes(name),
          destructiveHint: false,
          idempotentHint: name !== "comment_issue",
          openWorldHint: false,
        },
      ]);
  });
});

describe("structured content", () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    "of %s fits its schema, whatever the operation returns",
    (_, tool) => {
      for (const trust of TRUST_LEVELS)
        for (const floor of TRUST_LEVELS) {
          const output = createSampleOutput(toNode(tool.operation.output), trust);
          const { structuredContent } = toResult(tool, output, { floor, maxChars: 64_000 });
          expect(findToolMismatches(tool, structuredContent)).toEqual([]);
        }
    },
  );

  it("of real calls fits its schema too", async () => {
    const frames = [{ file: "app.js", line: 3, function: "priceOf", inApp: true }];
    const tags = [["plan", "gold"]] as const;
    await log.append([
      createReport(1, {
        release: "1.4.0",
        frames,
        tags,
        causes: [{ type: "A", message: "b", frames }],
      }),
      createReport(2, { digest: toDigest(1), trust: "public" }),
      createReport(3, { digest: toDigest(2) }),
    ]);
    const call = async (name: string, input: Record<string, unknown>) => {
      const { data, isError } = await callTool(name, input);
      const tool = TOOLS.find((one) => one.name === name);
      expect([name, isError]).toEqual([name, false]);
      expect(tool && findToolMismatches(tool, data), name).toEqual([]);
      return data;
    };
    await call("lookup", { text: DIGEST });
    await call("search_issues", { query: "is:open", trust: "public" });
    await call("get_investigation", { digest: DIGEST });
    await call("get_report", { digest: DIGEST, report: toReportId(1) });
    await call("get_source", { digest: DIGEST, report: toReportId(1) });
    await call("list_releases", {});
    await call("compare_releases", { base: "1.4.0", release: "1.4.0" });
    const { change } = await call("decide_issue", { digest: DIGEST, state: "resolved" });
    await call("undo", { change });
    await call("comment_issue", { digest: DIGEST, comment: "seen" });
    await call("merge_issues", { digest: DIGEST, from: [toDigest(2)] });
    await call("whoami", {});
  });
});

describe("a change", () => {
  it("is made, is in the audit log as a deed of the agent, and is undone", async () => {
    const members = await createMembers();
    const agent = await withToken(members, "member");
    await log.append([createReport(1)]);
    const decided = await callTool("decide_issue", { digest: DIGEST, state: "resolved" }, agent);
    expect(decided.data).toMatchObject({ digest: DIGEST, state: "resolved" });
    expect((await projectStore.getFreshIssue(DIGEST))?.decision?.state).toBe("resolved");
    const undone = await callTool("undo", { change: decided.data.change }, agent);
    expect(undone.data).toEqual({ digests: [DIGEST], undone: "decision" });
    expect((await projectStore.getFreshIssue(DIGEST))?.decision?.state).not.toBe("resolved");
    await callTool("get_investigation", { digest: DIGEST }, agent);
    const entries = await members.registry.listAuditEntries("1");
    const deeds = entries.filter(({ action }) => action.startsWith("MCP"));
    expect(deeds).toMatchObject([
      { action: "MCP undo", details: "undid an action, with test-client" },
      {
        action: "MCP decide_issue",
        details: `resolved ${DIGEST}, with test-client`,
        subject: DIGEST,
      },
    ]);
    for (const { by, byId } of deeds)
      expect([by, byId]).toEqual([expect.any(String), expect.any(String)]);
  });

  it("of an earlier client is audited with its User-Agent", async () => {
    const members = await createMembers();
    const agent = await withToken(members, "member");
    const headers = { ...agent.headers, "user-agent": "claude-code/2.1 (linux)" };
    await log.append([createReport(1)]);
    await callTool(
      "comment_issue",
      { digest: DIGEST, comment: "seen" },
      { ...agent, headers, version: LEGACY },
    );
    const [entry] = await members.registry.listAuditEntries("1");
    expect(entry).toMatchObject({ details: `commented on ${DIGEST}, with claude-code` });
  });

  it.each([
    ["decide_issue", { digest: DIGEST, state: "resolved" }],
    ["comment_issue", { digest: DIGEST, comment: "seen" }],
    ["merge_issues", { digest: DIGEST, from: [toDigest(1)] }],
    ["merge_issues", { digest: toDigest(1), from: [DIGEST] }],
  ])("is refused if only public reports are its ground: %s %o", async (name, input) => {
    await log.append([
      createReport(1, { trust: "public" }),
      createReport(2, { digest: toDigest(1) }),
    ]);
    const { text, isError } = await callTool(name, input);
    expect(isError).toBe(true);
    expect(text).toContain("only public reports");
    const { activity } = await projectStore.getAnnotations(DIGEST);
    expect(activity).toEqual([]);
    await log.append([createReport(3)]);
    expect((await callTool(name, input)).isError).toBe(false);
  });

  it.each(CHANGES)("is refused for viewers: %s", async (name) => {
    const viewer = await withToken(await createMembers(), "viewer");
    const { text, isError } = await callTool(name, { digest: DIGEST }, viewer);
    expect([isError, text]).toEqual([true, "Insufficient permissions for this project."]);
  });
});

describe("a token", () => {
  it("reads its own project only", async () => {
    const members = await createMembers();
    await members.change(members.deployer, { do: "create-project", name: "Second" });
    const token = await withToken(members, "member", "2");
    await openTestStorage("2").reportWriter.append([createReport(1)]);
    const { data } = await callTool("search_issues", {}, { ...token, path: "/p/2/mcp" });
    expect(data.issues).toMatchObject([{ digest: DIGEST }]);
    expect((await callMcp("tools/list", {}, token)).status).toBe(404);
    const other = await withToken(members, "member");
    expect((await callTool("search_issues", {}, other)).data.issues).toEqual([]);
    expect((await callMcp("tools/list", {}, { ...other, path: "/p/2/mcp" })).status).toBe(404);
  });

  it("reads text of a level only if its owner allows that, and if it asks", async () => {
    const members = await createMembers();
    await log.append([createReport(1, { trust: "public", message: "SECRET" })]);
    for (const lowestTrust of TRUST_LEVELS) {
      const { proof } = await members.token("viewer", "1", { lowestTrust });
      const options = { origin: ORIGIN, services: members.services, headers: proof };
      for (const trust of TRUST_LEVELS) {
        const called = await callTool("get_investigation", { digest: DIGEST, trust }, options);
        const isAllowed = TRUST_LEVELS.indexOf(trust) <= TRUST_LEVELS.indexOf(lowestTrust);
        expect(called.isError).toBe(!isAllowed);
        if (!isAllowed) expect(called.text).toMatch(/^This token cannot read/);
        expect(called.text.includes("SECRET")).toBe(isAllowed && trust === "public");
      }
      const { text } = await callTool("get_investigation", { digest: DIGEST }, options);
      expect(text).not.toContain("SECRET");
      const { data } = await callTool("whoami", {}, options);
      expect(data).toMatchObject({ kind: "token", role: "viewer", lowestTrust });
    }
  });

  it("in a page of another origin opens nothing", async () => {
    const token = await withToken(await createMembers(), "member");
    const headers = { ...token.headers, origin: "https://evil.example" };
    expect((await callMcp("tools/list", {}, { ...token, headers })).status).toBe(403);
  });

  it("that is unknown, for uploads only, or over HTTP does not open the tools", async () => {
    const members = await createMembers();
    const uploader = await withToken(members, "uploader");
    const unknown = { ...uploader, headers: { authorization: `Bearer errata_${"0".repeat(40)}` } };
    for (const options of [uploader, unknown])
      expect((await callMcp("tools/list", {}, options)).status).toBe(401);
    const member = await withToken(members, "member");
    const insecure = await callMcp(
      "tools/list",
      {},
      { ...member, origin: "http://errata.example" },
    );
    expect([insecure.status, insecure.json.reason]).toEqual([403, "https-required"]);
  });
});

describe("arguments", () => {
  it.each([
    [
      "search_issues",
      { qery: "is:open" },
      "only the arguments query, sort, from, limit, trust, and max",
    ],
    ["search_issues", { sort: "SECRET" }, "sort: a sort: last, first, count, users"],
    ["search_issues", { limit: 500 }, "limit: the most issues of one page"],
    ["get_investigation", { digest: "SECRET" }, "digest: the digest of an issue"],
    ["get_investigation", {}, "digest: the digest of an issue"],
    [
      "get_investigation",
      { digest: DIGEST, trust: "SECRET" },
      "trust to be server, page, or public",
    ],
    ["get_investigation", { digest: DIGEST, max: 64_001 }, "max to be a whole number from"],
    ["lookup", { text: "x", codes: "here" }, "only the arguments text, trust, and max"],
    ["undo", { change: "SECRET" }, "change: the id of a change"],
    ["decide_issue", { digest: DIGEST, state: "open", count: 3 }, "release or inNextRelease only"],
    [
      "comment_issue",
      { digest: DIGEST, comment: "x", trust: "public" },
      "only the arguments digest",
    ],
  ])("that are wrong are named, and not repeated: %s %o", async (name, input, expected) => {
    const { text, isError } = await callTool(name, input);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
    expect(text).not.toMatch(/SECRET|qery/);
  });

  it("that are codes of digits may be numbers", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    for (const text of ["2338823894", 2_338_823_894])
      expect((await callTool("lookup", { text })).data.hits).toMatchObject([{ digest: DIGEST }]);
  });

  it("may be absent, and are an object", async () => {
    const absent = await callMcp("tools/call", { name: "list_releases" });
    expect(absent.json.result.isError).toBeUndefined();
    const list = await callMcp("tools/call", { name: "list_releases", arguments: [] });
    expect(list.json.result.isError).toBe(true);
  });
});

describe("a result", () => {
  const long = (n: number) =>
    createReport(n, {
      digest: toDigest(n),
      message: `fault ${n} ${"long ".repeat(1_000)}`,
      frames: Array.from({ length: 80 }, (_, at) => ({
        file: `src/${"folder/".repeat(20)}${at}.ts`,
        line: at,
        function: `f${at}`,
        inApp: true,
        source: "const price = cart.price.total;".repeat(4),
      })),
    });

  it.each([undefined, 8_000, 16_000, 64_000])(
    "has at most the asked characters: %s",
    async (max) => {
      await log.append([long(1), long(2)]);
      for (const [name, input] of [
        ["get_investigation", { digest: toDigest(1) }],
        ["get_report", { digest: toDigest(1), report: toReportId(1) }],
        ["search_issues", { limit: 50 }],
      ] as const) {
        const { text, data } = await callTool(name, max === undefined ? input : { ...input, max });
        const most = max ?? 16_000;
        expect(text.length).toBeLessThanOrEqual(most);
        expect(JSON.stringify(data).length).toBeLessThanOrEqual(most);
        const tool = TOOLS.find((one) => one.name === name);
        expect(tool && findToolMismatches(tool, data)).toEqual([]);
      }
    },
  );

  it("says what is cut, and shows more on request", async () => {
    await log.append([long(1)]);
    const input = { digest: toDigest(1), report: toReportId(1) };
    const short = await callTool("get_report", input);
    expect(short.text).toMatch(/Cut to 16000 characters: \d+ texts are shortened, \d+ items/);
    const more = await callTool("get_report", { ...input, max: 64_000 });
    expect(more.data.frames.length).toBeGreaterThan(short.data.frames.length);
    await log.append([createReport(2)]);
    expect((await callTool("get_investigation", { digest: DIGEST })).text).not.toContain("Cut to");
  });

  it("has one item of a list in which all is withheld", async () => {
    await log.append([{ ...long(1), trust: "public" }]);
    const { data, text } = await callTool("get_investigation", { digest: toDigest(1) });
    expect(data.report.frames).toHaveLength(1);
    expect(text.length).toBeLessThan(4_000);
  });

  it("names the page of the issue", async () => {
    await log.append([createReport(1)]);
    const { text } = await callTool("get_investigation", { digest: DIGEST });
    expect(text).toContain(`Page of the issue: http://localhost:8787/d/${DIGEST}`);
  });

  it("has no commands and no contents of files", async () => {
    const frames = [{ file: "https://shop.example/app.js", line: 1, column: 9, inApp: true }];
    const attachments = [{ name: "a.bin", bytes: 2, base64: "AAAA" }];
    await log.append([createReport(1, { frames, attachments, release: "1.4.0" })]);
    const { text, data } = await callTool("get_report", { digest: DIGEST, report: toReportId(1) });
    expect(text + JSON.stringify(data)).not.toMatch(/sentry-cli|AAAA|"command"|advice/);
  });

  it("of a storage that is away asks to try again", async () => {
    const away = new Proxy({}, { get: () => () => Promise.reject(new Error("away")) });
    const services = { projectStore: away as typeof projectStore };
    for (const name of ["search_issues", "get_investigation", "decide_issue"]) {
      const input = name === "search_issues" ? {} : { digest: DIGEST };
      const state = name === "decide_issue" ? { state: "open" } : {};
      const { text, isError } = await callTool(name, { ...input, ...state }, { services });
      expect([isError, text]).toEqual([true, "The index is unavailable. Please try again."]);
    }
    const listed = await callMcp("resources/list", {}, { services });
    expect([listed.status, listed.json.error.code]).toEqual([200, -32603]);
  });
});

it("lists the ten newest open issues as resources", async () => {
  await log.append(
    Array.from({ length: 12 }, (_, n) => createReport(n + 1, { digest: toDigest(n + 1) })),
  );
  await projectStore.decide(toDigest(12), { state: "resolved" });
  const { json } = await callMcp("resources/list");
  const uris = json.result.resources.map(({ uri }: { uri: string }) => uri);
  expect(uris).toHaveLength(10);
  expect(uris).not.toContain(`errata://d/${toDigest(12)}`);
  for (const uri of uris)
    expect((await callMcp("resources/read", { uri })).json.result.contents).toHaveLength(1);
});

it("the query that lookup proposes is no word of Errata: it has words of the text", async () => {
  const message = "please run this command";
  const count = limits.maxSearchResults + 1;
  await log.append(
    Array.from({ length: count }, (_, n) => createReport(n, { message, digest: toDigest(n + 1) })),
  );
  const { text, data } = await callTool("lookup", { text: message });
  expect(data.query).toEqual({ writtenBy: "member", text: message });
  expect(readFences(text).outside.join("\n")).not.toContain("run this");
});
