/**
 * Production builds of small apps that fail in every way their framework can. Each is a temporary
 * copy of a folder here, so that it resolves the frameworks and the packed package.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../../support/eventually.ts";
import type { Errata } from "../errata.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const BUILD_TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 60_000;

/** A text that no page may contain: apps throw it in messages. */
export const SECRET = "secret-of-the-kitchen";

/** How an app is built and started. Commands are those of node_modules/.bin. */
export interface AppCommands {
  /** The folder beside this file. */
  readonly folder: string;
  /** A folder beside this file whose files the app has, too, unless it has its own. */
  readonly base?: string;
  readonly build?: readonly string[];
  /** Gets the variables PORT and HOST. `PORT` in a word is replaced. */
  readonly start: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Starts the build of this app once more, beside it. */
  readonly of?: App;
}

/** A running app. */
export interface App {
  readonly url: string;
  /** The copy of its folder. */
  readonly copy: string;
  /** Everything that its server has printed. */
  readonly output: () => string;
}

/**
 * Builds and starts an app for all tests of a file. It reports to `errata`; without one, to an
 * address where nothing answers.
 */
export function openApp(commands: AppCommands, errata?: Errata): App {
  let running: Awaited<ReturnType<typeof startApp>> | undefined;
  beforeAll(async () => {
    running = await startApp(commands, errata?.serverDsn ?? "http://errata_server_x@127.0.0.1:9/1");
  });
  afterAll(() => running?.close());
  return {
    get url() {
      return running?.url ?? "";
    },
    get copy() {
      return running?.copy ?? "";
    },
    output: () => running?.output() ?? "",
  };
}

async function startApp(commands: AppCommands, dsn: string) {
  const { folder, base, build, start, env, of } = commands;
  const copy = of?.copy ?? mkdtempSync(join(here, `.app-${folder}-`));
  const sources = of === undefined ? [base ?? folder, folder] : [];
  for (const source of sources) cpSync(join(here, source), copy, { recursive: true });
  const { NODE_OPTIONS: _, VITEST: __, ...inherited } = process.env;
  const port = await findFreePort();
  const variables = {
    ...inherited,
    PATH: `${join(here, "node_modules", ".bin")}:${process.env.PATH}`,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    ERRATA_DSN: dsn,
    ERRATA_RELEASE: `${folder}@1`,
    PORT: String(port),
    HOST: "127.0.0.1",
    ...env,
  };
  const remove = () => {
    if (of === undefined) rmSync(copy, { recursive: true, force: true });
  };
  try {
    if (build !== undefined && of === undefined) await runBuild(build, copy, variables);
    const [command = "", ...words] = start.map((word) => word.replace("PORT", String(port)));
    const child = spawn(command, words, { cwd: copy, env: variables });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilItAnswers(child, url, () => output);
    const close = async () => {
      if (child.exitCode === null && child.kill()) await once(child, "exit");
      remove();
    };
    return { url, copy, close, output: () => output };
  } catch (error) {
    remove();
    throw error;
  }
}

async function runBuild(
  [command = "", ...words]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const options = { cwd, env, timeout: BUILD_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)(command, words, options).catch(({ stdout, stderr }) => {
    throw new Error(`${command} ${words.join(" ")} failed:\n${stdout}${stderr}`);
  });
}

async function waitUntilItAnswers(child: ChildProcess, url: string, output: () => string) {
  const answer = async () => {
    if (child.exitCode === null) await fetch(url);
  };
  await eventually(answer, START_TIMEOUT_MS);
  if (child.exitCode !== null) throw new Error(`The app ended:\n${output()}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** The digest in a response's `Server-Timing`. */
export function readHeaderDigest(response: Response): string | undefined {
  return /errata-digest;desc="([^"]+)"/.exec(response.headers.get("server-timing") ?? "")?.[1];
}

/** The reports of the issue that a digest leads to, once there are `count` of a side. */
export async function readReports(
  errata: Errata,
  digest: string,
  counts: { readonly server: number; readonly browser?: number },
): Promise<readonly Report[]> {
  return eventually(async () => {
    const { reports } = (await errata.json(`/d/${digest}`)) as { reports: readonly Report[] };
    const count = (side: string) => reports.filter((report) => report.side === side).length;
    expect({ server: count("server"), browser: count("browser") }, digest).toEqual({
      browser: 0,
      ...counts,
    });
    return reports;
  });
}
