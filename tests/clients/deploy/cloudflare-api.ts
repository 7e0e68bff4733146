/**
 * A stand-in of Cloudflare's API, as far as `wrangler deploy`, `triggers deploy`, `versions`,
 * `rollback`, `delete`, `kv` and `secret` use it. Keeps Workers, namespaces, assets and secrets in
 * memory, refuses what Cloudflare is documented to refuse, and records every request.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "../../../.tools/local/port.ts";
import { readNowMs } from "../../support/clock/clock.ts";
import { type Part, parseForm } from "./multipart.ts";

export const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const TOKEN = "stand-in-token";

/** A binding of a Worker; secrets and variables have their text. */
export interface Binding {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
  readonly namespace_id?: string;
  readonly class_name?: string;
  readonly simple?: { readonly period: number };
}

interface Metadata {
  readonly main_module: string;
  readonly bindings: readonly Binding[];
  readonly keep_bindings?: readonly string[];
  readonly migrations?: { readonly old_tag?: string; readonly new_tag?: string };
  readonly compatibility_date: string;
  readonly annotations?: object;
}

/** An uploaded version of a Worker. */
export interface Version {
  readonly id: string;
  readonly bindings: readonly Binding[];
  readonly metadata: Metadata;
  readonly migrated: boolean;
}

/** A Worker in the account. */
export interface Worker {
  readonly name: string;
  readonly tag: string;
  migrationTag?: string | undefined;
  lastDeployedFrom: string;
  readonly versions: Version[];
  readonly deployments: { id: string; versions: { version_id: string; percentage: number }[] }[];
  crons: readonly unknown[];
  routes: unknown;
  domains: readonly { readonly hostname: string }[];
  subdomain: { enabled: boolean; previews_enabled: boolean };
}

/** A recorded request, without secrets and contents of files. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  status: number;
  code?: number;
}

/** Requests that fail: `path` is the end of the path. `times` counts down; 1 by default. */
export interface PlannedFailure {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: number;
  times?: number;
}

interface ApiOptions {
  /** The account's host name below workers.dev; null without one. */
  readonly subdomain?: string | null;
  readonly maxCrons?: number;
  readonly accounts?: readonly { readonly id: string; readonly name: string }[];
  /** Called when a request arrives, before it is answered. */
  readonly onRequest?: (method: string, path: string) => void | Promise<void>;
  /** Called with each version that takes all requests. */
  readonly onDeploy?: (worker: Worker, version: Version) => void;
}

