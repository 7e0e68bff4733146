// The configuration of workerd, as the text that `workerd serve` reads (workerd/workerd.capnp).

import { isIP } from "node:net";
import type { WorkerBindings } from "./bindings.ts";

/** A Worker beside the product, with a socket of the same name. */
export interface Neighbor {
  name: string;
  /** The source of the module. */
  script: string;
  /** True if the product is its tail consumer. */
  isTailed?: boolean;
}

export interface Setup {
  bindings: WorkerBindings;
  /** Variables of the Worker, over those of `bindings`. */
  vars: Readonly<Record<string, string | undefined>>;
  /** The address to listen on, such as `127.0.0.1:0`. */
  address: string;
  /** A key and a certificate as PEM: serves https. */
  tls?: { key: string; cert: string } | undefined;
  /** The folder of the Durable Objects. */
  objects: string;
  /** KV: the folder of a namespace inside workerd, or the port of a service. */
  kv: { folder: string } | { port: number };
  /** The folder of mails. Without it there is no binding for email. */
  mail?: string | undefined;
  /** The folder with the browser's files. Without it there is no cron either. */
  files?: string | undefined;
  /** Rate limits: `lifted` counts requests and refuses none; `none` does not count them. */
  limits: "kept" | "lifted" | "none";
  /** The value of `VERSION`. */
  version?: { id: string; tag: string; timestamp: string };
  /** Flags for V8, such as `--max-semi-space-size=4`. */
  v8Flags?: readonly string[];
  neighbors?: readonly Neighbor[];
}

/** Classes that `front.mjs` adds to the Worker. */
const CRON = { name: "LOCAL_CRON", className: "LocalCron" };

/**
 * The text of the configuration. Its modules are in the same folder: `worker.js`, `limits.js` and
 * `mail.js`; with files `entry.js`, `front.js` and `files.json`; with KV inside `kv.js`; of each
 * neighbor a file with its name.
 */
