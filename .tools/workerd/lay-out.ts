// Writes the configuration of workerd and the modules that it names into a folder. The Worker's
// file is copied, so a later build does not change it.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFiles } from "./assets.ts";
import { formatConfig, type Setup } from "./config.ts";
import { createEntry } from "./entry.ts";

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
  const copy = (name: string, to: string) =>
    copyFileSync(join(import.meta.dirname, name), join(folder, to));
  mkdirSync(objects, { recursive: true });
  copyFileSync(workerFile, join(folder, "worker.js"));
  copy("limits.mjs", "limits.js");
  copy("mail.mjs", "mail.js");
  if (mail !== undefined) mkdirSync(mail, { recursive: true });
  if ("folder" in kv) {
    mkdirSync(kv.folder, { recursive: true });
    copy("kv.mjs", "kv.js");
  }
  if (files !== undefined) {
    copy("front.mjs", "front.js");
    write("entry.js", createEntry(bindings, broken));
    write("files.json", JSON.stringify(readFiles(files)));
  }
  for (const { name, script } of neighbors) write(`${name}.js`, script);
  writeFileSync(toConfigFile(folder), formatConfig(setup), { mode: 0o600 });
}
