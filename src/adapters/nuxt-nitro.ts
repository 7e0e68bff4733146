/**
 * `errata/nuxt/nitro`: the plugin of Nitro. It names the failures of API routes, server middleware
 * and pages, and tells a page its trace and its token.
 */

import { readProperty } from "../core/read-property.ts";
import { addEventFacts, getEventFacts, type NuxtEvent } from "./nuxt-event.ts";
import { type NuxtError, nameNuxtError } from "./nuxt-failure.ts";
import { describePage } from "./page-headers.ts";
import { addTokenToReports } from "./page-policy.ts";
import { wantsPage } from "./problem.ts";
import { getErrata, type ServedPage } from "./server.ts";

/** What the plugin uses of Nitro. */
interface NitroApp {
  readonly hooks: {
    hook(name: "request", run: (event: NuxtEvent) => Promise<void>): unknown;
    hook(name: "beforeResponse", run: (event: NuxtEvent) => Promise<void>): unknown;
    hook(name: "error", run: (error: unknown, context: ErrorContext) => void): unknown;
  };
}

/** What Nitro says of an error. */
interface ErrorContext {
  /** Missing if no request failed. */
  readonly event?: NuxtEvent;
  /** `unhandledRejection`, `cache`. */
  readonly tags?: readonly string[];
}

/** The plugin. */
export default function plugin({ hooks }: NitroApp): void {
  hooks.hook("request", signRequest);
  hooks.hook("beforeResponse", provePolicy);
  hooks.hook("error", nameError);
}

async function signRequest(event: NuxtEvent): Promise<void> {
  if (!isKnownEvent(event)) return;
  if (!wantsPage(String(event.node.req.headers.accept))) return;
  await signPage(event, {});
}

/** The policy of a page is known with its other headers. The page of an error has no such hook. */
async function provePolicy(event: NuxtEvent): Promise<void> {
  if (!isKnownEvent(event) || event.context.errata?.token === undefined) return;
  const { res } = event.node;
  const read = (name: string) => res.getHeader?.(name);
  const page = describePage(read);
  if (res.headersSent || page?.policy === undefined) return;
  await signPage(event, page);
  const { token } = getEventFacts(event);
  // The token in Server-Timing is this one.
  const others = (name: string) => (name === "server-timing" ? undefined : read(name));
  for (const [name, value] of addTokenToReports(token, others, getErrata()))
    res.setHeader(name, value);
}

async function signPage(
  event: NuxtEvent,
  page: Pick<ServedPage, "isShared" | "policy">,
): Promise<void> {
  const { host, "x-forwarded-proto": forwarded } = event.node.req.headers;
  const isEncrypted = readProperty(readProperty(event.node.req, "socket"), "encrypted") === true;
  // Each proxy adds its own.
  const protocol = forwarded?.toString().split(",")[0] ?? (isEncrypted ? "https" : "http");
  const { trace = "" } = getEventFacts(event);
  addEventFacts(event, {
    token: await getErrata().sign({ trace, origin: `${protocol}://${host}`, ...page }),
  });
}

function nameError(error: unknown, { event, tags = [] }: ErrorContext): void {
  const status = readProperty(error, "statusCode");
  if (event === undefined || typeof status !== "number" || !isKnownEvent(event)) {
    const { digest } = getErrata().name(error, { how: tags[0] ?? "server" });
    console.error(digest, error);
  } else if (status >= 500 && !hasVisitorLeft(event)) {
    const how = event.context.errata?.thrown === undefined ? "handler" : "render";
    nameNuxtError(error as NuxtError, event, { how, status });
  }
}

function hasVisitorLeft(event: NuxtEvent): boolean {
  return readProperty(event.node.res, "closed") === true;
}

let hasWarned = false;

/** False for versions whose events have another shape. Their failures are reported, not shown. */
function isKnownEvent(event: NuxtEvent): boolean {
  const response = readProperty(readProperty(event, "node"), "res");
  const isKnown = typeof readProperty(response, "setHeader") === "function";
  if (!isKnown && !hasWarned)
    console.warn("errata: this version of Nitro is not known. Its pages show no digest.");
  hasWarned ||= !isKnown;
  return isKnown;
}
