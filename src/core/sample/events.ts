/** Sentry events of the sample's faults, as `@sentry/nextjs` sends them from a server and from a browser. */
import type { Chance } from "./chance.ts";
import { type Fault, RELEASES, SHOP, SHOWN_DIGEST, type ShopFrame, USER_AGENTS } from "./shop.ts";

/** The environment that all of the sample says, and nothing else: by it the sample is removed. */
export const SAMPLE_ENVIRONMENT = "sample";

/** An event in an envelope, and the moment it happened, ms. */
export interface SampleEvent {
  readonly fault: string;
  readonly atMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;
const VISITORS = 90;

/** The release that was live `days` before the present. */
export function releaseAt(days: number): string {
  const live = RELEASES.filter(({ sinceDays }) => sinceDays >= days).at(-1);
  return (live ?? RELEASES[0]).name;
}

/** All events of a fault, `fault.times` of them. */
export function eventsOf(fault: Fault, nowMs: number, chance: Chance): readonly SampleEvent[] {
  return Array.from({ length: fault.times }, () => {
    const days = fault.toDays + chance.number() * (fault.fromDays - fault.toDays);
    const atMs = Math.round(nowMs - days * DAY_MS);
    return { fault: fault.name, atMs, payload: eventOf(fault, { atMs, days }, chance) };
  });
}

/** One event of a fault. */
export function eventOf(
  fault: Fault,
  { atMs, days }: { readonly atMs: number; readonly days: number },
  chance: Chance,
): Readonly<Record<string, unknown>> {
  const { side, type, message, isMessage, level = "error", method = "GET", plans } = fault;
  const isServer = side === "server";
  const url = `${SHOP}${chance.of(fault.paths)}`;
  const agents = fault.browsers?.map((place) => USER_AGENTS[place]) ?? USER_AGENTS;
  const visitor = chance.below(VISITORS);
  return {
    event_id: chance.id(),
    timestamp: atMs / 1000,
    platform: isServer ? "node" : "javascript",
    sdk: { name: "sentry.javascript.nextjs", version: "11.12.0" },
    level,
    release: releaseAt(days),
    environment: SAMPLE_ENVIRONMENT,
    transaction: isServer ? `${method} ${fault.route}` : fault.route,
    // Whatever a project's own faults say, these stay apart from them.
    fingerprint: ["errata-sample", fault.name],
    user: { id: `customer-${visitor}` },
    tags: plans === undefined ? {} : { plan: chance.of(plans) },
    request: { url, method, headers: { "User-Agent": chance.of(agents) } },
    contexts: contextsOf(fault, isServer),
    breadcrumbs: breadcrumbsOf(fault, atMs),
    ...(isMessage === true
      ? { message }
      : { exception: { values: exceptionsOf(fault, type, message) } }),
  };
}

function contextsOf({ name, route, componentStack }: Fault, isServer: boolean) {
  return {
    ...(isServer && { runtime: { name: "node", version: "24.11.1" } }),
    ...(isServer && { nextjs: { router_kind: "App Router", router_path: route } }),
    ...(componentStack !== undefined && { react: { componentStack } }),
    // As `extraErrorDataIntegration` adds what stands beside an error's message.
    ...(name === "price" && { TypeError: { digest: SHOWN_DIGEST } }),
  };
}

/** The cause first, as Sentry has it. */
function exceptionsOf({ cause, frames, side }: Fault, type: string, value: string) {
  const mechanism = {
    type:
      side === "server"
        ? "auto.function.nextjs.on_request_error"
        : "auto.browser.global_handlers.onerror",
    handled: false,
  };
  const stacktrace = { frames: [...frames].reverse().map(frameOf) };
  return [
    ...(cause === undefined ? [] : [{ type: cause.type, value: cause.message }]),
    { type, value, mechanism, stacktrace },
  ];
}

function frameOf([called, file, lineno, colno, source]: ShopFrame) {
  const filename = file.startsWith("http") ? file : `/srv/shop/${file}`;
  return {
    function: called,
    filename,
    lineno,
    colno,
    in_app: !file.includes("node_modules"),
    ...(source !== undefined && { context_line: source }),
  };
}

function breadcrumbsOf({ side, paths }: Fault, atMs: number) {
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
