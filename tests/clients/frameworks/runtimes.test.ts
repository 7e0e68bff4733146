import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { openErrata } from "../errata.ts";
import { startWorker } from "../workerd.ts";
import { expectReportCount } from "./failing-app.ts";

const errata = openErrata();
const here = fileURLToPath(new URL(".", import.meta.url));

/** The command of a runtime, and the words before the file. */
type Runtime = readonly [version: string, command: string, ...words: string[]];

/** The runtimes of this machine: Node.js in several versions, Bun, Deno. */
const RUNTIMES: readonly Runtime[] = [
  ...findCommands("node").map((command): Runtime => ["Node.js", command]),
  ...findCommands("bun").map((command): Runtime => ["Bun", command]),
  ...findCommands("deno").map(
    (command): Runtime => ["Deno", command, "run", "--allow-net", "--allow-env"],
  ),
].map(([name, command, ...words]) => [`${name} ${readVersion(command)}`, command, ...words]);

/** Each different program of this name: of the packages, of this process, of the system. */
function findCommands(name: string): readonly string[] {
  const folders = [
    join(here, "node_modules", ".bin"),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  const files = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
  const all = name === "node" ? [process.execPath, ...files] : files;
  return [...new Map(all.map((file) => [readVersion(file), file])).values()];
}

function readVersion(command: string): string {
  const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? "";
}

interface Result {
  readonly digests: readonly (readonly [what: string, digest: string])[];
  readonly lost: number;
  readonly isSigned: boolean;
}

async function runIn([, command, ...words]: Runtime): Promise<Result> {
  const copy = mkdtempSync(join(here, ".app-runtimes-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(here, "runtimes"), copy, { recursive: true });
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, ERRATA_DSN: errata.serverDsn };
  const { stdout } = await promisify(execFile)(command, [...words, "main.js"], { cwd: copy, env });
  return JSON.parse(stdout);
}

async function runInWorkerd(): Promise<Result> {
  const { outputFiles } = await build({
    entryPoints: [join(here, "runtimes/worker.js")],
    bundle: true,
    format: "esm",
    write: false,
  });
  const workerd = await startWorker(outputFiles[0]?.text ?? "", errata.serverDsn, []);
  onTestFinished(() => workerd.dispose());
  return (await (await fetch(await workerd.ready)).json()) as Result;
}

describe("errata/server", () => {
  it("gives the same stack the same digest in every runtime, and loses no report", async () => {
    const expected = await runInWorkerd();
    expect(expected).toMatchObject({ lost: 0, isSigned: true });
    for (const runtime of RUNTIMES) expect(await runIn(runtime), runtime[0]).toEqual(expected);
    await expectReportCount(errata, expected.digests.length * (RUNTIMES.length + 1));
    for (const [what, digest] of expected.digests)
      expect(await errata.json(`/d/${digest}`), what).toHaveProperty("reports");
    console.info(`Ran in workerd, ${RUNTIMES.map(([version]) => version).join(", ")}.`);
  });
});
