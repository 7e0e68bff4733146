// Runs a script of package.json: installs the packages first if needed, then runs the tool on the
// installed Node. `node .tools/run.mjs seed --reports 3000` runs seed.ts with `--reports 3000`.

import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install, nodePath, root } from "./install.mjs";

/**
 * @type {Readonly<Record<string, readonly string[]>>} each script's tool, and the arguments before
 * those of the command line
 */
const TOOLS = {
  start: ["start.ts"],
  dev: ["package-command.ts", "wrangler", "dev"],
  build: ["build.ts"],
  test: ["test.ts"],
  "test:clients": ["test.ts", "clients"],
  check: ["test.ts", "check"],
  fix: ["package-command.ts", "@biomejs/biome", "check", "--write"],
  seed: ["seed.ts"],
  replay: ["replay.ts"],
  torture: ["torture/torture.ts"],
  "torture:alerts": ["torture/alerts.ts"],
  bench: ["bench/bench.ts"],
  "bench:browser": ["bench/browser.ts"],
  "bench:scale": ["scale/scale.ts"],
  "bench:bill": ["bench/months.ts"],
  "bench:judging": ["bench/judging.ts"],
  screenshots: ["screenshots.ts"],
  deploy: ["deploy.ts"],
  "deploy:dry": [
    "package-command.ts",
    "wrangler",
    "deploy",
    "--dry-run",
    "--outdir",
    "dist/worker",
  ],
};

const [name = "", ...args] = process.argv.slice(2);
const [tool = "", ...first] = TOOLS[name] ?? [];
if (tool === "") {
  console.error(`Unknown script "${name}". Available scripts: ${Object.keys(TOOLS).join(", ")}.`);
  process.exit(1);
}
install("");
if (name === "test:clients") install("tests/clients");

const node = nodePath();
const file = join(root, ".tools", tool);
if (realpathSync(node) === realpathSync(process.execPath)) {
  // npm runs the installed Node. In the same process, the tool receives the signals itself.
  process.argv.splice(1, Infinity, file, ...first, ...args);
  await import(pathToFileURL(file).href);
} else {
  const child = spawn(node, [file, ...first, ...args], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // The listener would pass the signal to a child that has ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
