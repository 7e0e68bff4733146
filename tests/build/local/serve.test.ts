// `npm start`: the files of the build are served as Cloudflare serves them, data persist, and no
// process is left behind.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { clientFolder, listClientFiles } from "../../../.tools/build/built.ts";
import { REPORTER_PATH } from "../../../.tools/build/reporter-script.ts";
import { root } from "../../../.tools/install.mjs";
import { describeOwner, findOwner } from "../../../.tools/local/owners.ts";
import { listen } from "../../../.tools/local/port.ts";
import { serve } from "../../../.tools/local/serve.ts";
import { createCron } from "../../../.tools/workerd/front.mjs";

const folder = mkdtempSync(join(tmpdir(), "errata-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const startFile = join(root, ".tools", "start.ts");

const createReport = (code: string) => ({
  method: "POST",
  body: JSON.stringify({
    error: { name: "TypeError", message: `no cart ${code}`, digest: code, stack: "TypeError" },
    request: { path: "/cart", method: "GET", headers: {} },
    context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
  }),
});

describe("files", () => {
  let served: Awaited<ReturnType<typeof serve>>;
  let cloudflare: Miniflare;
  beforeAll(async () => {
    const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
    const { assets, compatibilityDate } = workerOptions as {
      assets: object;
      compatibilityDate: string;
    };
    const script = 'export default { fetch: () => new Response("the Worker") }';
    const worker = { name: "w", modules: true, script, compatibilityDate, assets, rootPath: root };
    cloudflare = new Miniflare(
      convertV4MiniflareOptions({
        ...{ port: 0, cf: false, telemetry: { enabled: false } },
        workers: [worker as never],
      }),
    );
    [served] = await Promise.all([serve({ isLocalOpen: true }), cloudflare.ready]);
  }, 60_000);
  afterAll(() => Promise.all([served?.stop(), cloudflare?.dispose()]));

  const script = `/assets/${listClientFiles()[0]?.split(/[\\/]/).at(-1)}`;
  const versionedReporter = `/${readdirSync(join(clientFolder, "monitoring"))
    .map((name) => `monitoring/${name}`)
    .find((name) => name !== REPORTER_PATH)}`;
  /** The response as a client sees it, without the headers that each server chooses. */
  async function fetchWithoutOwnHeaders(base: string | URL, path: string, init: RequestInit) {
    const identity = { "accept-encoding": "identity", ...init.headers };
    const sent = { ...init, headers: identity, redirect: "manual" as const };
    const response = await fetch(new URL(base).origin + path, sent);
    const { etag, ...headers } = Object.fromEntries(response.headers);
    const own = ["cf-cache-status", "content-length", "transfer-encoding", "date", "connection"];
    for (const name of [...own, "keep-alive"]) delete headers[name];
    const isTagged = etag !== undefined;
    return { status: response.status, headers, isTagged, body: await response.text() };
  }

  it.each<[string, string, RequestInit?]>([
    ["a script", script],
    ["the head of a script", script, { method: "HEAD" }],
    ["the browser reporter", `/${REPORTER_PATH}`],
    ["a version of the browser reporter", versionedReporter],
    ["a text", "/robots.txt"],
    ["a picture", "/favicon.svg?v=2"],
    ["a page", "/docs/self-hosting"],
    ["the page of a folder", "/docs"],
    ["a page with .html", "/docs/self-hosting.html?a=b"],
    ["a page with a slash", "/docs/self-hosting/"],
    ["a page with /index", "/docs/self-hosting/index"],
    ["a page with /index.html", "/docs/self-hosting/index.html"],
    ["the old address of a page", "/docs/trust"],
    ["a folder with a slash", "/docs/"],
    ["a folder with /index.html", "/docs/index.html"],
    ["a folder with .html", "/docs.html"],
    ["an escaped path", "/%64ocs/self-hosting?a=b"],
    ["an escaped path with .html", "/docs/self-hosting%2Ehtml"],
    ["two slashes", "/docs//self-hosting"],
    ["a POST", "/docs", { method: "POST" }],
    ["a part of a file", "/robots.txt", { headers: { range: "bytes=0-3" } }],
  ])("%s is served as on Cloudflare", async (_, path, init = {}) => {
    const expected = await fetchWithoutOwnHeaders(await cloudflare.ready, path, init);
    expect(expected.body).not.toBe("the Worker");
    expect(await fetchWithoutOwnHeaders(served.url, path, init)).toEqual(expected);
  });

  it.each([
    "/_headers",
    "/_redirects",
    "/.assetsignore",
    "/.vite/manifest.json",
    "/.vite/assets.json",
    "/assets/page.js",
    "/assets/",
    "/robots.txt/",
    "/docs/nothing.html",
    "/%E0%A4%A",
    "/index.html",
  ])("%s is not a file, so the Worker responds", async (path) => {
    expect((await fetchWithoutOwnHeaders(await cloudflare.ready, path, {})).body).toBe(
      "the Worker",
    );
    expect((await fetchWithoutOwnHeaders(served.url, path, {})).status).toBe(404);
  });

  it.each(["a b", "[::1", "shop.example:99999", "%zz"])(
    "a request for a page or with a report gets 400 as JSON if its host is %s",
    async (host) => {
      const { hostname, port } = new URL(served.url);
      for (const start of ["POST /monitoring", "GET /issues"]) {
        const socket = connect(Number(port), hostname);
        const head = `${start} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
        socket.write(`${head}Content-Length: 2\r\n\r\n{}`);
        const response = await text(socket);
        expect(response).toMatch(/^HTTP\/1\.1 400 /);
        expect(response).toContain('{"reason":"bad-host"');
      }
    },
  );

  it.each([
    ["for five minutes", `/${REPORTER_PATH}`, "public, max-age=300"],
    ["for ever, a version", versionedReporter, "public, max-age=31536000, immutable"],
  ])(
    "pages of every origin may load the browser reporter, and keep it: %s",
    async (_, path, age) => {
      for (const base of [served.url, await cloudflare.ready]) {
        const response = await fetch(new URL(path, base), { redirect: "manual" });
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          "text/javascript; charset=utf-8",
        ]);
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
        expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
        expect(response.headers.get("cache-control")).toBe(age);
        const headers = { "if-none-match": response.headers.get("etag") ?? "" };
        expect((await fetch(new URL(path, base), { headers })).status).toBe(304);
      }
    },
  );

  it("a client that has a file gets 304 without a body", async () => {
    const etag = (await fetch(served.url + script)).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`]) {
      const headers = { "if-none-match": known };
      const { status, body } = await fetchWithoutOwnHeaders(served.url, script, { headers });
      expect([status, body]).toEqual([304, ""]);
    }
  });
});

describe("the data of a server", () => {
  it("persist across restarts, in Durable Objects and in KV", async () => {
    // With many writes a day, a chunk is uploaded after a second instead of a minute.
    const vars = { ERRATA_KV_WRITES_PER_DAY: "10000000" };
    const options = { statePath: join(folder, "kept"), isLocalOpen: true, vars };
    const first = await serve(options);
    const { url } = first;
    expect((await fetch(`${url}/monitoring`, createReport("1111111111"))).ok).toBe(true);
    await vi.waitFor(
      async () => {
        const { health } = await json(`${url}/status`);
        expect(health.shards.map(({ rows }: { rows: number }) => rows)).toEqual([0]);
      },
      { timeout: 30_000, interval: 100 },
    );
    await first.stop();
    const second = await serve(options);
    const { hits } = await json(`${second.url}/lookup?q=1111111111`);
    const issue = await json(second.url + hits[0].url);
    await second.stop();
    expect(issue.reports[0].message).toBe("no cart 1111111111");
  });

  it("without a folder are deleted when the server stops", async () => {
    const first = await serve({ isLocalOpen: true });
    await fetch(`${first.url}/monitoring`, createReport("2222222222"));
    await first.stop();
    const second = await serve({ isLocalOpen: true });
    const { hits } = await json(`${second.url}/lookup?q=2222222222`);
    await second.stop();
    expect(hits).toEqual([]);
  });
});

describe("npm start", () => {
  const start = (env: Record<string, string>) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const options = { env: { ...process.env, ...env } };
      execFile(process.execPath, [startFile], options, (error, _, stderr) => {
        resolve({ code: error?.code, stderr });
      });
    });

  it("states that a port is in use, and suggests another", async () => {
    const other = createServer();
    const port = await listen(other, 0, "127.0.0.1");
    const ERRATA_STATE = join(folder, "taken");
    const { code, stderr } = await start({ PORT: String(port), ERRATA_STATE });
    await expect(serve({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start\n`,
    );
  });

  it("prints the link to sign in, and a DSN of each kind that accepts reports", async () => {
    const ERRATA_STATE = join(folder, "printed");
    const env = { ...process.env, PORT: "0", ERRATA_STATE };
    const child = spawn(process.execPath, [startFile, "--no-build"], { env });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes("Ctrl-C")) break;
    }
    const dsns = [...printed.matchAll(/^\s+(http:\/\/\w+@\S+\/1)$/gm)].map(([, dsn = ""]) => dsn);
    expect(dsns).toHaveLength(2);
    expect(printed).toMatch(/\(public\).*\(secret: keep it out of pages\)/s);
    for (const [n, dsn] of dsns.entries()) {
      const { origin, username } = new URL(dsn);
      expect(username.startsWith("errata_server_")).toBe(n === 1);
      const response = await fetch(`${origin}/api/1/store/?sentry_key=${username}`, {
        method: "POST",
        body: '{"message":"by the DSN"}',
      });
      expect(response.status).toBe(200);
    }
    child.kill();
    await once(child, "exit");
  });

  it("refuses a folder that another workerd is using", async () => {
    // The process that started it was killed.
    const ended = 2 ** 22 + 1;
    writeFileSync(join(folder, "pid"), `${ended}\n${process.pid}\n`);
    const { code, stderr } = await start({ PORT: "0", ERRATA_STATE: folder });
    expect(code).toBe(1);
    expect(stderr).toContain(`is in use by process ${process.pid}`);
  });

  it.runIf(process.platform === "linux")(
    "accepts a folder whose process ended, also if its id is reused or its parent has not waited for it",
    async () => {
      const other = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"]);
      const [printed] = (await once(other.stdout, "data")) as [Buffer];
      const killed = Number(String(printed));
      await vi.waitFor(() => expect(readFileSync(`/proc/${killed}/stat`, "utf8")).toContain(") Z"));
      expect(isRunning(killed)).toBe(true);
      const line = describeOwner(Number(other.pid));
      expect(findOwner(`${killed}\n${line}\n`)).toBe(other.pid);
      expect(findOwner(`${killed}\n${line}0\n`)).toBeUndefined();
      other.kill();
    },
  );
});

describe("workerd", () => {
  it("finishes the requests in progress when the server stops", async () => {
    const echo = "export default { fetch: (request) => new Response(request.body) };";
    const served = await serve({ neighbors: [{ name: "echo", script: echo }] });
    const upload = request({ port: served.ports.get("echo"), method: "POST" });
    upload.write("begin ");
    const [response] = (await once(upload, "response")) as [IncomingMessage];
    const [firstChunk] = await once(response, "data");
    const stopped = served.stop();
    upload.end("end");
    expect(String(firstChunk) + (await text(response))).toBe("begin end");
    await stopped;
    expect(isRunning(served.pid)).toBe(false);
  });

  it.each([
    ["nothing without a list", "", []],
    ["an address that the list has", "127.0.0.1", ["127.0.0.1", "localhost"]],
    ["the network for a name of the list", "localhost", ["127.0.0.1", "localhost"]],
    ["nothing else of the network", "127.0.0.2", []],
  ])("lets the Worker connect to %s, whatever name leads there", async (_, allowed, reached) => {
    const receiver = createHttpServer((_request, response) => response.end("reached"));
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { port } = receiver.address() as AddressInfo;
    const script = `export default { async fetch(request) {
      const to = new URL(request.url).searchParams.get("to");
      return fetch(to).catch((error) => new Response(String(error)));
    } };`;
    const vars = { ERRATA_ALERT_TARGETS: allowed && `${allowed}:${port}` };
    const served = await serve({ vars, neighbors: [{ name: "probe", script }] });
    const hosts = ["127.0.0.1", "localhost"];
    const answers = await Promise.all(
      hosts.map(async (host) => {
        const to = encodeURIComponent(`http://${host}:${port}/`);
        const url = `http://127.0.0.1:${served.ports.get("probe")}/?to=${to}`;
        return (await fetch(url)).text();
      }),
    );
    await served.stop();
    receiver.close();
    expect(hosts.filter((_host, n) => answers[n] === "reached")).toEqual(reached);
  });

  it("does not exit unnoticed", async () => {
    const served = await serve();
    process.kill(served.pid, "SIGKILL");
    await served.ended;
    await served.stop();
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "exits with its parent process after %s",
    async (signal) => {
      const file = pathToFileURL(join(root, ".tools", "local", "serve.ts")).href;
      const program = `import { serve } from ${JSON.stringify(file)};
        const { pid } = await serve(); process.send({ pid });`;
      const words = ["--input-type=module", "--eval", program];
      const child = spawn(process.execPath, words, {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      const [{ pid }] = (await once(child, "message")) as [{ pid: number }];
      expect(isRunning(pid)).toBe(true);
      child.kill(signal);
      await once(child, "exit");
      await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5_000, interval: 20 });
    },
  );
});

it("the cron runs at every alarm and sets the next one, even if it fails", async () => {
  const runs: unknown[] = [];
  let alarms = 0;
  const storage = { setAlarm: async () => void alarms++, getAlarm: async () => null };
  const Cron = createCron({
    async scheduled(_, env) {
      runs.push(env);
      throw new Error("no KV");
    },
  });
  const cron = new Cron({ storage } as never, { name: "the bindings" });
  await cron.fetch();
  expect(alarms).toBe(1);
  await expect(cron.alarm()).rejects.toThrow("no KV");
  expect([alarms, runs]).toEqual([2, [{ name: "the bindings" }]]);
});

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
async function json(url: string): Promise<any> {
  return (await fetch(url, { headers: { accept: "application/json" } })).json();
}
