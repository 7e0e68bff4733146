/** The built Worker in front of a site of the tests, on workerd. */

import { frontFile } from "../../../.tools/build/front.ts";
import { startFront } from "../../../.tools/rig/front.ts";
import type { LogLine } from "../../../.tools/workerd/process.ts";
import type { ExactSite } from "./site.ts";

/** The server key in the front's DSN. */
export const FRONT_KEY = "errata_server_00112233445566778899aabbccddeeff";

export interface FrontInTest {
  readonly url: string;
  /** What workerd and the Worker have printed. */
  readonly log: readonly LogLine[];
  readonly stop: () => Promise<void>;
}

interface FrontOptions {
  /** The port of Errata; nothing listens there if it is not given. */
  readonly deskPort?: number;
  /** Without it, Errata has a service binding. */
  readonly deskHost?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly workerFile?: string;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/** Puts the front before a site. */
export async function openFront(site: ExactSite, options: FrontOptions = {}): Promise<FrontInTest> {
  const { deskPort, deskHost, vars, tls, workerFile = frontFile } = options;
  const log: LogLine[] = [];
  const host = deskHost ?? "errata.example";
  const front = await startFront({
    workerFile,
    sitePort: site.port,
    deskPort: deskPort ?? 1,
    ...(deskHost !== undefined && { deskHost }),
    ...(tls !== undefined && { tls }),
    vars: { ERRATA_DSN: `http://${FRONT_KEY}@${host}/1`, ...vars },
    log: (line) => log.push(line),
  });
  return { url: front.url, log, stop: front.stop };
}
