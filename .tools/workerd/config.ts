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
  /** True if it has the product's RPC entrypoint, as `ERRATA`. */
  isBound?: boolean;
  /** The classes of its Durable Objects. The binding of each has its name. */
  objects?: readonly string[];
}

export interface Setup {
  bindings: WorkerBindings;
  /** Variables of the Worker; they override those of `bindings`. */
  vars: Readonly<Record<string, string | undefined>>;
  /** The address to listen on, such as `127.0.0.1:0`. */
  address: string;
  /** A key and a certificate as PEM: serves https. */
  tls?: { key: string; cert: string };
  /** Certificates, as PEM, that the Worker trusts besides those of browsers. */
  trusted?: readonly string[];
  /** The folder of the Durable Objects. */
  objects: string;
  /** KV: the folder of a namespace inside workerd, or the port of a service. */
  kv: { folder: string } | { port: number };
  /** The folder of mails. Without it there is no binding for email. */
  mail?: string;
  /** The folder with the browser's files. Without it there is no cron either. */
  files?: string;
  /** Rate limits: `lifted` counts requests and refuses none; `none` does not count them. */
  limits: "kept" | "lifted" | "none";
  /** Flags for V8, such as `--max-semi-space-size=4`. */
  v8Flags?: readonly string[];
  neighbors?: readonly Neighbor[];
  /**
   * Further isolates of the Worker with sockets of these names. Their Durable Objects are those of
   * the first one.
   */
  copies?: readonly string[];
}

/** Text of the configuration itself, which is not quoted. */
class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | boolean | Verbatim | readonly Value[] | { readonly [name: string]: Value };

function format(value: Value): string {
  if (value instanceof Verbatim) return value.text;
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(format).join(", ")}]`;
  const members = Object.entries(value).map(([name, one]) => `${name} = ${format(one)}`);
  return `(${members.join(", ")})`;
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}

/** A module of a file beside the configuration. */
function toModule(name: string, file = name): Value {
  const kind = file.endsWith(".json") ? "json" : "esModule";
  return { name, [kind]: new Verbatim(`embed ${JSON.stringify(file)}`) };
}

const toJson = (value: unknown) => ({ json: JSON.stringify(value) });

/** The class that `front.mjs` adds to the Worker. */
export const CRON = { name: "LOCAL_CRON", className: "LocalCron" };

/**
 * The text of the configuration. Its modules are in the same folder: `worker.js`, `limits.js` and
 * `mail.js`; with files `entry.js`, `front.js` and `files.json`; with KV inside `kv.js`; of each
 * neighbor a file with its name.
 */
export function formatConfig(setup: Setup): string {
  const { address, tls, objects, kv, files, mail, v8Flags = [] } = setup;
  const { neighbors = [], copies = [] } = setup;
  const { ERRATA_ALERT_TARGETS: targets } = { ...setup.bindings.vars, ...setup.vars };
  const tlsOptions = { trustBrowserCas: true, trustedCertificates: setup.trusted ?? [] };
  const network = { allow: listRanges(targets), tlsOptions };
  const disk = (path: string, writable: boolean) => ({ disk: { path, writable } });
  const kvServices: Value[] =
    "folder" in kv
      ? [
          { name: "kv", worker: describeKv() },
          { name: "kv-storage", ...disk(kv.folder, true) },
        ]
      : [{ name: "kv", external: { address: `127.0.0.1:${kv.port}`, http: {} } }];
  const keypair = { privateKey: tls?.key ?? "", certificateChain: tls?.cert ?? "" };
  const protocol: { [name: string]: Value } =
    tls === undefined ? { http: {} } : { https: { options: {}, tlsOptions: { keypair } } };
  const config: Value = {
    services: [
      { name: "errata", worker: describeProduct(setup) },
      ...copies.map((name) => ({ name, worker: describeProduct(setup, true) })),
      ...kvServices,
      { name: "objects", ...disk(objects, true) },
      { name: "internet", network },
      ...(files === undefined ? [] : [{ name: "files", ...disk(files, false) }]),
      ...(mail === undefined ? [] : [{ name: "mail", ...disk(mail, true) }]),
      ...neighbors.map((one) => ({ name: one.name, worker: describeNeighbor(one, setup) })),
    ],
    extensions: ["limits", "mail"].map((name) => ({
      modules: [{ ...Object(toModule(`errata:${name}`, `${name}.js`)), internal: true }],
    })),
    sockets: [
      { name: "http", address, ...protocol, service: "errata" },
      ...[...neighbors.map(({ name }) => name), ...copies].map((name) => ({
        ...{ name, address: "127.0.0.1:0", http: {}, service: name },
      })),
    ],
    logging: { structuredLogging: true },
    v8Flags,
  };
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = ${format(config)};
`;
}