export function formatConfig(setup: Setup): string {
  const { objects, kv, files, mail, v8Flags = [], neighbors = [] } = setup;
  const isInside = "folder" in kv;
  const services = [
    service("errata", "worker = .errata"),
    isInside
      ? service("kv", "worker = .kv")
      : service("kv", `external = (address = "127.0.0.1:${kv.port}", http = ())`),
    service("objects", disk(objects, true)),
    service(
      "internet",
      `network = (allow = ${list(listRanges(setup))}, tlsOptions = (trustBrowserCas = true))`,
    ),
    ...(isInside ? [service("kv-storage", disk(kv.folder, true))] : []),
    ...(files === undefined ? [] : [service("files", disk(files, false))]),
    ...(mail === undefined ? [] : [service("mail", disk(mail, true))]),
    ...neighbors.map(({ name }) => service(name, `worker = .${name}`)),
  ];
  const sockets = [
    formatSocket(setup),
    ...neighbors.map(({ name }) => socket(name, "127.0.0.1:0", "http = ()", name)),
  ];
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = ${list(services)},
  extensions = [
    (modules = [(name = "errata:limits", internal = true, esModule = embed "limits.js")]),
    (modules = [(name = "errata:mail", internal = true, esModule = embed "mail.js")]),
  ],
  sockets = ${list(sockets)},
  logging = (structuredLogging = true),
  v8Flags = ${list(v8Flags.map(text))},
);
${formatProduct(setup)}
${isInside ? KV_WORKER : ""}
${neighbors.map((one) => formatNeighbor(one, setup.bindings)).join("")}
`;
}

function formatProduct({ bindings, vars, kv, files, mail, limits, version }: Setup) {
  const { compatibilityDate, compatibilityFlags, namespaces } = bindings;
  const isWhole = files !== undefined;
  const objects = isWhole ? [...bindings.objects, CRON] : bindings.objects;
  const namespace = (name: string) =>
    "folder" in kv
      ? `(name = "kv", props = (json = ${text(JSON.stringify({ namespace: name }))}))`
      : '"kv"';
  const all = [
    ...objects.map(({ name, className }) =>
      binding(name, `durableObjectNamespace = ${text(className)}`),
    ),
    ...namespaces.map((name) => binding(name, `kvNamespace = ${namespace(name)}`)),
    ...bindings.limits.map(({ name, limit, period }) => {
      const most = { kept: limit, lifted: Number.MAX_SAFE_INTEGER, none: null }[limits];
      const inner = [
        binding("limit", `json = ${text(JSON.stringify(most))}`),
        binding("period", `json = ${text(JSON.stringify(period))}`),
      ];
      const module = `moduleName = "errata:limits", innerBindings = ${list(inner)}`;
      return binding(name, `wrapped = (${module})`);
    }),
    ...Object.entries({ ...bindings.vars, ...vars }).map(([name, value]) =>
      binding(
        name,
        typeof value === "string"
          ? `text = ${text(value)}`
          : `json = ${text(JSON.stringify(value))}`,
      ),
    ),
    ...(isWhole ? [binding("LOCAL_FILES", 'service = "files"')] : []),
    ...(mail === undefined ? [] : [binding("EMAIL", MAIL)]),
    ...(version && bindings.version
      ? [binding(bindings.version, `json = ${text(JSON.stringify(version))}`)]
      : []),
  ];
  const modules = isWhole
    ? [module("entry.js"), module("front.js"), module("worker.js"), module("files.json", "json")]
    : [module("worker.js")];
  const classes = objects.map(
    ({ className }) =>
      `(className = ${text(className)}, uniqueKey = ${text(`errata-${className}`)}, enableSql = true)`,
  );
  return `const errata :Workerd.Worker = (
  modules = ${list(modules)},
  compatibilityDate = ${text(compatibilityDate)},
  compatibilityFlags = ${list(compatibilityFlags.map(text))},
  durableObjectNamespaces = ${list(classes)},
  durableObjectStorage = (localDisk = "objects"),
  bindings = ${list(all)},
);`;
}

const MAIL =
  'wrapped = (moduleName = "errata:mail", innerBindings = [(name = "folder", service = "mail")])';

const KV_WORKER = `const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [
    (className = "Namespace", uniqueKey = "errata-kv", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "kv-storage"),
  bindings = [(name = "NAMESPACES", durableObjectNamespace = "Namespace")],
);`;

function formatNeighbor({ name, isTailed = false }: Neighbor, bindings: WorkerBindings) {
  return `const ${name} :Workerd.Worker = (
  modules = [(name = "${name}.js", esModule = embed "${name}.js")],
  compatibilityDate = ${text(bindings.compatibilityDate)},
  tails = ${list(isTailed ? [text("errata")] : [])},
);
`;
}

/**
 * The entry module of the whole product: its own fetch handler behind the files, and the classes.
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

/**
 * The addresses that the Worker may connect to. A public name can resolve to an address of this
 * network, so such addresses are allowed only if `ERRATA_ALERT_TARGETS` names them.
 */
function listRanges({ bindings, vars }: Setup): string[] {
  const { ERRATA_ALERT_TARGETS: targets } = { ...bindings.vars, ...vars };
  const named = typeof targets === "string" ? targets.split(/[\s,]+/).filter(Boolean) : [];
  const ranges = named.flatMap((target) => {
    const host = URL.parse(`http://${target}`)?.hostname;
    return host === undefined ? [] : toRange(host.replace(/^\[|\]$/g, ""));
  });
  return [...new Set(["public", ...ranges])].map(text);
}

/** The range of an address. For a name, which may have any address, all of this network. */
function toRange(host: string) {
  const version = isIP(host);
  return version === 0 ? "private" : `${host}/${version === 4 ? 32 : 128}`;
}

function formatSocket({ address, tls }: Setup) {
  if (tls === undefined) return socket("http", address, "http = ()", "errata");
  const keypair = `(privateKey = ${text(tls.key)}, certificateChain = ${text(tls.cert)})`;
  const https = `https = (options = (), tlsOptions = (keypair = ${keypair}))`;
  return socket("http", address, https, "errata");
}

function socket(name: string, address: string, protocol: string, target: string) {
  return `(name = ${text(name)}, address = ${text(address)}, ${protocol}, service = ${text(target)})`;
}

function service(name: string, kind: string) {
  return `(name = ${text(name)}, ${kind})`;
}

function disk(path: string, writable: boolean) {
  return `disk = (path = ${text(path)}, writable = ${writable})`;
}

function module(name: string, kind = "esModule") {
  return `(name = ${text(name)}, ${kind} = embed ${text(name)})`;
}

function binding(name: string, value: string) {
  return `(name = ${text(name)}, ${value})`;
}

function text(value: string) {
  return JSON.stringify(value);
}

function list(items: readonly string[]) {
  return `[${items.join(", ")}]`;
}
