// `npm test` runs every check except the real clients, `npm run check` only lint and types, `npm
// run test:clients` the real clients. Continues after a failure if later checks are still useful,
// counts everything, and ends with the plain line "N passed, N failed".

import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { installSdks } from "../tests/clients/languages/installed-sdks.ts";
import { findChromium } from "../tests/support/browser/chromium.ts";
import { build } from "./build/build.ts";
import { isBuilt } from "./build/built.ts";
import { installPackage } from "./build/packed.ts";
import { parseWords } from "./command/command-line.ts";
import { run, toolEnv } from "./command/run-package.ts";
import { root } from "./install.mjs";

const [mode = "all"] = parseWords();
const onlyCheck = mode === "check";
const clients = mode === "clients";
const typedFolders = clients
  ? ["tests/clients"]
  : [".", "src/core", "src/client", "src/adapters", "src/cli", "tests", "tests/worker"];
const reportFile = join(root, "dist", "tests.json");
let passed = 0;
let failed = 0;

if (!onlyCheck) await step("Chromium", async () => ({ ok: true, message: await findChromium() }));
if (clients) {
  await step("SDKs of other languages", installSdks);
  await step("package", installPackage);
}
// Types need the client's manifest, which the build writes.
if (!onlyCheck || !isBuilt()) await step("build", build);
if (!clients) await step("lint", () => tool("@biomejs/biome", ["check", "--colors=off"]));
for (const folder of typedFolders) {
  await step(`types in ${folder}`, () => tool("typescript", ["--project", folder], "tsc"));
}
if (!onlyCheck) await runTests();

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs a check. Prints one line if it passes, and also its output if it fails. */
async function step(name: string, check: () => Promise<{ ok: boolean; message: string }>) {
  const start = performance.now();
  const { ok, message } = await check().catch((error) => ({ ok: false, message: error.message }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (ok) passed += 1;
  else failed += 1;
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds} s)${ok && message ? `: ${message}` : ""}`);
  if (!ok) console.log(`${message.replace(/^/gm, "    ")}\n`);
}

async function tool(name: string, args: string[], command?: string) {
  const { code, output } = await run(name, args, command ? { command } : {});
  return { ok: code === 0, message: code === 0 ? "" : output.trim() };
}

/** Runs Vitest on this terminal, then counts the tests in its report. */
async function runTests() {
  rmSync(reportFile, { force: true });
  const { code } = await run(
    "vitest",
    [
      "run",
      "--config=tests/vitest.config.ts",
      clients ? "--project=clients" : "--project=!clients",
      "--silent=passed-only",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportFile}`,
    ],
    { terminal: true, env: process.stdout.isTTY ? toolEnv : { ...toolEnv, NO_COLOR: "1" } },
  );
  if (!existsSync(reportFile)) return fail("Vitest ended without a report.");
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;

  const files: readonly TestedFile[] = report.testResults;
  for (const { name, status, assertionResults } of files) {
    const countedAlready = assertionResults.some((test) => test.status === "failed");
    if (status === "failed" && !countedAlready) fail(`${relative(root, name)} could not run.`);
    for (const test of assertionResults) {
      if (test.status !== "passed" || test.failureMessages.length === 0) continue;
      console.log(`Passed when repeated: ${relative(root, name)}: ${test.fullName}`);
    }
  }
  const ran = new Set(files.map(({ name }) => relative(root, name)));
  for (const file of listTestFiles()) if (!ran.has(file)) fail(`${file} did not run.`);
  if (code !== 0 && failed === 0) fail("Vitest failed outside of any test.");
}

/** A file of tests in Vitest's JSON report. */
interface TestedFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    /** The errors of all attempts. */
    readonly failureMessages: readonly string[];
  }[];
}

/** Every test file of this run, relative to the project's folder. */
function listTestFiles() {
  // The packages of the clients contain tests too.
  const files = globSync("tests/**/*.test.{ts,tsx}", { cwd: root, exclude: ["**/node_modules"] });
  return files.filter((file) => file.startsWith(join("tests", "clients")) === clients);
}

function fail(message: string) {
  failed += 1;
  console.log(`✗ ${message}`);
}
