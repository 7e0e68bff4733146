/**
 * A Cloudflare account, and `npm run deploy` into it from a checkout, against the stand-in of
 * Cloudflare's API. The version that a deployment uploads is served by workerd at its addresses.
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../../.tools/install.mjs";
import type { serve } from "../../../.tools/local/serve.ts";
import type { Checkout } from "./checkout.ts";
import { ACCOUNT, startCloudflareApi, TOKEN, type Version, type Worker } from "./cloudflare-api.ts";
import { openEdge } from "./edge.ts";

/** The host of the Worker `errata`. */
export const HOST = "errata.team.workers.dev";
/** The printed sign-in link: its host and its code. */
export const LINK = /https:\/\/(\S+)\/sign-in#(\S+)/;
/** The printed server key. */
export const KEY = /errata_server_[0-9a-f]{32}/;
/** The arguments for a log that only the team reads. */
export const PRINTED: readonly string[] = ["--print-link"];

const preload = new URL("edge-fetch.mjs", import.meta.url).href;

/** A finished command. */
export interface Finished {
  readonly code: number | null;
  /** The text of both streams, as a person reads it. */
  readonly output: string;
}

interface DeployOptions {
  /** Runs it in a pseudo-terminal and types a line each time a text is printed. */
  readonly typed?: { readonly at: string; readonly line: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Sends SIGINT, as Ctrl-C does, when this text is printed. */
  readonly stopAt?: string;
}

/** A Cloudflare account, with the hosts where its Worker answers. */
export async function openAccount(
  checkout: Checkout,
  options: Parameters<typeof startCloudflareApi>[0] = {},
) {
  const edge = await openEdge();
  const home = mkdtempSync(join(tmpdir(), "errata-home-"));
  const deployed = new Map<string, { version: Version; served?: ReturnType<typeof start> }>();
  const bundles: { readonly bytes: Buffer; readonly folder: string }[] = [];
  mkdirSync(join(home, "versions"));
  let children: ReturnType<typeof spawn>[] = [];
  const api = await startCloudflareApi({
    ...options,
    onDeploy: (worker, version) => {
      const before = deployed.get(worker.name)?.served;
      void before?.then((one) => one.stop());
      deployed.set(worker.name, { version });
      keepBundle(version.id);
      options.onDeploy?.(worker, version);
    },
  });

  /** Each version is served with its own code: a copy of the checkout as it was built then. */
  function keepBundle(version: string): void {
    const folder = join(home, "versions", version);
    if (existsSync(folder)) return;
    const worker = readFileSync(join(checkout.folder, "dist/worker/worker.js"));
    const same = bundles.find(({ bytes }) => bytes.equals(worker))?.folder;
    if (same !== undefined) {
      symlinkSync(same, folder);
      return;
    }
    cpSync(checkout.folder, folder, { recursive: true, verbatimSymlinks: true });
    bundles.push({ bytes: worker, folder });
  }

  async function start({ name }: Worker, { id, bindings }: Version) {
    const folder = realpathSync(join(home, "versions", id));
    const file = pathToFileURL(join(folder, ".tools/local/serve.ts")).href;
    const module: { serve: typeof serve } = await import(file);
    const vars = bindings.filter(({ text }) => text !== undefined);
    return module.serve({
      vars: Object.fromEntries(vars.map((one) => [one.name, one.text ?? ""])),
      statePath: join(home, name),
      endsOnSignals: false,
    });
  }

  /** Answers with the served version of the Worker; null before there is one. */
  const answerWith = (name: string) => async (request: Request) => {
    const worker = api.state.workers.get(name);
    const current = deployed.get(name);
    if (worker === undefined || current === undefined) return null;
    current.served ??= start(worker, current.version);
    const { url } = await current.served;
    const { pathname, search, hostname } = new URL(request.url);
    const headers = new Headers(request.headers);
    // workerd takes the address of the request from these.
    headers.set("host", hostname);
    const body = request.body === null ? null : await request.arrayBuffer();
    const init = { method: request.method, headers, body, redirect: "manual" as const };
    return fetch(`${url}${pathname}${search}`, init);
  };

  function run(command: string, args: string[], given: DeployOptions, cwd: string) {
    const { env = {}, stopAt, typed } = given;
    return new Promise<Finished>((resolve) => {
      const child = spawn(command, args, {
        cwd,
        detached: true,
        env: {
          ...withoutCi(process.env),
          ...{ CLOUDFLARE_API_BASE_URL: api.url, CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
          ...{ CLOUDFLARE_API_TOKEN: TOKEN, ERRATA_TEST_EDGE: edge.url, HOME: home },
          ...{ XDG_CONFIG_HOME: join(home, ".config"), WRANGLER_CACHE_DIR: join(home, "cache") },
          NODE_OPTIONS: `--import ${preload}`,
          ...env,
        },
      });
      children.push(child);
      let output = "";
      let isStopped = false;
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          if (typed && text.includes(typed.at)) child.stdin.write(`${typed.line}\r`);
          if (stopAt === undefined || isStopped || !output.includes(stopAt)) return;
          isStopped = true;
          interrupt();
        });
      }
      child.on("close", (code) => resolve({ code, output }));
    });
  }

  /** What Ctrl-C does: SIGINT to all processes of the terminal, and once more from npm. */
  function interrupt() {
    children = children.filter(({ exitCode }) => exitCode === null);
    for (const child of children) {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      child.kill("SIGINT");
    }
  }

  function runTool(file: string, args: readonly string[], given: DeployOptions) {
    const words = [join(checkout.folder, ".tools", file), ...args];
    const { typed } = given;
    if (typed === undefined) return run(process.execPath, words, given, checkout.folder);
    const line = [process.execPath, ...words].map((word) => `'${word}'`).join(" ");
    return run("script", ["-qefc", line, "/dev/null"], given, checkout.folder);
  }

  edge.hosts.set(HOST, answerWith("errata"));
  return {
    api,
    edge,
    answerWith,
    interrupt,
    /** Runs `npm run deploy -- …args`. */
    deploy: (args: readonly string[] = [], given: DeployOptions = {}) =>
      runTool("deploy.ts", args, given),
    /** Runs `npm run deploy:front -- …args`. */
    deployFront: (args: readonly string[], given: DeployOptions = {}) =>
      runTool("deploy-front.ts", args, given),
    /** Runs wrangler itself. */
    wrangler: (args: readonly string[]) => {
      const bin = join(root, "node_modules/wrangler/bin/wrangler.js");
      return run(process.execPath, [bin, ...args], {}, checkout.folder);
    },
    close: async () => {
      for (const { served } of deployed.values()) await (await served)?.stop();
      await Promise.all([api.stop(), edge.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function withoutCi({ CI, WORKERS_CI, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env;
}
