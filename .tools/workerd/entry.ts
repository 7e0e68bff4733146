// The entry module of the whole product.

import type { WorkerBindings } from "./bindings.ts";

/** The class that `front.mjs` adds to the Worker. */
export const CRON = { name: "LOCAL_CRON", className: "LocalCron" };

/**
 * The source of the module: the Worker's own fetch handler behind the files, and the classes.
 * `broken` are classes whose objects fail.
 */
export function createEntry({ objects }: WorkerBindings, broken: readonly string[]): string {
  const whole = objects.map(({ className }) => className).filter((name) => !broken.includes(name));
  const failing = broken.map(
    (name) => `export class ${name} { constructor() { throw new Error("broken"); } }`,
  );
  return `
import worker from "worker.js";
import files from "files.json";
import { createCron, createFileServer } from "front.js";
export { ${whole.join(", ")} } from "worker.js";
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
