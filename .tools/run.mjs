// Runs a script of package.json: installs the packages first if needed, then runs the tool on the
// installed Node. `node .tools/run.mjs seed --reports 3000` runs seed.ts with `--reports 3000`, and
// `bench:scale` runs bench-scale.ts. With `--help`, prints the comment at the top of the tool.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findNode, install, root } from "./install.mjs";

/**
 * @type {Readonly<Record<string, readonly string[]>>} the scripts without a file of their name: the
 * tool, and the arguments before those of the command line
 */
const TOOLS = {
  dev: ["command/run-package.ts", "wrangler", "dev"],
  "deploy:dry": [
    ...["command/run-package.ts", "wrangler"],
    ...["deploy", "--dry-run", "--outdir", "dist/worker"],
  ],
  "test:clients": ["test.ts", "clients"],
  check: ["test.ts", "check"],
  fix: ["command/run-package.ts", "@biomejs/biome", "check", "--write"],
};

const [name = "", ...args] = process.argv.slice(2);
const [tool = "", ...first] = TOOLS[name] ?? [`${name.replace(":", "-")}.ts`];
const file = join(root, ".tools", tool);
if (!existsSync(file)) {
  console.error(`Unknown script "${name}". package.json lists the scripts.`);
  process.exit(1);
}
// These pass it on to their package.
const isOwnTool = tool !== "command/run-package.ts";
if (isOwnTool && args.some((one) => one === "--help" || one === "-h")) {
  const [usage = ""] = /^(?:\/\/.*\n)+/.exec(readFileSync(file, "utf8")) ?? [];
  console.log(usage.replace(/^\/\/ ?/gm, "").trim());
  process.exit(0);
}
install("");
if (name === "test:clients") {
  install("tests/clients");
  install("tests/clients/frameworks");
}

const node = findNode();
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