/** An error in the form of Cloudflare's API. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Call = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly parts: readonly Part[];
  readonly bearer: string;
};

const SCRIPT = "/accounts/:account/workers/scripts/:name";
const SERVICE = "/accounts/:account/workers/services/:name";
const KV = "/accounts/:account/storage/kv/namespaces";

/** Starts the stand-in on 127.0.0.1. */
export async function startCloudflareApi({
  subdomain = "team",
  maxCrons = 5,
  accounts = [{ id: ACCOUNT, name: "Team" }],
  onRequest = () => {},
  onDeploy = () => {},
}: ApiOptions = {}) {
  const state = {
    subdomain,
    workers: new Map<string, Worker>(),
    namespaces: [] as { id: string; title: string }[],
    /** The keys of each namespace, by its id. */
    keys: new Map<string, string[]>(),
    /** The values of keys in any namespace. */
    values: new Map<string, string>(),
    assets: new Set<string>(),
    sessions: new Map<string, Set<string>>(),
  };
  const requests: RecordedRequest[] = [];
  const failures: PlannedFailure[] = [];

  const find = (name: string | undefined) =>
    state.workers.get(name ?? "") ??
    raise(10007, "This Worker does not exist on your account.", 404);
  const latest = (worker: Worker) =>
    worker.versions.at(-1) ?? raise(10007, "The Worker has no version.", 404);
  const current = (worker: Worker) =>
    worker.versions.find(({ id }) => id === worker.deployments[0]?.versions[0]?.version_id);

  function setSecrets(worker: Worker, secrets: Readonly<Record<string, Binding | null>>) {
    if (latest(worker) !== current(worker))
      raise(10215, "The latest version of the Worker is not deployed.");
    const names = Object.keys(secrets);
    const taken = latest(worker).bindings.find(
      (one) => names.includes(one.name) && one.type !== "secret_text",
    );
    if (taken !== undefined) raise(10053, `Binding name '${taken.name}' already in use.`);
    const kept = latest(worker).bindings.filter(({ name }) => !names.includes(name));
    const added = Object.values(secrets).filter((secret) => secret !== null);
    const version = { ...latest(worker), id: randomUUID(), bindings: [...kept, ...added] };
    worker.versions.push({ ...version, migrated: false });
    deployVersion(worker, version.id);
    return added.map(({ name, type }) => ({ name, type }));
  }

  function deployVersion(worker: Worker, id: string, percentage = 100) {
    const deployment = { id: randomUUID(), versions: [{ version_id: id, percentage }] };
    worker.deployments.unshift(deployment);
    const version = current(worker);
    if (version !== undefined) onDeploy(worker, version);
    return { ...deployment, created_on: formatNow(), source: "wrangler" };
  }

  /** Refuses what Cloudflare would refuse about an upload. */
  function checkUpload(metadata: Metadata, parts: readonly Part[]) {
    const main = parts.find(({ name }) => name === metadata.main_module);
    const exported = [...(main?.text ?? "").matchAll(/export\s*\{([^}]*)\}/g)].flatMap(
      ([, names = ""]) =>
        names.split(",").map(
          (name) =>
            name
              .trim()
              .split(/\s+as\s+/)
              .at(-1) ?? "",
        ),
    );
    for (const { name, type, class_name = "", namespace_id = "", simple } of metadata.bindings) {
      if (type === "ratelimit" && ![10, 60].includes(simple?.period ?? 0))
        raise(10021, `${name}: the period must be 10 or 60`);
      if (type === "ratelimit" && !/^\d+$/.test(namespace_id))
        raise(10021, `${name}: namespace_id must be an integer`);
      if (type === "durable_object_namespace" && !exported.includes(class_name))
        raise(10021, `The class ${class_name} is not exported`);
      if (type === "kv_namespace" && !state.namespaces.some(({ id }) => id === namespace_id))
        raise(10041, `KV namespace '${namespace_id}' not found`);
    }
    if (metadata.compatibility_date > formatNow().slice(0, 10))
      raise(10021, "The compatibility date is in the future");
  }

  function addVersion(worker: Worker, metadata: Metadata): Version {
    const before = worker.versions.at(-1)?.bindings ?? [];
    const given = metadata.bindings.map((one) => {
      if (one.type !== "inherit") return one;
      const inherited = before.find(({ name }) => name === one.name);
      return inherited ?? raise(10021, `There is nothing to inherit for ${one.name}`);
    });
    const kept = before.filter(
      ({ name, type }) =>
        metadata.keep_bindings?.includes(type) && !given.some((one) => one.name === name),
    );
    const version: Version = {
      ...{ id: randomUUID(), metadata, bindings: [...given, ...kept] },
      migrated: metadata.migrations !== undefined,
    };
    worker.versions.push(version);
    return version;
  }

  function createWorker(name: string): Worker {
    const worker: Worker = {
      ...{ name, tag: randomUUID().replaceAll("-", ""), lastDeployedFrom: "wrangler" },
      ...{ versions: [], deployments: [], crons: [], routes: [], domains: [] },
      subdomain: { enabled: false, previews_enabled: false },
    };
    return worker;
  }

  function findNamespaceKeys(id = ""): string[] {
    if (!state.namespaces.some((one) => one.id === id)) raise(10013, "no such namespace", 404);
    return state.keys.get(id) ?? [];
  }

  const routes: Readonly<Record<string, (call: Call) => unknown>> = {
    "GET /user": () => ({ id: "1".repeat(32), email: "dev@example.com" }),
    "GET /user/tokens/verify": () => ({ id: "2".repeat(32), status: "active" }),
    "GET /accounts": () => accounts,
    "GET /memberships": () => accounts.map((account) => ({ id: `m-${account.id}`, account })),
    "GET /zones": ({ query }) => [{ id: "3".repeat(32), name: query.get("name") }],
    "GET /zones/:zone/workers/routes": () => [],
    "GET /accounts/:account/workers/subdomain": () =>
      state.subdomain === null
        ? raise(10007, "There is no workers.dev subdomain.", 404)
        : { subdomain: state.subdomain },
    "GET /accounts/:account/workers/domains/records": () => [],

    [`GET ${KV}`]: ({ query }) => (Number(query.get("page")) > 1 ? [] : state.namespaces),
    [`POST ${KV}`]: ({ body }) => {
      const { title } = body as { title: string };
      if (state.namespaces.some((one) => one.title === title))
        raise(10014, "a namespace with this account ID and title already exists");
      const namespace = { id: randomUUID().replaceAll("-", ""), title };
      state.namespaces.push(namespace);
      return namespace;
    },
    [`DELETE ${KV}/:id`]: ({ params }) => {
      state.namespaces = state.namespaces.filter(({ id }) => id !== params.id);
      return null;
    },
    [`GET ${KV}/:id/keys`]: ({ params }) => findNamespaceKeys(params.id).map((name) => ({ name })),

    [`GET ${KV}/:id/values/:key`]: ({ params: { id, key = "" } }) => {
      findNamespaceKeys(id);
      const text = state.values.get(key) ?? raise(10009, "get: 'key not found'", 404);
      return Buffer.from(text);
    },

    [`GET ${SERVICE}`]: ({ params: { name = "" } }) => {
      const worker = state.workers.get(name) ?? raise(10090, "service_not_found", 404);
      const { tag, migrationTag: migration_tag, lastDeployedFrom: last_deployed_from } = worker;
      const script = { id: name, tag, migration_tag, last_deployed_from };
      return { id: name, default_environment: { environment: "production", script } };
    },
    [`DELETE ${SERVICE}`]: ({ params: { name = "" } }) => {
      state.workers.delete(name);
      return null;
    },
    [`GET ${SERVICE}/environments/production`]: ({ params: { name } }) => ({
      script: { ...latest(find(name)).metadata, migration_tag: find(name).migrationTag },
    }),
    [`GET ${SERVICE}/environments/production/bindings`]: ({ params: { name } }) =>
      hideSecrets(latest(find(name)).bindings),
    [`GET ${SERVICE}/environments/production/routes`]: ({ params: { name } }) => find(name).routes,
    [`GET ${SERVICE}/environments/production/subdomain`]: ({ params: { name } }) =>
      find(name).subdomain,
    "GET /accounts/:account/workers/workers/:name": ({ params: { name } }) => ({
      id: name,
      subdomain: find(name).subdomain,
    }),

    [`GET ${SCRIPT}/settings`]: ({ params: { name } }) => ({
      bindings: hideSecrets(latest(find(name)).bindings),
    }),
    [`PATCH ${SCRIPT}/script-settings`]: ({ body }) => body,
    [`POST ${SCRIPT}/subdomain`]: ({ params: { name }, body }) =>
      Object.assign(find(name).subdomain, body),
    [`PUT ${SCRIPT}/routes`]: ({ params: { name }, body }) => {
      find(name).routes = body;
      return body;
    },
    [`POST ${SCRIPT}/domains/changeset`]: ({ body }) => ({
      ...{ added: body, removed: [], updated: [], conflicting: [] },
    }),
    [`PUT ${SCRIPT}/domains/records`]: ({ params: { name }, body }) => {
      find(name).domains = (body as { origins: { hostname: string }[] }).origins;
      return find(name).domains;
    },
    [`GET ${SCRIPT}/schedules`]: ({ params: { name } }) => ({ schedules: find(name).crons }),
    [`PUT ${SCRIPT}/schedules`]: ({ params: { name }, body }) => {
      const crons = body as unknown[];
      const others = [...state.workers.values()].filter((one) => one.name !== name);
      if (others.flatMap((one) => one.crons).length + crons.length > maxCrons)
        raise(10072, `You have exceeded the limit of ${maxCrons} cron triggers.`);
      find(name).crons = crons;
      return { schedules: crons };
    },

    [`POST ${SCRIPT}/assets-upload-session`]: ({ body }) => {
      const { manifest } = body as { manifest: Record<string, { hash: string }> };
      const hashes = new Set(Object.values(manifest).map(({ hash }) => hash));
      const missing = [...hashes].filter((hash) => !state.assets.has(hash));
      const jwt = createJwt();
      state.sessions.set(jwt, new Set(missing));
      return { jwt, buckets: missing.length === 0 ? [] : [missing] };
    },
    "POST /accounts/:account/workers/assets/upload": ({ parts, bearer }) => {
      const wanted = state.sessions.get(bearer) ?? raise(10000, "There is no upload session.", 401);
      for (const { name } of parts) if (wanted.delete(name)) state.assets.add(name);
      if (wanted.size > 0) return {};
      const jwt = createJwt();
      state.sessions.set(jwt, new Set());
      return { jwt };
    },

    [`PUT ${SCRIPT}`]: ({ params: { name = "" }, parts }) => {
      const metadata = readMetadata(parts);
      checkUpload(metadata, parts);
      const worker = state.workers.get(name) ?? createWorker(name);
      const { old_tag: oldTag, new_tag: newTag } = metadata.migrations ?? {};
      if (metadata.migrations && oldTag !== worker.migrationTag)
        raise(10079, `migration tag precondition failed; it is ${worker.migrationTag}`, 412);
      const version = addVersion(worker, metadata);
      state.workers.set(name, worker);
      worker.migrationTag = newTag ?? worker.migrationTag;
      deployVersion(worker, version.id);
      const etag = createHash("sha256").update(JSON.stringify(metadata)).digest("hex");
      return { id: name, etag, startup_time_ms: 20, deployment_id: version.id };
    },
    [`POST ${SCRIPT}/versions`]: ({ params: { name }, parts }) => {
      const metadata = readMetadata(parts);
      if (metadata.migrations) raise(10211, "A version cannot have migrations.");
      checkUpload(metadata, parts);
      const { id } = addVersion(find(name), metadata);
      return {
        ...{ id, startup_time_ms: 20, metadata: { has_preview: false } },
        resources: { script: { etag: id } },
      };
    },
    [`GET ${SCRIPT}/versions`]: ({ params: { name } }) => ({
      items: find(name).versions.map(toJson).reverse(),
    }),
    [`GET ${SCRIPT}/versions/:id`]: ({ params: { name, id } }) => {
      const version = find(name).versions.find((one) => one.id === id);
      return toJson(version ?? raise(10007, "no such version", 404));
    },
    [`GET ${SCRIPT}/deployments`]: ({ params: { name } }) => ({
      deployments: find(name).deployments.map((deployment) => ({
        ...{ created_on: formatNow(), source: "wrangler", annotations: {} },
        ...deployment,
      })),
    }),
    [`POST ${SCRIPT}/deployments`]: ({ params: { name }, body }) => {
      const worker = find(name);
      const [chosen] = (body as { versions: { version_id: string; percentage: number }[] })
        .versions;
      const at = worker.versions.findIndex(({ id }) => id === chosen?.version_id);
      if (chosen === undefined || at === -1) raise(10007, "no such version", 404);
      if (worker.versions.slice(at + 1).some(({ migrated }) => migrated))
        raise(10217, "A Durable Object migration happened after this version.");
      return deployVersion(worker, chosen?.version_id ?? "", chosen?.percentage);
    },

    [`GET ${SCRIPT}/secrets`]: ({ params: { name } }) =>
      hideSecrets(latest(find(name)).bindings).filter(({ type }) => type === "secret_text"),
    [`PATCH ${SCRIPT}/secrets-bulk`]: ({ params: { name }, body }) =>
      setSecrets(find(name), (body as { secrets: Record<string, Binding | null> }).secrets),
  };

  async function answer(request: IncomingMessage, bytes: Buffer, record: RecordedRequest) {
    const { searchParams } = new URL(request.url ?? "", "http://api");
    const failure = failures.find(
      ({ method, path, times = 1 }) =>
        method === record.method && record.path.endsWith(path) && times > 0,
    );
    if (failure !== undefined) {
      failure.times = (failure.times ?? 1) - 1;
      throw new Refusal(failure.status, failure.code ?? 10000, "refused as planned");
    }
    const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (bearer !== TOKEN && !state.sessions.has(bearer)) raise(10000, "Authentication error", 401);
    const { handler, params } = findRoute(routes, record.method, record.path);
    if ((params.account ?? ACCOUNT) !== ACCOUNT) raise(10000, "Authentication error", 403);
    const parts = parseForm(request.headers["content-type"] ?? "", bytes);
    const body = parts.length > 0 ? undefined : parseText(bytes);
    return handler({ params, query: searchParams, body, parts, bearer });
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = "", url = "" } = request;
    const path = new URL(url, "http://api").pathname.replace(/^\/client\/v4/, "");
    const body = describeBody(request.headers["content-type"] ?? "", bytes);
    const record: RecordedRequest = { method, path, body, status: 0 };
    requests.push(record);
    try {
      await onRequest(method, path);
      const result = await answer(request, bytes, record);
      record.status = 200;
      // A value of KV is the body itself.
      if (Buffer.isBuffer(result)) response.writeHead(200).end(result);
      else send(response, 200, { success: true, errors: [], messages: [], result });
    } catch (error) {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(500, 10013, String(error));
      Object.assign(record, { status, code });
      send(response, status, { success: false, errors: [{ code, message }], messages: [] });
    }
  });
  const port = await listen(server, 0, "127.0.0.1");
  return {
    url: `http://127.0.0.1:${port}/client/v4`,
    state,
    requests,
    failures,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await wait(0);
    },
  };
}

