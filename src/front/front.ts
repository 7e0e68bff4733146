/**
 * `errata/front`: stands in front of a site and adds Errata to its pages without a change of the
 * site: the reporter's tag, page tokens, and a digest on failed pages. What it does not understand
 * passes as it is, and no failure of its own reaches a visitor.
 */

import { type Dsn, parseDsn } from "../adapters/dsn.ts";
import { sha256 } from "../adapters/sha256.ts";
import { signPageToken } from "../auth/page-token-hmac.ts";
import { toHex } from "../core/hex.ts";
import { type Dress, PageDresser } from "./dress-page.ts";
import { FailureSender } from "./failure-report.ts";
import { answerOwnPath, type Desk, readOwnPath } from "./own-paths.ts";

/** Configuration. Each is read from the Worker's environment unless given. */
export interface FrontOptions {
  /**
   * `ERRATA_DSN`: `https://errata_server_…@errata.example/1`. Without it, nothing is added to any
   * page.
   */
  readonly dsn?: string | undefined;
  /** `ERRATA`: a service binding to Errata. Without it, Errata is asked by its URL. */
  readonly errata?: { readonly fetch: typeof fetch } | undefined;
  /** `ERRATA_PATH`: the path of the site that gets the browsers' reports. `/monitoring`. */
  readonly path?: string | undefined;
  /** `ERRATA_RELEASE`. */
  readonly release?: string | undefined;
  /** `ERRATA_ENVIRONMENT`. */
  readonly environment?: string | undefined;
  /**
   * `ERRATA_SAMPLE`: the share of page views whose browsers report, 1. With 0, pages get no tag: their
   * application starts the reporter itself.
   */
  readonly sample?: number | undefined;
  /** `ERRATA_FETCHES`, `on`: browsers report the failed requests of pages, too. */
  readonly fetches?: boolean | undefined;
  /** `ERRATA_FRAMES`, `off`: pages in frames stay as they are. */
  readonly frames?: boolean | undefined;
  /**
   * `ERRATA_SEARCHED_SHARE`: the share of good pages that are read to their end, to find failures
   * behind a status of 200. 0.01.
   */
  readonly searchedShare?: number | undefined;
  readonly nowMs?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
}

/** The context of a request in a Worker. */
export interface FrontContext {
  waitUntil(work: Promise<unknown>): void;
}

/** The `fetch` of a Worker. */
export type FetchHandler = (
  request: Request,
  env: never,
  context: never,
) => Response | Promise<Response>;

/**
 * The handlers of a Worker, with Errata in front of its `fetch`. An error that `fetch` throws is
 * passed on: it is the Worker's own.
 *
 * ```ts
 * export default front({ fetch: (request, env) => respond(request, env) });
 * ```
 */
export function front<H extends { readonly fetch: FetchHandler }>(
  handlers: H,
  options: FrontOptions = {},
): H {
  const askSite = handlers.fetch as unknown as SiteFetch;
  // An isolate has one environment.
  const fronts = new WeakMap<object, Front | "none">();
  const findFront = (env: object = NO_ENVIRONMENT): Front | undefined => {
    let found = fronts.get(env);
    if (found === undefined) {
      const given = withoutUndefined(options);
      found = attempt(() => createFront({ ...readEnvironment(env), ...given })) ?? "none";
      fronts.set(env, found);
    }
    return found === "none" ? undefined : found;
  };
  const fetch: SiteFetch = async (request, env, context) => {
    const own = findFront(env);
    const url = attempt(() => new URL(request.url));
    if (own === undefined || url === undefined || url.origin === own.desk.origin)
      return askSite.call(handlers, request, env, context);
    const rest = readOwnPath(url.pathname, own.path);
    if (rest !== undefined) return answerOwnPath(request, rest, own.desk);
    const response = await askSite.call(handlers, request, env, context);
    try {
      return await own.dresser.dress(request, url, response, (work) => context.waitUntil(work));
    } catch {
      return response;
    }
  };
  return { ...handlers, fetch };
}

type SiteFetch = (
  request: Request,
  env: object | undefined,
  context: FrontContext,
) => Response | Promise<Response>;

/** The front of a site, made from its configuration. */
interface Front {
  readonly path: string;
  readonly desk: Desk;
  readonly dresser: PageDresser;
}

const NO_ENVIRONMENT = {};

function readEnvironment(env: object): FrontOptions {
  const values = env as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = values[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const share = (name: string) => {
    const number = Number(text(name) ?? Number.NaN);
    return number >= 0 && number <= 1 ? number : undefined;
  };
  const errata = values.ERRATA as FrontOptions["errata"];
  return {
    dsn: text("ERRATA_DSN"),
    errata: typeof errata?.fetch === "function" ? errata : undefined,
    path: text("ERRATA_PATH"),
    release: text("ERRATA_RELEASE"),
    environment: text("ERRATA_ENVIRONMENT"),
    sample: share("ERRATA_SAMPLE"),
    fetches: text("ERRATA_FETCHES") === "on" || undefined,
    frames: text("ERRATA_FRAMES") === "off" ? false : undefined,
    searchedShare: share("ERRATA_SEARCHED_SHARE"),
  };
}

function withoutUndefined(options: FrontOptions): FrontOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const DEFAULT_PATH = "/monitoring";
const DEFAULT_SEARCHED_SHARE = 0.01;

function createFront(options: FrontOptions): Front | undefined {
  const { errata, release, environment, nowMs = Date.now, random = Math.random } = options;
  const { sample, fetches, frames = true } = options;
  const path = options.path ?? DEFAULT_PATH;
  const dsn = parseDsn(options.dsn);
  if (dsn === undefined || !/^(?:\/[\w.~-]+)+$/.test(path)) {
    console.warn(
      "errata: ERRATA_DSN must look like https://errata_server_…@errata.example/1, and " +
        "ERRATA_PATH like /monitoring. Until then, pages pass unchanged.",
    );
    return undefined;
  }
  const ask: Desk["fetch"] = (url, init) =>
    errata === undefined ? fetch(url, init) : errata.fetch(url, init);
  const sender = new FailureSender({ dsn, shared: { release, environment }, fetch: ask, nowMs });
  const dresser = new PageDresser({
    path,
    release,
    environment,
    sample,
    fetches,
    frames,
    searchedShare: options.searchedShare ?? DEFAULT_SEARCHED_SHARE,
    report: (report) => sender.send(report),
    toReceiptUrl: (digest) => `${dsn.origin}/e/${digest}`,
    sign: createSigner(dsn, nowMs),
    nowMs,
    random,
  });
  return { path, desk: { origin: dsn.origin, project: dsn.project, fetch: ask }, dresser };
}

function createSigner({ key, project }: Dsn, nowMs: () => number): Dress["sign"] {
  const keyHash = toHex(sha256(key));
  return async ({ trace, origin, ...page }) => {
    const claims = { ...page, traceId: trace, nowMs: nowMs() };
    return signPageToken(keyHash, claims, { project, origin }).catch(() => undefined);
  };
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