/** `isCopy`: its objects are those of the first isolate. */
function describeProduct(setup: Setup, isCopy = false): Value {
  const { bindings, vars, kv, files, mail, limits } = setup;
  const { compatibilityDate, compatibilityFlags, namespaces } = bindings;
  const objects = files === undefined ? bindings.objects : [...bindings.objects, CRON];
  const modules = ["worker.js"];
  if (files !== undefined) modules.unshift("entry.js", "front.js", "files.json");
  return {
    modules: modules.map((name) => toModule(name)),
    compatibilityDate,
    compatibilityFlags,
    durableObjectNamespaces: (isCopy ? [] : objects).map(({ className }) => ({
      ...{ className, uniqueKey: `errata-${className}`, enableSql: true },
    })),
    durableObjectStorage: { localDisk: "objects" },
    bindings: [
      ...objects.map(({ name, className }) => {
        const ofFirst = { className, serviceName: "errata" };
        return { name, durableObjectNamespace: isCopy ? ofFirst : className };
      }),
      ...namespaces.map((name) => {
        const inside = { name: "kv", props: toJson({ namespace: name }) };
        return { name, kvNamespace: "folder" in kv ? inside : "kv" };
      }),
      ...bindings.limits.map(({ name, limit, period }) => {
        const most = { kept: limit, lifted: Number.MAX_SAFE_INTEGER, none: null }[limits];
        const innerBindings = [
          { name: "limit", ...toJson(most) },
          { name: "period", ...toJson(period) },
        ];
        return { name, wrapped: { moduleName: "errata:limits", innerBindings } };
      }),
      ...Object.entries({ ...bindings.vars, ...vars }).map(([name, value]) => {
        return { name, ...(typeof value === "string" ? { text: value } : toJson(value)) };
      }),
      ...(files === undefined
        ? []
        : ["ASSETS", "LOCAL_FILES"].map((name) => ({ name, service: "files" }))),
      ...(mail === undefined ? [] : [{ name: "EMAIL", wrapped: MAIL }]),
    ],
  };
}

const MAIL = {
  moduleName: "errata:mail",
  innerBindings: [{ name: "folder", service: "mail" }],
};

function describeKv(): Value {
  return {
    modules: [toModule("kv.js")],
    compatibilityDate: "2026-10-01",
    durableObjectNamespaces: [{ className: "Namespace", uniqueKey: "errata-kv", enableSql: true }],
    durableObjectStorage: { localDisk: "kv-storage" },
    bindings: [{ name: "NAMESPACES", durableObjectNamespace: "Namespace" }],
  };
}

function describeNeighbor(neighbor: Neighbor, { bindings }: Setup): Value {
  const { name, isTailed, isBound, objects = [] } = neighbor;
  return {
    modules: [toModule(`${name}.js`)],
    compatibilityDate: bindings.compatibilityDate,
    durableObjectNamespaces: objects.map((className) => ({
      ...{ className, uniqueKey: `${name}-${className}`, enableSql: true },
    })),
    durableObjectStorage: { inMemory: new Verbatim("void") },
    bindings: [
      ...objects.map((className) => ({ name: className, durableObjectNamespace: className })),
      ...(isBound ? [{ name: "ERRATA", service: { name: "errata", entrypoint: "Errata" } }] : []),
    ],
    tails: isTailed ? ["errata"] : [],
  };
}

/**
 * The ranges of addresses that the Worker may connect to. A public name can resolve to an address
 * of this network, so such addresses are allowed only if `targets` (`ERRATA_ALERT_TARGETS`) names
 * them. A name that it names may have any address, so it allows all of this network.
 */
function listRanges(targets: unknown): string[] {
  const named = typeof targets === "string" ? targets.split(/[\s,]+/).filter(Boolean) : [];
  const hosts = named.flatMap((target) => URL.parse(`http://${target}`)?.hostname ?? []);
  const ranges = hosts.map((host) => {
    const address = host.replace(/^\[|\]$/g, "");
    return isIP(address) === 0 ? "private" : `${address}/${isIP(address) === 4 ? 32 : 128}`;
  });
  return [...new Set(["public", ...ranges])];
}
