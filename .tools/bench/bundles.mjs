// The Workers that are measured, bundled as the deploy does it: by wrangler, minified, for production. `tree` is the folder of a
// revision: its own tools build it.

import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../run.mjs";

/**
 * @typedef {"bare" | "text" | "built" | "built-plain" | "fixture" | "fixture-plain"} WorkerName
 * `text` is Hono's; `plain` is with `react-dom/server` as it is
 */
/**
 * @typedef {object} Bundle
 * @property {"this" | "other"} name this revision's, or the other's
 * @property {string} tree whose configuration the Workers have
 * @property {Partial<Record<WorkerName, string>>} workers their files
 */

const FIXTURE = join(".tools", "bench", "fixture");

/** Reads the body and answers. */
const BARE = `
  export default {
    async fetch(request) {
      await request.arrayBuffer();
      return new Response("ok");
    },
  };
`;
/** They stand in the configuration, and are never called. */
const CLASSES = `
  import { DurableObject } from "cloudflare:workers";
  export class ReportLog extends DurableObject {}
  export class ProjectIndex extends DurableObject {}
  export class Registry extends DurableObject {}
`;

/** What makes the product's pages cheaper than React's, as `src/render/` imports it, and what plain React has in its place. */
const REPLACED = /** @type {const} */ ([
  ["./react-stream.ts", join(root, "node_modules", "react-dom", "server.edge.js")],
  ["./row-memory.tsx", join(root, FIXTURE, "no-memory.mjs")],
]);

/**
 * Bundles these Workers of a revision into `folder`. The built one is there already.
 *
 * @param {string} tree
 * @param {ReadonlySet<WorkerName>} wanted
 * @param {string} folder
 * @returns {Promise<Partial<Record<WorkerName, string>>>}
 */
export async function bundle(tree, wanted, folder) {
  /** @type {Partial<Record<WorkerName, string>>} */
  const made = {};
  mkdirSync(folder, { recursive: true });
  // The fixture is this revision's in every tree: what differs is the renderer that it imports.
  if (tree !== root) cpSync(join(root, FIXTURE), join(tree, FIXTURE), { recursive: true });
  if (wanted.has("bare")) {
    made.bare = join(folder, "bare.js");
    writeFileSync(made.bare, BARE + CLASSES);
  }
  for (const [name, main] of STAND_INS) {
    if (!wanted.has(name)) continue;
    const file = await wrangle(tree, join(folder, name), main, [
      "--config",
      configOf(tree, folder, main),
    ]);
    appendFileSync(file, CLASSES);
    made[name] = file;
  }
  if (wanted.has("built-plain")) {
    const aliases = REPLACED.flatMap(([own, plain]) => ["--alias", `${own}:${plain}`]);
    made["built-plain"] = await wrangle(tree, join(folder, "built-plain"), "worker.ts", aliases);
    assertPlain(made["built-plain"]);
  }
  return made;
}

/** Without this a module that has another name now would be compared with itself. @param {string} worker */
function assertPlain(worker) {
  /** @type {{ sources: string[] }} */
  const { sources } = JSON.parse(readFileSync(`${worker}.map`, "utf8"));
  const has = (/** @type {RegExp} */ name) => sources.some((source) => name.test(source));
  const isPlain = has(/react-dom-server\.edge\.production\.js$/);
  if (!isPlain || has(/react-dom-server\.bun|render\/row-memory/)) {
    throw new Error("What should be rendered by plain react-dom/server has a renderer of its own.");
  }
}

/** @type {readonly (readonly ["text" | "fixture" | "fixture-plain", main: string])[]} */
const STAND_INS = [
  ["text", "text.ts"],
  ["fixture", "own.tsx"],
  ["fixture-plain", "plain.tsx"],
];

/** @param {string} tree @param {string} folder @param {string} main @param {readonly string[]} args
 * @returns {Promise<string>} the Worker's file */
async function wrangle(tree, folder, main, args) {
  /** @type {typeof import("../run.mjs")} */
  const { run } = await import(pathToFileURL(join(tree, ".tools", "run.mjs")).href);
  const { code, output } = await run("wrangler", [
    "deploy",
    "--dry-run",
    "--outdir",
    folder,
    ...args,
  ]);
  if (code !== 0) throw new Error(output);
  return join(folder, main.replace(/\.tsx?$/, ".js"));
}

/** A configuration for one file of the fixture. @param {string} tree @param {string} folder @param {string} main */
function configOf(tree, folder, main) {
  const config = join(folder, `${main}.json`);
  const options = {
    name: "worker",
    main: join(tree, FIXTURE, main),
    compatibility_date: "2026-10-01",
    compatibility_flags: ["nodejs_compat"],
    minify: true,
  };
  writeFileSync(config, JSON.stringify(options));
  return config;
}
