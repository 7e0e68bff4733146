/**
 * The team's Next.js app without the adapter: a temporary copy of tests/clients/next-app with the
 * `instrumentation.ts` of the ingest formats, built and started with `next build` and `next start`.
 * Makes no network requests.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Errata } from "../errata.ts";

const clients = fileURLToPath(new URL("..", import.meta.url));
const formats = fileURLToPath(new URL("../../../src/docs/ingest-formats.md", import.meta.url));
const next = join(clients, "node_modules/next/dist/bin/next");
const { NODE_OPTIONS: _, VITEST: __, ...inherited } = process.env;
const env = {
  ...inherited,
  NODE_ENV: "production" as const,
  NEXT_TELEMETRY_DISABLED: "1",
  NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
};
const buildTimeoutMs = 180_000;
const startTimeoutMs = 30_000;

/** The address and the key that the app reports with. */
type Target = Pick<Errata, "url" | "serverDsn">;

/** A running app. */
export interface NextApp {
  readonly url: string;
  /** Stops the app and removes its folder. */
  readonly close: () => Promise<void>;
}

/**
 * Builds and starts the app, which reports to this Errata with its key. Rejects with the output of
 * Next.js. `afterBuild` runs between the two, as a deploy would.
 */
export async function startNextApp(
  errata: Target,
  afterBuild?: (folder: string) => Promise<unknown>,
): Promise<NextApp> {
  const folder = copyApp(errata);
  try {
    await build(folder);
    await afterBuild?.(folder);
    const { child, url } = await start(folder, errata);
    const close = async () => {
      if (child.exitCode === null && child.kill()) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    };
    return { url, close };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A folder beside node_modules, so that the app resolves its packages. */
function copyApp(errata: Target): string {
  const folder = mkdtempSync(join(clients, ".app-"));
  cpSync(join(clients, "next-app"), folder, { recursive: true });
  writeFileSync(join(folder, "instrumentation.ts"), instrumentation(errata));
  writeFileSync(join(folder, "errata.ts"), createBrowserModule(errata.url));
  writeFileSync(join(folder, "instrumentation-client.ts"), 'import "./errata";\n');
  return folder;
}

/** The instrumentation of the documentation, with the address of this Errata. */
function instrumentation({ url }: Target): string {
  const blocks = readFileSync(formats, "utf8").split(/^```/m);
  const block = blocks.find((text) => text.startsWith("ts\n") && text.includes("onRequestError"));
  if (block === undefined) throw new Error("The ingest formats show no instrumentation.ts.");
  const address = `"${url}/monitoring?sentry_key=" + process.env.ERRATA_SERVER_KEY`;
  return block.slice("ts\n".length).replace('process.env.ERRATA_URL ?? ""', address);
}

/** A reporter that a team wrote itself. */
function createBrowserModule(url: string): string {
  return `export function report(how: string, thrown: unknown) {
  const { name, message, stack, digest } = Object(thrown);
  const { _debugIds: debugIds } = globalThis as { _debugIds?: object };
  const payload = { errata: 1, how, type: name, message: message ?? String(thrown), stack, digest };
  const body = JSON.stringify({ ...payload, debugIds, url: location.href });
  navigator.sendBeacon("${url}/monitoring", body);
}

if (typeof window !== "undefined") {
  addEventListener("error", ({ error, message }) => report("uncaught", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => report("rejection", reason));
}
`;
}

function build(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, timeout: buildTimeoutMs };
    execFile(process.execPath, [next, "build"], options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`next build failed:\n${stdout}${stderr}`));
    });
  });
}

/** Resolves when Next.js prints that it is ready. */
async function start(
  folder: string,
  { serverDsn }: Target,
): Promise<{ child: ChildProcess; url: string }> {
  const args = [next, "start", "--port", "0", "--hostname", "127.0.0.1"];
  const ERRATA_SERVER_KEY = new URL(serverDsn).username;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ERRATA_SERVER_KEY },
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill();
      reject(new Error(`next start ${why}:\n${output}`));
    };
    const late = setTimeout(fail, startTimeoutMs, `was not ready within ${startTimeoutMs} ms`);
    child.on("exit", () => fail("ended"));
    child.on("error", ({ message }) => fail(message));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const address = /Local:\s+(\S+)/.exec(output)?.[1];
        if (address === undefined || !output.includes("Ready in")) return;
        clearTimeout(late);
        resolve(address);
      });
    }
  });
  return { child, url };
}
