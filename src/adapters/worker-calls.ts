/** Calls the handlers of a Worker, and the methods of its objects, as invocations. */

import { readProperty } from "../core/read-property.ts";
import { createTrace, readTrace } from "./page-facts.ts";
import type { ErrataOptions, Facts, Named } from "./server.ts";
import { getInvocation, Invocation } from "./worker-invocation.ts";
import { getBindings, waitUntil } from "./worker-runtime.ts";
import { addPageFacts } from "./worker-trace.ts";

/** Configuration. Bindings of the Worker are the defaults: `ERRATA_DSN`, `ERRATA`. */
export interface WorkerOptions extends ErrataOptions {
  /** False: requests of the Worker do not get the header `traceparent`. */
  readonly propagate?: boolean;
  /** Answers a request whose handler threw, in place of Cloudflare's error page. */
  readonly respond?: (failure: Named, request: Request) => Response | Promise<Response>;
}

/** The options, or a function of the bindings that returns them. */
export type Options<Env> = WorkerOptions | ((env: Env) => WorkerOptions);

/** What is called. */
export interface Callee {
  /** `fetch`, `scheduled`, `queue`, `email`, `tail`, `alarm`, `websocket`, `rpc`, `object-rpc`. */
  readonly trigger: string;
  /** The first argument. */
  readonly event: unknown;
  /** The class, and the method of an RPC. */
  readonly entrypoint?: string;
  readonly method?: string;
}

/** Calls a handler or a method. `owner` has the bindings as `env` and the context as `ctx`. */
export function invoke<Env>(
  owner: object,
  options: Options<Env>,
  callee: Callee,
  call: () => unknown,
): unknown {
  if (getInvocation()?.setup.owner === owner) return call();
  const invocation = createInvocation(owner, options, callee);
  const { trigger, event } = callee;
  if (trigger !== "fetch" || !(event instanceof Request)) return invocation.run(call);
  return answer(invocation, event, readObjectId(owner) !== undefined, call);
}

/** An invocation of a handler or a method that is about to be called. */
export function createInvocation<Env>(
  owner: object,
  options: Options<Env>,
  callee?: Callee,
): Invocation {
  const { trigger, event, entrypoint, method } = callee ?? {};
  const context = readProperty(owner, "ctx");
  const request = event instanceof Request ? event : undefined;
  // An argument of an RPC method may have these members too.
  const read = (of: string, name: string) => (of === trigger ? readText(event, name) : undefined);
  const tags = {
    ...{ trigger, entrypoint, method },
    cron: read("scheduled", "cron"),
    queue: read("queue", "queue"),
    retry: read("alarm", "retryCount"),
    "durable object": readObjectId(owner),
  };
  const facts: Facts = { how: "uncaught", request, tags };
  return new Invocation({
    owner,
    options: resolveOptions(options, readProperty(owner, "env") ?? getBindings()),
    retries: Number(read("alarm", "retryCount") ?? 0),
    trace: request ? readTrace(request.headers.get("traceparent")) : createTrace(),
    facts,
    waitUntil(task) {
      const wait = readProperty(context, "waitUntil");
      if (typeof wait === "function") wait.call(context, task);
      else waitUntil(task);
    },
  });
}

/** Only the state of a Durable Object has an id. */
function readObjectId(owner: object): string | undefined {
  return readText(readProperty(owner, "ctx"), "id");
}

function readText(target: unknown, name: string): string | undefined {
  const value = readProperty(target, name);
  return value === undefined ? undefined : String(value);
}

/** The DSN of `ERRATA_DSN`. With a service binding `ERRATA`, reports do not leave the account. */
function resolveOptions<Env>(options: Options<Env>, env: unknown): WorkerOptions {
  const own = typeof options === "function" ? options(env as Env) : options;
  const errata = readProperty(env, "ERRATA") as { readonly fetch: typeof fetch } | undefined;
  const version = readProperty(readProperty(env, "CF_VERSION_METADATA"), "id");
  return {
    ...own,
    dsn: own.dsn ?? (readProperty(env, "ERRATA_DSN") as string | undefined),
    release: own.release ?? (version as string | undefined),
    fetch: own.fetch ?? (errata && ((url, init) => errata.fetch(url, init))),
  };
}

async function answer(
  invocation: Invocation,
  request: Request,
  isInner: boolean,
  call: () => unknown,
): Promise<unknown> {
  const page = { url: request.url, isInner };
  const { respond } = invocation.setup.options as WorkerOptions;
  try {
    const response = await invocation.run(call);
    return response instanceof Response ? addPageFacts(response, invocation, page) : response;
  } catch (thrown) {
    const { named } = invocation;
    if (respond === undefined || named === undefined) throw thrown;
    return addPageFacts(await respond(named, request), invocation, page);
  }
}
