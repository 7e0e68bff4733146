/** What the adapter for Hono knows of a request: its trace, its failures and where they happened. */

import { readTrace } from "./page-facts.ts";
import { type Facts, getErrata, type Named } from "./server.ts";

/** What the adapter uses of Hono's context. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    readonly routeIndex?: number;
    readonly matchedRoutes?: readonly { readonly path: string }[];
  };
  readonly env: unknown;
  readonly executionCtx: { waitUntil(sending: Promise<unknown>): void };
  readonly finalized: boolean;
  error: Error | undefined;
  get res(): Response;
  set res(response: Response | undefined);
  header(name: string, value: string): void;
  body(data: string, status: 500, headers: Record<string, string>): Response;
  newResponse(data: ReadableStream | null, init: Response): Response;
}

/** The facts of one request. */
export interface ServedContext {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** The outermost application with the adapter. */
  app?: object;
  /** Set when the response begins. */
  status?: number;
  /** The first failure that was named. */
  handled?: Named;
  /** The policy of the notice that this adapter has answered with. */
  noticePolicy?: string | undefined;
  /** Failures that the end of the page shows, by digest. */
  shown?: Map<string, Named>;
}

const served = new WeakMap<object, ServedContext>();

/** True if a part of the adapter has seen the request before. */
export function isServed(c: HonoContext): boolean {
  return served.has(c);
}

/** The facts of a request, the same for all parts of the adapter. */
export function getServed(c: HonoContext): ServedContext {
  const known = served.get(c);
  if (known !== undefined) return known;
  const facts = { trace: readTrace(c.req.raw.headers.get("traceparent")) };
  served.set(c, facts);
  return facts;
}

/** The visitor has gone: what fails now is not shown, and often fails because of that. */
export function isAborted(c: HonoContext): boolean {
  // Not every runtime gives a request a signal.
  return c.req.raw.signal?.aborted === true;
}

/**
 * Stands for a thrown value that is not an error, which is its cause: Hono calls `onError` for
 * errors alone.
 */
export class ThrownValue extends Error {
  override name = "ThrownValue";

  constructor(thrown: unknown) {
    super("The thrown value is not an Error.", { cause: thrown });
  }
}

/** What the application threw. */
export function toThrown(error: unknown): unknown {
  return error instanceof ThrownValue ? error.cause : error;
}

/** The digest of a failure, for a page of the application's own. Reports it once. Never throws. */
export function nameFailure(error: unknown, c: HonoContext, facts: Facts = {}): Named {
  const request = getServed(c);
  const { trace, status = 500 } = request;
  const { method, url, headers } = c.req.raw;
  const named = getErrata().name(
    toThrown(error),
    {
      how: "handler",
      request: { method, url, headers },
      route: findRoute(c),
      status,
      trace,
      ...facts,
    },
    { scope: c, waitUntil: (sending) => c.executionCtx.waitUntil(sending) },
  );
  request.handled ??= named;
  return named;
}

/** The pattern of the handler, also if a middleware before it fails. */
function findRoute({ req: { matchedRoutes = [], routeIndex = 0 } }: HonoContext) {
  const paths = matchedRoutes.slice(routeIndex).map(({ path }) => path);
  return paths.find((path) => !path.endsWith("*")) ?? paths[0];
}
