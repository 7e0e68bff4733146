/** What a visitor is shown in place of an error whose message a framework would show. */

import { readProperty } from "../core/read-property.ts";

/** The message: it names the digest, and nothing of the failure. */
export function formatShownMessage(digest: string): string {
  return `Internal Error. Digest: ${digest}`;
}

const originals = new WeakMap<object, unknown>();

/** An error with this message. If it is thrown again, `findOriginal` finds what it stands for. */
export function createShownError(digest: string, original?: unknown): Error {
  const shown = new Error(formatShownMessage(digest));
  originals.set(shown, original);
  return shown;
}

/** The error behind one of `createShownError`; any other value itself. */
export function findOriginal(thrown: unknown): unknown {
  return originals.get(Object(thrown)) ?? thrown;
}

/** True where the framework's development server shows errors to the developer. */
export function isDevelopment(): boolean {
  const env = readProperty(readProperty(globalThis, "process"), "env");
  return readProperty(env, "NODE_ENV") === "development";
}
