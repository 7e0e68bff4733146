// A Worker in front of a site, on plain workerd: its `fetch` reaches the site, which is another
// process on this machine, and Errata by a service binding or by its URL.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConfigFile } from "../workerd/lay-out.ts";
import { type LogLine, startWorkerd } from "../workerd/process.ts";

interface FrontSetup {
  /** The module of the Worker. */
  workerFile: string;
  /** The ports of the site and of Errata on this machine. */
  sitePort: number;
  deskPort?: number;
  /** Errata has a service binding; otherwise its host, as the variable ERRATA_DSN names it. */
  deskHost?: string;
  vars?: Readonly<Record<string, string>>;
  /** A key and a certificate as PEM: serves https. */
  tls?: { key: string; cert: string };
  log?: (line: LogLine) => void;
}

const COMPATIBILITY_DATE = "2026-10-01";

/** Sends the requests for Errata's host to Errata, and all others to the site. */
const OUTBOUND = `
export default {
  fetch(request, env) {
    const isForDesk = env.DESK && new URL(request.url).host === env.DESK_HOST;
    return (isForDesk ? env.DESK : env.SITE).fetch(request);
  },
};
`;

/** Starts the Worker. Resolves when it listens. */
export async function startFront(setup: FrontSetup) {
  const folder = mkdtempSync(join(tmpdir(), "errata-front-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  copyFileSync(setup.workerFile, join(folder, "worker.js"));
  writeFileSync(join(folder, "outbound.js"), OUTBOUND);
  writeFileSync(toConfigFile(folder), formatFrontConfig(setup), { mode: 0o600 });
  const workerd = await startWorkerd(folder, 1, setup.log ?? (() => {}));
  const port = workerd.ports.get("http") ?? 0;
  return {
    ...{ port, url: `http${setup.tls ? "s" : ""}://127.0.0.1:${port}`, pid: workerd.pid },
    async stop() {
      workerd.kill();
      await workerd.ended;
      process.off("exit", remove);
      remove();
    },
  };
}

function formatFrontConfig(setup: FrontSetup): string {
  const { sitePort, deskPort, deskHost, vars = {}, tls } = setup;
  const text = (name: string, value: string) =>
    `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`;
  const external = (name: string, port: number) =>
    `(name = "${name}", external = (address = "127.0.0.1:${port}", http = ()))`;
  const isBound = deskPort !== undefined && deskHost === undefined;
  const bindings = Object.entries(vars).map(([name, value]) => text(name, value));
  if (isBound) bindings.push('(name = "ERRATA", service = "desk")');
  const outbound = ['(name = "SITE", service = "site")'];
  if (deskPort !== undefined) outbound.push('(name = "DESK", service = "desk")');
  if (deskHost !== undefined) outbound.push(text("DESK_HOST", deskHost));
  const worker = (name: string, file: string, rest: string) =>
    `(name = "${name}", worker = (modules = [(name = "${file}", esModule = embed "${file}")], ` +
    `compatibilityDate = "${COMPATIBILITY_DATE}", ${rest}))`;
  const services = [
    worker(
      "front",
      "worker.js",
      // The site alone needs no Worker, whose time would be measured too.
      `bindings = [${bindings.join(", ")}], globalOutbound = "${deskHost ? "outbound" : "site"}"`,
    ),
    worker("outbound", "outbound.js", `bindings = [${outbound.join(", ")}]`),
    external("site", sitePort),
    ...(deskPort === undefined ? [] : [external("desk", deskPort)]),
  ];
  const keypair =
    tls &&
    `(privateKey = ${JSON.stringify(tls.key)}, certificateChain = ${JSON.stringify(tls.cert)})`;
  const protocol = keypair
    ? `https = (options = (), tlsOptions = (keypair = ${keypair}))`
    : "http = ()";
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(",\n    ")}],
  sockets = [(name = "http", address = "127.0.0.1:0", ${protocol}, service = "front")],
  logging = (structuredLogging = true),
);
`;
}
