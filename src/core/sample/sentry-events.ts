/** Sentry events of the sample errors, as `@sentry/nextjs` sends them from servers and browsers. */

import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import { DAY_MS } from "../utc-time.ts";
import {
  NOTICE_DIGEST,
  SAMPLE_USER_AGENTS,
  type SampleError,
  SHOP_ORIGIN,
  SHOP_RELEASES,
  type ShopFrame,
} from "./sample-shop.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** An event of an envelope, and when it occurred, ms. */
export interface SampleEvent {
  readonly errorName: string;
  readonly atMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

const USER_COUNT = 90;

/** The release that was live `days` ago. */
export function findReleaseAt(days: number): string {
  const live = SHOP_RELEASES.filter(({ sinceDays }) => sinceDays >= days).at(-1);
  return (live ?? SHOP_RELEASES[0]).name;
}

/** All events of an error, `error.eventCount` of them. */
export function createEvents(
  error: SampleError,
  nowMs: number,
  random: SeededRandom,
): readonly SampleEvent[] {
  return Array.from({ length: error.eventCount }, () => {
    const days = error.toDays + random.nextFloat() * (error.fromDays - error.toDays);
    const atMs = Math.round(nowMs - days * DAY_MS);
    return { errorName: error.name, atMs, payload: createEvent(error, { atMs, days }, random) };
  });
}

export function createEvent(
  error: SampleError,
  { atMs, days }: { readonly atMs: number; readonly days: number },
  random: SeededRandom,
): Readonly<Record<string, unknown>> {
  const { side, type, message, isMessage, level = "error", method = "GET", plans } = error;
  const isServer = side === "server";
  const url = `${SHOP_ORIGIN}${random.pick(error.paths)}`;
  const agents =
    error.userAgentIndexes?.map((index) => SAMPLE_USER_AGENTS[index]) ?? SAMPLE_USER_AGENTS;
  const user = random.nextInt(USER_COUNT);
  return {
    event_id: random.nextHexId(),
    timestamp: atMs / 1000,
    platform: isServer ? "node" : "javascript",
    sdk: { name: "sentry.javascript.nextjs", version: "11.12.0" },
    level,
    release: findReleaseAt(days),
    environment: SAMPLE_ENVIRONMENT,
    transaction: isServer ? `${method} ${error.route}` : error.route,
    // Keeps sample issues separate from a project's own.
    fingerprint: ["errata-sample", error.name],
    user: { id: `customer-${user}` },
    tags: plans === undefined ? {} : { plan: random.pick(plans) },
    request: { url, method, headers: { "User-Agent": random.pick(agents) } },
    contexts: createContexts(error, isServer),
    breadcrumbs: createBreadcrumbs(error, atMs),
    ...(isMessage === true
      ? { message }
      : { exception: { values: createExceptions(error, type, message) } }),
  };
}

function createContexts({ name, route, componentStack }: SampleError, isServer: boolean) {
  return {
    ...(isServer && { runtime: { name: "node", version: "24.11.1" } }),
    ...(isServer && { nextjs: { router_kind: "App Router", router_path: route } }),
    react: componentStack === undefined ? undefined : { componentStack },
    // `extraErrorDataIntegration` adds custom properties of an error like this.
    ...(name === "price" && { TypeError: { digest: NOTICE_DIGEST } }),
  };
}

/** Causes first, as Sentry orders them. */
function createExceptions({ cause, frames, side }: SampleError, type: string, value: string) {
  const mechanism = {
    type:
      side === "server"
        ? "auto.function.nextjs.on_request_error"
        : "auto.browser.global_handlers.onerror",
    handled: false,
  };
  const stacktrace = { frames: [...frames].reverse().map(createSentryFrame) };
  return [
    ...(cause === undefined ? [] : [{ type: cause.type, value: cause.message }]),
    { type, value, mechanism, stacktrace },
  ];
}

function createSentryFrame([functionName, file, lineno, colno, source]: ShopFrame) {
  const filename = file.startsWith("http") ? file : `/srv/shop/${file}`;
  return {
    function: functionName,
    filename,
    lineno,
    colno,
    in_app: !file.includes("node_modules"),
    context_line: source,
  };
}

function createBreadcrumbs({ side, paths }: SampleError, atMs: number) {
  const at = (secondsBefore: number) => atMs / 1000 - secondsBefore;
  if (side === "server") {
    return [
      {
        timestamp: at(0.9),
        category: "http",
        data: { method: "GET", url: "https://stock.tea.example/v2/levels", status_code: 200 },
      },
      { timestamp: at(0.2), category: "query", message: "select * from lines where basket = $1" },
    ];
  }
  return [
    { timestamp: at(41), category: "navigation", data: { from: "/", to: paths[0] } },
    {
      timestamp: at(6.5),
      category: "fetch",
      data: { method: "GET", url: "/api/basket", status_code: 200 },
    },
    { timestamp: at(1.2), category: "ui.click", message: "button.add-to-basket" },
  ];
}
