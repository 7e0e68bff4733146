// The configuration of workerd, as the text that `workerd serve` reads (workerd/workerd.capnp).

import type { WorkerBindings } from "./bindings.ts";
import {
  formatBinding,
  formatDisk,
  formatJson,
  formatList,
  formatModule,
  formatService,
  formatSocket,
  formatText,
} from "./capnp.ts";
import { CRON } from "./entry.ts";
import { listRanges } from "./network.ts";

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
  /** Variables of the Worker; they override those of `bindings`. */
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
  /** Flags for V8, such as `--max-semi-space-size=4`. */
  v8Flags?: readonly string[];
  neighbors?: readonly Neighbor[];
}

/**
 * The text of the configuration. Its modules are in the same folder: `worker.js`, `limits.js` and
 * `mail.js`; with files `entry.js`, `front.js` and `files.json`; with KV inside `kv.js`; of each
 * neighbor a file with its name.
 */
export function formatConfig(setup: Setup): string {
  const { objects, kv, files, mail, v8Flags = [], neighbors = [] } = setup;
  const isInside = "folder" in kv;
  const { ERRATA_ALERT_TARGETS: targets } = { ...setup.bindings.vars, ...setup.vars };
  const services = [
    formatService("errata", "worker = .errata"),
    isInside
      ? formatService("kv", "worker = .kv")
      : formatService("kv", `external = (address = "127.0.0.1:${kv.port}", http = ())`),
    formatService("objects", formatDisk(objects, true)),
    formatService(
      "internet",
      `network = (allow = ${formatList(listRanges(targets).map(formatText))}, tlsOptions = (trustBrowserCas = true))`,
    ),
    ...(isInside ? [formatService("kv-storage", formatDisk(kv.folder, true))] : []),
    ...(files === undefined ? [] : [formatService("files", formatDisk(files, false))]),
    ...(mail === undefined ? [] : [formatService("mail", formatDisk(mail, true))]),
    ...neighbors.map(({ name }) => formatService(name, `worker = .${name}`)),
  ];
  const sockets = [
    formatProductSocket(setup),
    ...neighbors.map(({ name }) => formatSocket(name, "127.0.0.1:0", "http = ()", name)),
  ];
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = ${formatList(services)},
  extensions = [
    (modules = [(name = "errata:limits", internal = true, esModule = embed "limits.js")]),
    (modules = [(name = "errata:mail", internal = true, esModule = embed "mail.js")]),
  ],
  sockets = ${formatList(sockets)},
  logging = (structuredLogging = true),
  v8Flags = ${formatList(v8Flags.map(formatText))},
);
${formatProduct(setup)}
${isInside ? KV_WORKER : ""}
${neighbors.map((one) => formatNeighbor(one, setup.bindings)).join("")}
`;
}

function formatProduct({ bindings, vars, kv, files, mail, limits }: Setup) {
  const { compatibilityDate, compatibilityFlags, namespaces } = bindings;
  const isWhole = files !== undefined;
  const objects = isWhole ? [...bindings.objects, CRON] : bindings.objects;
  const namespace = (name: string) =>
    "folder" in kv
      ? `(name = "kv", props = (json = ${formatText(JSON.stringify({ namespace: name }))}))`
      : '"kv"';
  const all = [
    ...objects.map(({ name, className }) =>
      formatBinding(name, `durableObjectNamespace = ${formatText(className)}`),
    ),
    ...namespaces.map((name) => formatBinding(name, `kvNamespace = ${namespace(name)}`)),
    ...bindings.limits.map(({ name, limit, period }) => {
      const most = { kept: limit, lifted: Number.MAX_SAFE_INTEGER, none: null }[limits];
      const inner = [
        formatBinding("limit", formatJson(most)),
        formatBinding("period", formatJson(period)),
      ];
      const module = `moduleName = "errata:limits", innerBindings = ${formatList(inner)}`;
      return formatBinding(name, `wrapped = (${module})`);
    }),
    ...Object.entries({ ...bindings.vars, ...vars }).map(([name, value]) =>
      formatBinding(
        name,
        typeof value === "string" ? `text = ${formatText(value)}` : formatJson(value),
      ),
    ),
    ...(isWhole ? [formatBinding("LOCAL_FILES", 'service = "files"')] : []),
    ...(mail === undefined ? [] : [formatBinding("EMAIL", MAIL)]),
  ];
  const modules = isWhole
    ? [
        formatModule("entry.js"),
        formatModule("front.js"),
        formatModule("worker.js"),
        formatModule("files.json", "json"),
      ]
    : [formatModule("worker.js")];
  const classes = objects.map(
    ({ className }) =>
      `(className = ${formatText(className)}, uniqueKey = ${formatText(`errata-${className}`)}, enableSql = true)`,
  );
  return `const errata :Workerd.Worker = (
  modules = ${formatList(modules)},
  compatibilityDate = ${formatText(compatibilityDate)},
  compatibilityFlags = ${formatList(compatibilityFlags.map(formatText))},
  durableObjectNamespaces = ${formatList(classes)},
  durableObjectStorage = (localDisk = "objects"),
  bindings = ${formatList(all)},
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
  compatibilityDate = ${formatText(bindings.compatibilityDate)},
  tails = ${formatList(isTailed ? [formatText("errata")] : [])},
);
`;
}

function formatProductSocket({ address, tls }: Setup) {
  if (tls === undefined) return formatSocket("http", address, "http = ()", "errata");
  const keypair = `(privateKey = ${formatText(tls.key)}, certificateChain = ${formatText(tls.cert)})`;
  const https = `https = (options = (), tlsOptions = (keypair = ${keypair}))`;
  return formatSocket("http", address, https, "errata");
}
