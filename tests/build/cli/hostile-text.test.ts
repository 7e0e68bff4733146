// The parts of the command that read text of strangers: of git, of a path, of a configuration.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { limitCommits, parseRemote, readCommits } from "#src/cli/git-commits.ts";
import { runBridge } from "#src/cli/mcp-bridge.ts";
import { encodePath } from "#src/cli/operation-table.ts";
import { findTarget, writeSettings } from "#src/cli/settings.ts";
import { formatTable, measure } from "#src/cli/terminal-text.ts";

// The build inserts the table of operations, which these parts do not use.
vi.hoisted(() => vi.stubGlobal("ERRATA_OPERATIONS", { members: [], rows: [] }));

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "errata-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("commits of git", () => {
  it("are what git has, whatever their messages, authors and paths contain", async () => {
    const folder = createFolder();
    const git = (input: string, ...words: readonly string[]) =>
      execFileSync("git", ["-C", folder, ...words], { input, stdio: ["pipe", "pipe", "pipe"] });
    git("", "init", "-q");
    git("", "config", "user.email", "a@b.c");
    const paths = ["i".padEnd(41, "a"), "a b", "\u0001c"];
    const fake = `\u0001${"a".repeat(40)}\u0002Eve\u00022026-11-21T17:00:00Z\u0002Fixes 7F3K-Q2M9\u0003`;
    for (const [at, path] of paths.entries()) {
      writeFileSync(join(folder, path), "1");
      git("", "add", ".");
      const name = `user.name=${at}\u001b[2J`;
      git(`${at} ${fake}`, "-c", name, "commit", "-q", "--allow-empty-message", "-F", "-");
    }
    git("", "-c", "user.name=Ada", "commit", "-q", "--allow-empty", "--allow-empty-message", "-mx");
    const commits = await readIn(folder);
    expect(commits.map(({ author }) => author)).toEqual(["Ada", "2 [2J", "1 [2J", "0 [2J"]);
    expect(commits.map(({ files }) => files)).toEqual([[], ["\u0001c"], ["a b"], [paths[0]]]);
    expect(commits[3]?.message).toBe(`0 ${fake}`);
  });

  it("fit into one request", () => {
    const files = Array.from({ length: 100 }, (_, n) => `src/${"a".repeat(200)}${n}.ts`);
    const commit = { id: "abcdef0", author: "Ada", at: "", message: "é".repeat(2_000), files };
    const limited = limitCommits(Array.from({ length: 100 }, () => commit));
    expect(limited).toHaveLength(100);
    expect(limited[0]?.files.length).toBeGreaterThan(5);
    expect(Buffer.byteLength(JSON.stringify(limited))).toBeLessThan(512 * 1024);
  });

  it.each([
    "https://ada:secret@git.example/acme/shop.git",
    "https://ada:sec@ret@git.example/acme/shop",
    "ssh://git@git.example:22/acme/shop.git",
    "git@git.example:acme/shop.git",
  ])("have a repository and a URL without the password of %s", (remote) => {
    expect(parseRemote(remote)).toEqual({
      repository: "acme/shop",
      commits: "https://git.example/acme/shop/commit/",
    });
  });
});

/** git reads the folder from the environment. */
async function readIn(folder: string) {
  vi.stubEnv("GIT_DIR", join(folder, ".git"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return readCommits("HEAD");
}

describe("a path", () => {
  it.each([
    ["shop@1.4", "shop%401.4"],
    ["apps/web@1", "apps/web%401"],
    ["../issues/7F3K-Q2M9", "..%2Fissues%2F7F3K-Q2M9"],
    ["a/./b", "a%2F.%2Fb"],
    ["a//b", "a%2F%2Fb"],
  ])("names %s and nothing else", (value, expected) => {
    const path = `/views/${encodePath(value)}`;
    expect(path).toBe(`/views/${expected}`);
    expect(new URL(path, "https://errata.example").pathname).toBe(path);
  });

  it.each([".", ".."])("cannot be %s", (value) => {
    expect(() => encodePath(value)).toThrow("Expected another name");
  });
});

describe("a token", () => {
  const env = (over: object) => ({ XDG_CONFIG_HOME: createFolder(), ...over });
  const work = { url: "https://work.example", project: "2", token: "work-token" };
  const ci = { ERRATA_URL: "https://ci.example", ERRATA_TOKEN: "ci-token" };

  it.each([
    [{ at: "work" }, ci, "https://work.example", "work-token"],
    [{ at: "work" }, { ERRATA_TOKEN: "ci-token" }, "https://work.example", "work-token"],
    [{ url: "https://other.example" }, ci, "https://other.example", undefined],
    [{ url: "https://work.example/x" }, ci, "https://work.example", "work-token"],
    [{}, ci, "https://ci.example", "ci-token"],
    [{ url: "https://ci.example" }, { ERRATA_TOKEN: "t" }, "https://ci.example", "t"],
    [{}, { ERRATA_URL: "", ERRATA_TOKEN: "", ERRATA_PROJECT: "" }, work.url, "work-token"],
  ] as const)("of %j with %j goes to %s only: %s", (options, over, url, token) => {
    const environment = env(over);
    writeSettings(environment, { default: "work", erratas: { work } });
    expect(findTarget(options, environment, () => undefined)).toMatchObject({ url, token });
  });

  it.each(["constructor", "__proto__"])("is not saved under %s", (at) => {
    expect(() => findTarget({ at }, env({}), () => undefined)).toThrow("--at: expected a name");
  });
});

describe("a table", () => {
  const row = [
    "7F3K-Q2M9",
    "resolved",
    "12",
    "2026-11-29T10:20:30.000Z",
    "价格 is missing in 東京",
  ];

  it.each([20, 40, 60, 80, 200])("fits %i columns, and shows the last cell", (columns) => {
    const lines = formatTable([row, row], { columns }).trimEnd().split("\n");
    for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(columns);
    expect(lines.filter((line) => line.includes("价格"))).toHaveLength(2);
  });

  it("has rows of any length", () => {
    expect(formatTable([["a"], ["b", "cc", "d"], []], { columns: 80 })).toBe("a\nb  cc  d\n\n");
    expect(formatTable([], { columns: 80 })).toBe("");
  });
});

describe("the bridge", () => {
  it("says why Errata refuses a message", async () => {
    vi.stubGlobal("ERRATA_CLI_VERSION", "1");
    vi.stubGlobal("fetch", async () => Response.json({ detail: "Sign in." }, { status: 401 }));
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const input = new PassThrough();
    input.end('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    const lines: string[] = [];
    const target = { url: "https://errata.example", project: "1", token: "t" };
    await runBridge(target, input, (line) => lines.push(line));
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      id: 7,
      error: { message: "Errata answered 401. Sign in." },
    });
  });

  it("splits messages at line feeds only, and answers what is no message", async () => {
    const bodies: string[] = [];
    vi.stubGlobal("ERRATA_CLI_VERSION", "1");
    vi.stubGlobal("fetch", async (_: string, { body }: { readonly body: string }) => {
      bodies.push(body);
      return Response.json({ jsonrpc: "2.0", id: 1, result: {} });
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const input = new PassThrough();
    const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":null,"a":"\u2028\u2029"}`;
    input.end(`${message}\n[]\n${"x".repeat(200_000)}\nnull\n${message}`);
    const lines: string[] = [];
    const target = { url: "https://errata.example", project: "1", token: "t" };
    await runBridge(target, input, (line) => lines.push(line));
    expect(bodies).toEqual([message, message]);
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.includes('"code":-32700'))).toHaveLength(3);
  });
});
