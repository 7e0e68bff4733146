/** `errata/react/server`: the options with which `react-dom/server` reports and names failures. */

import { readProperty } from "../core/read-property.ts";
import { getErrata, isFailure, type NameOptions } from "./server.ts";
import type { Facts } from "./wire-report.ts";

/** Options of `renderToPipeableStream`, `renderToReadableStream` and `prerender`. */
export interface ReactServerOptions {
  readonly onError: (
    error: unknown,
    info?: { readonly componentStack?: string | undefined },
  ) => string | undefined;
}

/**
 * The option `onError` for the render of one page. React writes the digest that it returns into the
 * markup of a failed boundary. The failure of the shell has the same digest: `getErrata().find`.
 */
export function createServerOptions(facts: Facts = {}, options?: NameOptions): ReactServerOptions {
  return {
    onError(error, info) {
      if (!isFailure(error) || isDisconnect(error)) return undefined;
      const componentStack = info?.componentStack;
      return getErrata().name(error, { how: "render", componentStack, ...facts }, options).digest;
    },
  };
}

/** The visitor left. Source: react-dom, ReactDOMFizzServerNode.js, `pipe`. */
function isDisconnect(error: unknown): boolean {
  return readProperty(error, "message") === "The destination stream closed early.";
}
