// The measured revisions: this one and another. Both are built only with wrangler and their own
// wrangler.toml.

import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { workerFile } from "../build/built.ts";
import { createTemporaryFolder } from "../command/command-line.ts";
import { run } from "../command/run-package.ts";
import { root } from "../install.mjs";
import { readBindings } from "../workerd/bindings.ts";

export interface Revision {
  name: "this" | "other";
  /** The folder with its sources and its wrangler.toml. */
  tree: string;
  /** The bundle of the product. */
  built: string;
}

/** This revision, which is built, and the other one: a commit, or a bundle that ends with `.js`. */
export async function prepareRevisions(against?: string): Promise<readonly Revision[]> {
  const own: Revision = { name: "this", tree: root, built: workerFile };
  if (against === undefined) return [own];
  if (against.endsWith(".js")) return [own, { name: "other", tree: root, built: resolve(against) }];
  const tree = checkOut(against);
  const words = ["deploy", "--dry-run", "--outdir", "dist/worker"];
  const { code, output } = await run("wrangler", words, { cwd: tree });
  if (code !== 0) throw new Error(`${against} cannot be built: ${output}`);
  return [own, { name: "other", tree, built: join(tree, "dist", "worker", "worker.js") }];
}

/** Extracts and installs a revision. The folder is removed when this process ends. */
function checkOut(revision: string): string {
  const tree = createTemporaryFolder();
  const archive = execFileSync("git", ["archive", "--format=tar", revision], {
    cwd: root,
    maxBuffer: 1e9,
  });
  execFileSync("tar", ["-x", "-C", tree], { input: archive });
  const lock = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8");
  if (lock(tree) === lock(root)) {
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  } else {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: tree, stdio: "inherit" });
  }
  return tree;
}

/**
 * Writes the bare Worker, which reads the body and responds. It exports the classes that the
 * configuration names.
 */
export async function writeBareWorker(): Promise<string> {
  const { objects } = await readBindings();
  const file = join(createTemporaryFolder(), "bare.js");
  const classes = objects.map(
    ({ className }) => `export class ${className} extends DurableObject {}`,
  );
  writeFileSync(
    file,
    `import { DurableObject } from "cloudflare:workers";
${classes.join("\n")}
export default {
  async fetch(request) {
    await request.arrayBuffer();
    return new Response("ok");
  },
};
`,
  );
  return file;
}

/**
 * Writes the floor Worker: what any tracker does that loses nothing. It parses the JSON of an
 * envelope, and an object stores it before the response, as one row for all reports that arrive
 * together.
 */
export async function writeFloorWorker(): Promise<string> {
  const { objects } = await readBindings();
  const file = join(createTemporaryFolder(), "floor.js");
  const others = objects
    .filter(({ name }) => name !== "REPORT_LOG")
    .map(({ className }) => `export class ${className} extends DurableObject {}`);
  writeFileSync(
    file,
    `import { DurableObject } from "cloudflare:workers";
${others.join("\n")}
export class ReportLog extends DurableObject {
  lines = [];
  commit = null;
  constructor(context, env) {
    super(context, env);
    context.storage.sql.exec("CREATE TABLE IF NOT EXISTS log(seq INTEGER PRIMARY KEY, body TEXT)");
  }
  append(line) {
    this.lines.push(line);
    this.commit ??= this.write();
    return this.commit;
  }
  async write() {
    await scheduler.wait(0);
    const body = this.lines.join("\\n");
    this.lines = [];
    this.commit = null;
    this.ctx.storage.sql.exec("INSERT INTO log(body) VALUES (?)", body);
  }
}
export default {
  async fetch(request, env) {
    const [header, , payload] = (await request.text()).split("\\n");
    const event = { ...JSON.parse(payload), id: JSON.parse(header).event_id };
    await env.REPORT_LOG.getByName("floor").append(JSON.stringify(event));
    return new Response("ok");
  },
};
`,
  );
  return file;
}
