/** Page tokens of Errata's own pages, with the clock of the tests. */

import { createPageTokens, type PageTokens } from "#src/auth/page-tokens.ts";
import type { RegistryState } from "#src/core/accounts/registry.ts";
import { TEST_SERVER_KEY } from "#support/http/visit.ts";
import { NOW_MS } from "#support/store/store.ts";
import { toSha256 } from "./memory-registry.ts";

/** A registry without keys. */
export const emptyRegistry = {
  readCopy: async () => ({ keys: [] }) as unknown as RegistryState,
};

/** The service of a Worker with a server key, at a time relative to that of the tests. */
export function createTestPageTokens(key: string, offsetMs = 0): PageTokens {
  return createPageTokens({
    configuredKeyHash: toSha256(key),
    registry: emptyRegistry,
    nowMs: () => NOW_MS + offsetMs,
  });
}

/** The service of a Worker with the server key of the tests. */
export const pageTokens = createTestPageTokens(TEST_SERVER_KEY);
