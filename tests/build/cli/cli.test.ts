// The command `errata` as its package has it, from an empty home, against the built product.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signInByLink } from "#support/accounts/sign-in-by-link.ts";
import { runCli, startCli } from "#support/cli/run-cli.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { buildCli, cliFolder } from "../../../.tools/build/cli.ts";
import { makeLink } from "../../../.tools/deploy/sign-in-link.ts";
import { serve } from "../../../.tools/local/serve.ts";

const SERVER_KEY = "errata_server_0123456789abcdef0123456789abcdef";
const home = mkdtempSync(join(tmpdir(), "errata-cli-"));
const state = mkdtempSync(join(tmpdir(), "errata-cli-state-"));
const link = makeLink(readNowMs());
let served: Awaited<ReturnType<typeof serve>>;

/** Runs the program for the served Errata. */
function errata(
  args: readonly string[],
  { env = {}, ...options }: Omit<Parameters<typeof runCli>[1], "home"> = {},
) {
  return runCli(args, { home, env: { ERRATA_URL: served.url, ...env }, ...options });
}

async function report(message: string, over: object = {}): Promise<string> {
  const response = await fetch(`${served.url}/api/1/store/?sentry_key=${SERVER_KEY}`, {
    method: "POST",
    body: JSON.stringify({
      platform: "node",
      release: "shop@1.4.1",
      exception: {
        values: [
          {
            type: "CartError",
            value: message,
            stacktrace: {
              frames: [{ filename: "src/cart.ts", function: "total", lineno: 7, in_app: true }],
            },
          },
        ],
      },
      ...over,
    }),
  });
  expect(response.status).toBe(200);
  const id = ((await response.json()) as { id: string }).id;
  const found = await errata(["lookup", id, "--json"]);
  return JSON.parse(found.out).hits[0].digest;
}

const HOSTILE = "paid \u001b]8;;https://evil.example\u0007 \u202e\r\u009b2J\u{e0041}";
let digest: string;
let hostile: string;

beforeAll(async () => {
  await buildCli();
  served = await serve({
    isLocalOpen: true,
    statePath: state,
    serverKey: SERVER_KEY,
    vars: { ERRATA_SETUP: link.setup },
  });
  digest = await report("no price");
  hostile = await report(HOSTILE, {
    exception: { values: [{ type: "HostileError", value: HOSTILE }] },
  });
}, 60_000);
afterAll(async () => {
  await served?.stop();
  for (const folder of [home, state]) rmSync(folder, { recursive: true, force: true });
});

