/**
 * `errata/nuxt/nitro`: the plugin of Nitro. It names the failures of API routes, server middleware
 * and pages, and tells a page its trace and its token.
 */

import { readProperty } from "../core/read-property.ts";
import { addEventFacts, getEventFacts, type NuxtEvent } from "./nuxt-event.ts";
import { type NuxtError, nameNuxtError } from "./nuxt-failure.ts";
import { wantsPage } from "./problem.ts";
import { getErrata } from "./server.ts";

/** What the plugin uses of Nitro. */
interface NitroApp {
  readonly hooks: {
    hook(name: "request", run: (event: NuxtEvent) => Promise<void>): unknown;
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
  hooks.hook("request", describePage);
  hooks.hook("error", nameError);
}

async function describePage(event: NuxtEvent): Promise<void> {
  if (!isKnownEvent(event)) return;
  const { accept, host, "x-forwarded-proto": forwarded } = event.node.req.headers;
  if (!wantsPage(String(accept))) return;
  const isEncrypted = readProperty(readProperty(event.node.req, "socket"), "encrypted") === true;
  // Each proxy adds its own.
  const protocol = forwarded?.toString().split(",")[0] ?? (isEncrypted ? "https" : "http");
  const { trace = "" } = getEventFacts(event);
  addEventFacts(event, {
    token: await getErrata().sign({ trace, origin: `${protocol}://${host}` }),
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
