// The built Worker on a workerd that can be killed: the Durable Objects are on the disk, KV is an
// HTTP service outside the process, and the rate limits let every request through. There are no
// files and no cron.

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { readBindings } from "../workerd/bindings.ts";
import { layOut } from "../workerd/lay-out.ts";
import { type LogLine, startWorkerd, type Workerd } from "../workerd/process.ts";

/**
 * The server key of the project. Reports with it are stored under the ids that they were sent with,
 * and their new issues are not limited.
 */
export const SERVER_KEY = "errata_server_5ca1e000000000000000000000000000";

/**
 * Variables of a Worker under test. The budget of KV writes is large, because a small one would
 * delay work beyond the part that causes it.
 */
export const TEST_VARS = {
  ERRATA_SERVER_KEY: SERVER_KEY,
  ERRATA_KV_WRITES_PER_DAY: "1000000000",
  ERRATA_LOCAL: "open",
};

interface PlainOptions {
  folder: string;
  workerFile: string;
  kvPort: number;
  vars: Readonly<Record<string, string>>;
  /** The folder with the wrangler.toml of the Worker; by default the project's. */
  tree?: string | undefined;
  v8Flags?: readonly string[];
  /** Names of further isolates of the Worker. */
  copies?: readonly string[];
}

/** Writes everything that `startPlain` needs into `folder`. */
export async function layOutPlain(options: PlainOptions) {
  const { folder, workerFile, kvPort, vars, tree, v8Flags = [], copies = [] } = options;
  layOut(folder, workerFile, {
    bindings: await readBindings(tree),
    ...{ vars, v8Flags, copies },
    address: "127.0.0.1:0",
    objects: join(folder, "objects"),
    kv: { port: kvPort },
    limits: "none",
  });
}

/**
 * Starts workerd in a folder that `layOutPlain` has filled, on any free port. Its output goes to
 * `workerd.log` in the folder. `sockets`: one, and one for each copy.
 */
export async function startPlain(folder: string, sockets = 1): Promise<Workerd & { port: number }> {
  const file = createWriteStream(join(folder, "workerd.log"), { flags: "a" });
  const write = ({ level, message }: LogLine) => file.write(`${level}: ${message}\n`);
  const workerd = await startWorkerd(folder, sockets, write);
  void workerd.ended.then(() => file.end());
  return { ...workerd, port: workerd.ports.get("http") ?? 0 };
}
