// Writes the configuration of workerd and the modules that it names into a folder. The Worker's
// file is copied, so a later build does not change it.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFiles } from "./assets.ts";
import type { WorkerBindings } from "./bindings.ts";
import { CRON, formatConfig, type Setup } from "./config.ts";

/** The file with the configuration. It holds the keys of the variables. */
export const toConfigFile = (folder: string) => join(folder, "config.capnp");

/**
 * Writes the configuration. `broken` are classes of Durable Objects whose objects fail: it needs
 * `files`.
 */
export function layOut(
  folder: string,
  workerFile: string,
  setup: Setup,
  broken: readonly string[] = [],
): void {
  const { objects, kv, files, mail, neighbors = [], bindings } = setup;
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const copy = (name: string) =>
    copyFileSync(join(import.meta.dirname, `${name}.mjs`), join(folder, `${name}.js`));
  mkdirSync(objects, { recursive: true });
  copyFileSync(workerFile, join(folder, "worker.js"));
  copy("limits");
  copy("mail");
  if (mail !== undefined) mkdirSync(mail, { recursive: true });
  if ("folder" in kv) {
    mkdirSync(kv.folder, { recursive: true });
    copy("kv");
  }
  if (files !== undefined) {
    copy("front");
    write("entry.js", createEntry(bindings, broken));
    write("files.json", JSON.stringify(readFiles(files)));
  }
  for (const { name, script } of neighbors) write(`${name}.js`, script);
  writeFileSync(toConfigFile(folder), formatConfig(setup), { mode: 0o600 });
}

/** The entry module: the Worker's own fetch handler behind the files, and the classes. */
function createEntry({ objects }: WorkerBindings, broken: readonly string[]): string {
  const whole = objects.map(({ className }) => className).filter((name) => !broken.includes(name));
  const failing = broken.map(
    (name) => `export class ${name} { constructor() { throw new Error("broken"); } }`,
  );
  return `
import worker from "worker.js";
import files from "files.json";
import { createCron, createFileServer } from "front.js";
export { Errata, ${whole.join(", ")} } from "worker.js";
${failing.join("\n")}
export const ${CRON.className} = createCron(worker);
const serveFile = createFileServer(files);
let isTicking = false;
export default {
  ...worker,
  fetch(request, env, context) {
    if (!isTicking) {
      isTicking = true;
      const cron = env.${CRON.name};
      context.waitUntil(cron.get(cron.idFromName("cron")).fetch("http://cron/"));
    }
    return serveFile(request, env.LOCAL_FILES) ?? worker.fetch(request, env, context);
  },
};
`;
}
