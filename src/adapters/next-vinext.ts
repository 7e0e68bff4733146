/**
 * What vinext knows of the request that it serves. Unlike Next.js, it gives its hook the headers
 * before the proxy changed them, and has no pattern of the route while it renders.
 */

import { readProperty, readString } from "../core/read-property.ts";

/** True in a server that vinext has started. */
export function isVinext(): boolean {
  return Symbol.for("vinext.instrumentation.state") in globalThis;
}

/** A header that the proxy has added to the request. */
export function readVinextHeader(name: string): unknown {
  const headers = readProperty(readProperty(findContext(), "headersContext"), "headers");
  return headers instanceof Headers ? headers.get(name) : undefined;
}

/** The pattern of the route, `/cart/[id]`: the path with the names of its parameters. */
export function findVinextRoute(): string | undefined {
  const page = readProperty(findContext(), "serverContext");
  const path = readString(page, "pathname");
  return path && insertNames(path, Object(readProperty(page, "params")));
}

function findContext(): unknown {
  const storage = readProperty(globalThis, Symbol.for("vinext.unifiedRequestContext.als"));
  try {
    return (storage as { readonly getStore: () => unknown } | undefined)?.getStore();
  } catch {
    return undefined;
  }
}

function insertNames(path: string, params: Readonly<Record<string, unknown>>): string {
  let pattern = `${path}/`;
  for (const [name, value] of Object.entries(params)) {
    const segment = Array.isArray(value) ? `[...${name}]` : `[${name}]`;
    pattern = pattern.replace(`/${[value].flat().join("/")}/`, () => `/${segment}/`);
  }
  return pattern.slice(0, -1) || "/";
}