function findRoute<T>(routes: Readonly<Record<string, T>>, method: string, path: string) {
  for (const [route, handler] of Object.entries(routes)) {
    const [wanted, pattern = ""] = route.split(" ");
    const match = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(path);
    if (wanted === method && match) return { handler, params: { ...match.groups } };
  }
  return raise(7003, `The stand-in does not know ${method} ${path}`, 404);
}

function raise(code: number, message: string, status = 400): never {
  throw new Refusal(status, code, message);
}

const hideSecrets = (bindings: readonly Binding[]): Binding[] =>
  bindings.map(({ text, ...one }) =>
    one.type === "secret_text" || text === undefined ? one : { ...one, text },
  );

const toJson = ({ id, bindings, metadata }: Version) => ({
  ...{ id, number: 1, annotations: metadata.annotations ?? {} },
  metadata: { created_on: formatNow(), source: "wrangler", author_email: "" },
  resources: { bindings: hideSecrets(bindings), script: { handlers: [] }, script_runtime: {} },
});

const readMetadata = (parts: readonly Part[]): Metadata =>
  JSON.parse(parts.find(({ name }) => name === "metadata")?.text ?? "{}");

const formatNow = () => new Date(readNowMs()).toISOString();

function createJwt(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(readNowMs() / 1_000) + 3_600;
  return `${encode({ alg: "none" })}.${encode({ exp, jti: randomUUID() })}.x`;
}

function parseText(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** The body for the record: without secrets, and without the contents of files. */
function describeBody(contentType: string, bytes: Buffer): unknown {
  const parts = parseForm(contentType, bytes);
  if (parts.length === 0) return hide(parseText(bytes));
  return parts.map(({ name, text }) =>
    name === "metadata" ? { name, metadata: hide(JSON.parse(text)) } : { name },
  );
}

function hide(value: unknown): unknown {
  const text = JSON.stringify(value, (key, one) => {
    if (one?.type === "secret_text") return { ...one, text: "(secret)" };
    return key === "jwt" ? "(jwt)" : one;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ result: null, ...body }));
}
