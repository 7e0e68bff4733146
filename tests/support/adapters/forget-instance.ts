/**
 * Forgets the instance of `errata/server` after each test. It is global, because the bundles of an
 * application share it, and the files of tests share the globals of a process.
 */
import { afterEach } from "vitest";
import { SERVER } from "#src/adapters/shown-digest.ts";

afterEach(() => {
  Reflect.deleteProperty(globalThis, SERVER);
});
