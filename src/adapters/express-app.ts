/** Finds out whether an Express application answers failures itself. */

import { readProperty } from "../core/read-property.ts";
import type { ExpressRequest } from "./express-request.ts";

/**
 * True if no error middleware of the application is behind this one and answers for the path.
 * Without a known router it is false: whatever is there answers.
 */
export function isLastErrorMiddleware(middleware: unknown, req: ExpressRequest): boolean {
  const layers = listLayers(req.app);
  const index = layers.findLastIndex(({ handle }) => handle === middleware);
  return index !== -1 && !layers.slice(index + 1).some((layer) => answersErrors(layer, req.path));
}

/** A layer of the router of Express. */
interface Layer {
  readonly handle?: unknown;
  match?(path: string): unknown;
}

let hasWarned = false;

function listLayers(app: unknown): readonly Layer[] {
  // The getter of Express 4 throws.
  const router = readProperty(app, "router") ?? readProperty(app, "_router");
  const stack = readProperty(router, "stack");
  if (Array.isArray(stack)) return stack;
  if (!hasWarned)
    console.warn("errata: unknown version of Express. Its own page answers failures.");
  hasWarned = true;
  return [];
}

function answersErrors(layer: Layer, path: string): boolean {
  const { handle } = layer;
  if (typeof handle !== "function" || handle.length !== 4) return false;
  return layer.match === undefined || Boolean(layer.match(path));
}
