/**
 * Promises that loaders return. If one fails that `<Await errorElement>` shows, React Router renders
 * the element and tells nobody: React's `onError` sees no error.
 */

import { hasProperties } from "../core/read-property.ts";

/** `loaderData` has the data of each route, whose members are promises. */
const MAX_DEPTH = 4;
const MAX_VALUES = 1_000;

/** Calls `report` when a promise in the data fails. It does not read getters. */
export function watchPromises(data: unknown, report: (error: unknown) => void): void {
  const found: (readonly [value: unknown, depth: number])[] = [[data, 0]];
  for (const [value, depth] of found) {
    if (value instanceof Promise) {
      value.catch(report);
      continue;
    }
    if (depth === MAX_DEPTH || !hasProperties(value) || !isPlain(value)) continue;
    for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value)))
      if (hasProperties(member) && found.length < MAX_VALUES) found.push([member, depth + 1]);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
