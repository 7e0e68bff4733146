/** The app over a test's real store, with deterministic ids and clock. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { createHash } from "node:crypto";
import { handleRequest } from "#src/app.ts";
import { createPageTokens } from "#src/auth/page-tokens.ts";
import { type Config, readConfig } from "#src/config.ts";
import { refuseClient } from "#src/core/oauth/client-metadata.ts";
import type { Report } from "#src/core/report.ts";
import { ok } from "#src/core/result.ts";
import type { ProjectServices, RateLimiters, Services } from "#src/http/context.ts";
import { createFileReader, createReactTextReader } from "#src/http/read-file.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import { openObjects, readVersions, recordVersions } from "#src/store/client/data-versions.ts";
import { bindings, log, NOW_MS, openTestStorage, storage } from "#support/store/store.ts";

/** A finished request. */
export interface Visit {
  readonly response: Response;
  /** The response's text, read after the background work (`waitUntil`) has ended. */
  readonly body: string;
  /** The reports written to the Worker's log. */
  readonly logged: readonly Report[];
}

/** The options of a request to a local Errata. */
export type VisitOptions = RequestInit & {
  readonly origin?: string;
  readonly services?: Partial<Services>;
};

/** Sends a request to a local Errata, and waits for all the work that it started. */
export async function visit(path: string, init: VisitOptions = {}): Promise<Visit> {
  const { responding, logged, ctx } = startVisit(path, init);
  const response = await responding;
  // The response to a WebSocket handshake has no body and cannot be cloned.
  const body = response.webSocket ? "" : await response.clone().text();
  await waitOnExecutionContext(ctx);
  return { response, body, logged };
}

/**
 * Sends a request like `visit` without waiting, for tests that read the response while it streams.
 */
export function startVisit(path: string, init: VisitOptions = {}) {
  const logged: Report[] = [];
  const ctx = createExecutionContext();
  const { origin = "http://localhost:8787", services, ...requestInit } = init;
  const requestServices: Services = { ...createTestServices(ctx, logged), ...services };
  const opened = ok({
    ...requestServices,
    forProject:
      services?.forProject ??
      ((project: string) => ({ ...requestServices, ...projectServices(project) })),
  });
  const request = new Request(new URL(path, origin), requestInit);
  return { responding: handleRequest(request, opened, ctx), logged, ctx };
}

/** The server key of the test's configuration. */
export const TEST_SERVER_KEY = "errata_server_00112233445566778899aabbccddeeff";

/** The test's configuration: local access is open, with a key of each kind and a release. */
export const testConfig: Config = createConfig({
  ERRATA_LOCAL: "open",
  ERRATA_KEY: "0123456789abcdef0123456789abcdef",
  ERRATA_SERVER_KEY: TEST_SERVER_KEY,
  ERRATA_RELEASE: "1.4.0",
});

const all = async () => true;
/** Limits that always let a request through. */
export const openLimiters: RateLimiters = {
  address: all,
  key: all,
  global: all,
  receipt: all,
  signIn: all,
  site: all,
  pageToken: all,
  api: all,
};

let ids = 0;
/** An isolate remembers the registry by the object with its bindings. */
let isolateBindings = { ...bindings };

/** From now on `createTestServices` returns those of a new isolate. */
export function forgetIsolate(): void {
  isolateBindings = { ...bindings };
}

/** The services of a request to a local Errata. */
export function createTestServices(
  ctx: Pick<ExecutionContext, "waitUntil">,
  logged: Report[] = [],
): Services {
  const registry = createRegistryClient(isolateBindings, {
    nowMs: () => NOW_MS,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const readFile = createFileReader(bindings.ASSETS, () => undefined);
  const services: Services = {
    ...storage,
    config: testConfig,
    pageTokens: createPageTokens({
      configuredKeyHash: testConfig.serverKeyHash,
      registry,
      nowMs: () => NOW_MS,
    }),
    readClient: async () => refuseClient("There are no programs here."),
    limiters: openLimiters,
    selfReportWriter: log,
    forProject: (project) => ({ ...services, ...projectServices(project) }),
    registry,
    dataVersions: {
      read: (project) => readVersions(bindings, [{ id: project }], { shards: 1 }),
      open: (after) => openObjects(bindings, [{ id: "1" }], { shards: 1 }, after),
      record: () => recordVersions(bindings, "test"),
    },
    readBackup: async () => undefined,
    readFile,
    readReactTexts: createReactTextReader(readFile),
    verifyAccess: async () => null,
    nowMs: () => NOW_MS,
    newId: () => (++ids).toString(16).padStart(32, "f"),
    newNonce: () => "test-nonce",
    sha256: (text) => createHash("sha256").update(text).digest(),
    waitUntil: (work) => ctx.waitUntil(work),
    logFailure: (report) => logged.push(report),
    logProblem: () => undefined,
  };
  return services;
}

function projectServices(project: string): ProjectServices {
  const { ingestKey: _, serverKeyHash: _hash, ...shared } = testConfig;
  return { config: { ...shared, project }, ...openTestStorage(project) };
}

function createConfig(vars: Record<string, string>): Config {
  const config = readConfig({ ...bindings, ...vars });
  if (!config.ok) throw new Error(config.problems.join(" "));
  return config.value;
}