it("is a package of three files, of which the program has less than 64 KiB", () => {
  expect(readdirSync(cliFolder).sort()).toEqual(["README.md", "errata.mjs", "package.json"]);
  const program = readFileSync(join(cliFolder, "errata.mjs"), "utf8");
  expect(program.length).toBeLessThan(64 * 1024);
  for (const [, name = ""] of program.matchAll(/(?:^|[;\n])import[^;"]*from\s*"([^"]+)"/g))
    expect(name).toMatch(/^node:/);
  expect(JSON.parse(readFileSync(join(cliFolder, "package.json"), "utf8"))).not.toHaveProperty(
    "dependencies",
  );
});

it("is installed from the deployment", async () => {
  const bytes = new Uint8Array(await (await fetch(`${served.url}/errata-cli.tgz`)).arrayBuffer());
  const folder = join(home, "installed");
  mkdirSync(folder);
  writeFileSync(join(folder, "errata-cli.tgz"), bytes);
  const words = ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder];
  execFileSync("npm", [...words, join(folder, "errata-cli.tgz")], { stdio: "pipe" });
  const program = join(folder, "node_modules", ".bin", "errata");
  expect(execFileSync(program, ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("has a command for each operation, and its help says what the options are", async () => {
  const { out } = await errata(["--help"]);
  const document = await (await fetch(`${served.url}/openapi.json`)).json();
  const { paths } = document as { paths: Record<string, Record<string, { operationId: string }>> };
  const names = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) {
    const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(".", " ");
    expect(out).toContain(`  ${words}\n`);
  }
  const { out: help } = await errata(["issues", "decide", "--help"]);
  expect(help).toContain("Usage: errata issues decide <digest> --state …");
  const { out: ofRead } = await errata(["reports", "get", "--help"]);
  expect(ofRead).toMatch(/--trust <value> +the lowest trust of reported text/);
  expect((await errata(["issues", "get", digest, "--trust=public"])).code).toBe(0);
  expect(help).toMatch(/--state <value> +a state: open, snoozed, resolved or archived/);
});

it("says in the help of each command what its options are", async () => {
  const { out } = await errata(["--help"]);
  const [list = ""] = out.split("Each operation of the API");
  const names = [...list.matchAll(/^ {2}(\w+(?: \w+)*) {2}/gm)].map(([, name = ""]) => name);
  expect(names).toContain("sourcemaps upload");
  const helps = await Promise.all(
    names
      .filter((name) => name !== "completion")
      .map((name) => errata([...name.split(" "), "--help"])),
  );
  for (const help of helps) {
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const [line] of help.out.matchAll(/^ {2}--.*$/gm))
      expect(line).toMatch(/^ {2}--[\w-]+(?: <\w+>)? {2,}\S/);
  }
});

describe("lookup", () => {
  it("finds the issue of any text, and of a text on standard input", async () => {
    for (const found of [
      await errata(["lookup", `the page said ${digest.toLowerCase()} today`]),
      await errata(["lookup"], { input: `Application error\nDigest: ${digest}\n` }),
    ]) {
      expect(found).toMatchObject({ code: 0, err: "" });
      expect(found.out.split("\t")).toEqual([
        digest,
        "1",
        expect.stringMatching(/Z$/),
        "CartError: no price\n",
      ]);
    }
  });

  it("tells whose a code without a report is, when it was made, and what to run", async () => {
    const found = await errata(["lookup", "iad1::5bmqg-1754321089413-a82017931894"]);
    expect(found).toMatchObject({ code: 3, err: expect.stringContaining("No issue is known") });
    expect(found.out).toMatch(/^Vercel .*iad1::5bmqg-1754321089413-a82017931894\n/);
    expect(found.out).toContain("made 2025-08-04T15:24:49.413Z");
    expect(found.out).toMatch(/^Run: vercel logs /m);
  });

  it("ends with 3 if there is none", async () => {
    const found = await errata(["lookup", "7F3K-Q2M9"]);
    expect(found).toMatchObject({ code: 3, out: "" });
    expect(found.err).toContain("No issue is known");
  });
});

it("shows an issue with its frames and its page", async () => {
  const { code, out } = await errata(["show", digest]);
  expect(code).toBe(0);
  expect(out).toContain("CartError: no price\n");
  expect(out).toContain("  at total (src/cart.ts:7)\n");
  expect(out).toContain(`${served.url}/d/${digest}\n`);
});

it("lists issues, and prints the answer of the API unchanged with --json", async () => {
  const { out } = await errata(["issues", "is:open", "CartError"]);
  expect(out).toMatch(new RegExp(`^${digest}\\topen\\t1\\t`));
  const { out: json } = await errata(["issues", "--json"]);
  const response = await fetch(`${served.url}/api/v1/issues`);
  const asOf = /"asOf":"[^"]*"/g;
  expect(json.replace(asOf, "")).toBe(`${await response.text()}\n`.replace(asOf, ""));
});

it("prints controls of reported text as escapes, in every form", async () => {
  for (const args of [["show", hostile], ["lookup", hostile], ["issues"]]) {
    const { out } = await errata(args);
    // Errata itself keeps no control characters of reports.
    expect(out).toContain("]8;;https://evil.example");
    expect(out).toContain("\\u{202e}");
    expect(out).not.toMatch(/[\p{Cf}\r]|\p{Cc}(?<![\n\t])/u);
  }
});

it("prints controls of failures as escapes", async () => {
  const { err } = await errata(["sourcemaps", "upload", "no\u001b]0;title\u0007 folder"]);
  expect(err).toBe("errata: no\\u{1b}]0;title\\u{7} folder is no folder that can be read.\n");
});

it("makes a change once that it sends again", async () => {
  const keys: (string | undefined)[] = [];
  const busy = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    const headers = { "Retry-After": "0", "Content-Type": "application/json" };
    response.writeHead(keys.length === 1 ? 503 : 200, headers).end("{}");
  });
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const env = { ERRATA_URL: `http://127.0.0.1:${(busy.address() as AddressInfo).port}` };
  const { code } = await errata(["comment", digest, "seen", "--json"], { env });
  busy.close();
  expect(code).toBe(0);
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
});

it.each([200, 404])("fails if another server answers with %i", async (status) => {
  const other = createServer((_, response) => {
    response.writeHead(status, { "Content-Type": "text/html" }).end("<!doctype html>");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const env = { ERRATA_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
  const { code, err } = await errata(["lookup", "x"], { env });
  other.close();
  expect(code).toBe(1);
  expect(err).toMatch(/did not answer as Errata does\.|answered 404\./);
});

it("decides, says how to undo it, and undoes it", async () => {
  const resolved = await errata(["resolve", digest, "--in", "shop@1.4.2"]);
  expect(resolved).toMatchObject({ code: 0, out: `${digest}\tresolved\tCartError: no price\n` });
  const [, change = ""] = /errata undo (\w+)/.exec(resolved.err) ?? [];
  const undone = await errata(["undo", change]);
  expect(undone).toMatchObject({ code: 0, out: `${digest}\tdecision undone\n` });
  expect(await errata(["undo", change])).toMatchObject({ code: 3, out: "" });
  expect((await errata(["issues", "get", digest])).out).toContain('"state":"open"');
  const generic = ["issues", "decide", digest, "--state=snoozed", "--duration=7d"];
  expect((await errata(generic)).out).toContain('"state":"snoozed"');
  expect((await errata(["reopen", digest])).code).toBe(0);
});

it("comments on an issue", async () => {
  const commented = await errata(["comment", digest, "since", "Monday"]);
  expect(commented).toMatchObject({ code: 0, err: "", out: `${digest}\tcommented\n` });
  const { out } = await errata(["comment", digest, "again", "--json"]);
  expect(JSON.parse(out)).toMatchObject({ digest });
});

describe("release", () => {
  const repository = mkdtempSync(join(tmpdir(), "errata-cli-git-"));
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", ...words], {
      cwd: repository,
      stdio: "pipe",
    });
  const commit = (message: string, file: string) => {
    mkdirSync(join(repository, "src"), { recursive: true });
    writeFileSync(join(repository, file), message);
    git("add", ".");
    git("commit", "-q", "-m", message);
  };
  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  it("sends the commits of git since the last release, and resolves what they fix", async () => {
    git("init", "-q");
    git("remote", "add", "origin", "https://ada:secret@git.example/acme/shop.git");
    commit("Start", "README.md");
    commit("Add the cart", "src/cart.ts");
    const first = await errata(["release", "shop@1.4.1", "--commits"], { cwd: repository });
    expect(first).toMatchObject({ code: 0, out: "shop@1.4.1: 2 commits\n" });
    const shown = await errata(["show", digest]);
    expect(shown.out).toMatch(/suspect [0-9a-f]{10} Ada: Add the cart \(src\/cart\.ts\)/);
    commit(`Fix the price\n\nFixes ${digest}\n`, "src/cart.ts");
    const args = ["release", "shop@1.4.2", "--commits", "--deploy", "production"];
    const second = await errata(args, { cwd: repository });
    expect(second.out).toBe(`shop@1.4.2: 1 commit\n${digest} resolved\n`);
    const { out } = await errata(["releases", "get", "shop@1.4.2"]);
    const { facts } = JSON.parse(out);
    expect(facts.deploys).toMatchObject([{ environment: "production" }]);
    expect(facts.commits).toMatchObject([
      {
        author: "Ada",
        files: ["src/cart.ts"],
        repository: "acme/shop",
        url: expect.stringMatching(/^https:\/\/git\.example\/acme\/shop\/commit\/[0-9a-f]{40}$/),
      },
    ]);
    expect(out).not.toContain("secret");
    expect((await errata(["issues", "get", digest])).out).toContain('"state":"resolved"');
  });

  it("fails outside of a repository", async () => {
    const { code, err } = await errata(["release"]);
    expect(code).toBe(1);
    expect(err).toContain("git failed:");
  });
});

it("uploads the maps of a folder, with long paths", async () => {
  const folder = join(home, "build");
  const name = `${"a-long-name-".repeat(8)}.js`;
  mkdirSync(join(folder, "assets", "pages"), { recursive: true });
  const map = { version: 3, sources: ["src/a.ts"], names: [], mappings: "AAAA" };
  writeFileSync(join(folder, "assets", "pages", name), `a()\n//# sourceMappingURL=${name}.map`);
  writeFileSync(join(folder, "assets", "pages", `${name}.map`), JSON.stringify(map));
  mkdirSync(join(folder, "chart.js"));
  symlinkSync(join(home, ".config"), join(folder, "secrets.map"));
  symlinkSync(folder, join(folder, "circle"));
  const { code, out, err } = await errata([
    ...["sourcemaps", "upload", folder, "--release=shop@1.4.2", "--url-prefix=~/"],
  ]);
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(out).toContain(`~/assets/pages/${name}`);
});

it("exports a project, and imports it again", async () => {
  const file = join(home, "export.ndjson");
  expect((await errata(["export", file])).code).toBe(0);
  const { out } = await errata(["export"]);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\{"end"/);
  const imported = await errata(["import", file, "--own"]);
  expect(imported).toMatchObject({ code: 0 });
});

describe("a policy", () => {
  const violate = (blockedURL: string) =>
    fetch(`${served.url}/monitoring`, {
      method: "POST",
      body: JSON.stringify([
        {
          type: "csp-violation",
          age: 1,
          url: "https://shop.example/cart",
          body: {
            documentURL: "https://shop.example/cart",
            effectiveDirective: "img-src",
            blockedURL,
            disposition: "enforce",
          },
        },
      ]),
    });

  it("is tried from a file and from standard input, and fails if the site’s own is blocked", async () => {
    await violate("https://cdn.example/a.png");
    await vi.waitFor(async () => {
      const { out } = await errata(["policies", "list", "--json"]);
      expect(JSON.parse(out).total).toBe(1);
    }, 15_000);
    const file = join(home, "policy.txt");
    writeFileSync(file, "\uFEFFContent-Security-Policy: img-src 'self'\r\n");
    const tried = await errata(["policy", "try", file]);
    expect([tried.code, tried.out.split("\t")]).toEqual([
      0,
      ["blocked", expect.any(String), "1", "", "img-src https://cdn.example/a.png\n"],
    ]);
    expect(tried.err).toContain("1 blocked, 0 undecided, 0 allowed");
    await violate("https://shop.example/own.png");
    const input = "img-src https://cdn.example";
    await vi.waitFor(async () => {
      const own = await errata(["policy", "try", "-"], { input });
      expect([own.code, own.err]).toEqual([5, expect.stringContaining("of the site: 1 violation")]);
      expect(own.out).toContain("\town\timg-src https://shop.example/own.png\n");
    }, 15_000);
    const json = await errata(["policy", "try", "-", "--json"], { input });
    expect([json.code, JSON.parse(json.out).blockedOwnCount]).toEqual([5, 1]);
  }, 60_000);

  it.each([[["policy", "try"]], [["policy", "try", "no-such-file"]]])(
    "%o is wrong usage",
    async (words) => {
      expect((await errata(words)).code).toBe(2);
    },
  );

  it("without a directive is wrong usage, with the sentence of the server", async () => {
    const { code, err } = await errata(["policy", "try", "-"], { input: "no policy" });
    expect([code, err]).toEqual([2, expect.stringMatching(/Expected a Content-Security-Policy/)]);
  });
});

describe("reports as they arrive", () => {
  /** Waits until the program has printed the text. */
  const printed = (program: ReturnType<typeof startCli>, text: string) =>
    vi.waitFor(() => expect(program.read().out).toContain(text), { timeout: 15_000 });

  it("are printed at once, each once, also after the connection ended", async () => {
    const program = startCli(["tail", "--json"], { home, env: { ERRATA_URL: served.url } });
    await printed(program, "no price");
    await report("streamed one");
    await printed(program, "streamed one");
    const lines = program.read().out.trim().split("\n");
    const ids = lines.map((line) => JSON.parse(line).id);
    expect(new Set(ids).size).toBe(ids.length);
    program.stop();
    await program.ended;
  }, 30_000);

  it("continue after a lost connection, from the last one", async () => {
    let asked = 0;
    const event = (n: number) =>
      `id: ${n}\nevent: report\ndata: ${JSON.stringify({ id: `${n}`, digest: "7F3K-Q2M9", at: "now", message: `report ${n}` })}\n\n`;
    const lastIds: unknown[] = [];
    const server = createServer((request, response) => {
      asked += 1;
      lastIds.push(request.headers["last-event-id"]);
      response.setHeader("content-type", "text/event-stream");
      // The connection breaks within an event.
      if (asked === 1)
        response.write(`retry: 1\n\n:\n\n${event(1)}id: 2\nda`, () => response.destroy());
      else response.write(event(1) + event(2));
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    const env = { ERRATA_URL: `http://127.0.0.1:${port}` };
    const program = startCli(["tail"], { home, env });
    await printed(program, "report 2");
    expect(program.read().out.match(/report 1/g)).toHaveLength(1);
    expect(lastIds).toEqual([undefined, "1"]);
    program.stop();
    await program.ended;
    server.closeAllConnections();
    server.close();
  }, 30_000);
});

it("prints new reports once", async () => {
  const { out } = await errata(["tail", "--once"]);
  expect(out).toContain(`\t${digest}\tCartError: no price\n`);
});

describe("a saved Errata", () => {
  // The link works once.
  let cookie: string | undefined;
  const createToken = async (role = "member") => {
    const origin = { origin: served.url, "sec-fetch-site": "same-origin" };
    cookie ??= await signInByLink(link.at(served.url));
    const response = await fetch(`${served.url}/settings`, {
      method: "POST",
      headers: { ...origin, cookie, accept: "application/json" },
      body: new URLSearchParams({ do: "add-token", name: "cli", role }),
    });
    const { secrets } = (await response.json()) as { readonly secrets: readonly string[] };
    return secrets[0] ?? "";
  };
  const own = { ERRATA_URL: undefined };
  const file = join(home, ".config", "errata", "config.json");

  it("has a token that only its owner can read and only its Errata gets, and that no output contains", async () => {
    const token = await createToken();
    expect(token).not.toBe("");
    const signedIn = await errata(["login", served.url, "--with-token", "--as", "local"], {
      input: `${token}\n`,
      env: own,
    });
    expect(signedIn).toMatchObject({ code: 0, out: "" });
    expect(signedIn.err).toContain("project 1 as member. Saved as local");
    const second = await errata(["login", `${served.url}/p/2/`, "--with-token"], {
      input: token,
      env: own,
    });
    expect(second).toMatchObject({ code: 3, out: "" });
    expect(signedIn.err).not.toContain(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { out } = await errata(["whoami", "get"], { env: own });
    expect(JSON.parse(out)).toMatchObject({ kind: "token", role: "member" });
    for (const args of [
      ["--at", "local", "issues", "--json"],
      ["--at=local", "--json", "show", digest],
      ["show", "--at", "local", digest],
    ])
      expect(await errata(args, { env: own })).toMatchObject({ code: 0, err: "" });
    const wrong = "errata_00000000000000000000000000000000";
    const ofAnother = { ERRATA_URL: "https://errata.example", ERRATA_TOKEN: wrong };
    for (const args of [
      ["--at=local", "whoami", "get"],
      [`--url=${served.url}`, "whoami", "get"],
    ])
      expect(await errata(args, { env: ofAnother })).toMatchObject({ code: 0, err: "" });
    const other = await errata(["--at", "other", "show", digest], { env: own });
    expect(other).toMatchObject({
      code: 2,
      err: "errata: --at: expected a name of errata login.\n",
    });
    expect((await errata(["logout"], { env: own })).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain(token);
  });

  it("needs a token that can read: the failure of an upload token says so", async () => {
    const token = await createToken("uploader");
    expect(token).toMatch(/^sntrys_/);
    for (const { code, err } of [
      await errata(["login", served.url, "--with-token"], { input: `${token}\n`, env: own }),
      await errata(["releases"], { env: { ERRATA_TOKEN: token } }),
    ]) {
      expect(code).toBe(4);
      expect(err).toContain("An upload token can only upload source maps");
    }
  });

  it("is not needed to describe a release: an upload token can", async () => {
    const env = { ERRATA_TOKEN: await createToken("uploader") };
    const { code, out } = await errata(["release", "shop@1.4.3", "--deploy", "staging"], { env });
    expect([code, out]).toEqual([0, "shop@1.4.3: 0 commits\n"]);
  });

  it("cannot be got by the browser where nobody signs in", async () => {
    const { code, err } = await errata(["login", served.url], { env: own });
    expect(code).toBe(2);
    expect(err).toContain("use --with-token");
  });

  it("is needed: without one, the exit code is 4", async () => {
    const { code, err } = await errata(["show", digest], { env: own });
    expect(code).toBe(4);
    expect(err).toContain("errata login");
  });

  it("gets no token of another Errata, and a wrong token ends with 4", async () => {
    const env = { ERRATA_TOKEN: "errata_00000000000000000000000000000000" };
    const { code, err } = await errata(["whoami", "get"], { env });
    expect(code).toBe(4);
    expect(err).not.toContain(env.ERRATA_TOKEN);
  });
});

it.each([
  [["nonsense"], 2],
  [["show"], 2],
  [["show", "7F3K-Q2M9", "--colour"], 2],
  [["issues", "decide", "7F3K-Q2M9"], 2],
  [["issues", "decide", "7F3K-Q2M9", "--state=gone"], 2],
  [["show", "7F3K-Q2M8"], 2],
  [["show", "7F3K-Q2M9"], 3],
  [["show", "7F3K-Q2M9", "--url=http://errata.example"], 2],
  [["show", "7F3K-Q2M9", "--url=http://127.0.0.1:9"], 1],
  [["api", "GET", "issues"], 2],
  [["issues", "--project=.."], 2],
  [["issues", "--project=9"], 3],
  [["sourcemaps", "upload", "nowhere"], 2],
] as const)("%j ends with %i, and a sentence on standard error", async (args, expected) => {
  const { code, out, err } = await errata(args);
  expect(out).toBe("");
  expect(err).toMatch(/^errata: .+\.\s*$/s);
  expect(err).not.toContain("    at ");
  expect(code).toBe(expected);
});

describe("completion", () => {
  it.each(["bash", "zsh"])("of %s is a script that the shell accepts", async (shell) => {
    const { code, out } = await errata(["completion", shell]);
    expect(code).toBe(0);
    const checker = shell === "zsh" && !existsSync("/usr/bin/zsh") ? "bash" : shell;
    execFileSync(checker, ["-n"], { input: out });
  });

  it("completes the second word of a command", async () => {
    const { out } = await errata(["completion", "bash"]);
    const script = `${out}
COMP_WORDS=(errata issues dec); COMP_CWORD=2; _errata; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", { input: script, encoding: "utf8" })).toContain("decide-many");
  });
});

it("ends quietly if the reader of its output ends", () => {
  const program = `"${process.execPath}" "${join(cliFolder, "errata.mjs")}"`;
  const env = { HOME: home, PATH: process.env.PATH, ERRATA_URL: served.url };
  const script = `${program} issues --json | head -c 1; echo " \${PIPESTATUS[0]}"`;
  expect(execFileSync("bash", ["-c", script], { env, encoding: "utf8" })).toBe("{ 0\n");
});
