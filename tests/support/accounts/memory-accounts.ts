/** Accounts in memory, with a clock of their own. Changes are applied as in the Durable Object. */

import type { RegistryState } from "#src/core/accounts/registry.ts";
import { applyRegistryChange } from "#src/core/accounts/registry-changes.ts";
import type { AccountStore } from "#src/core/ports/accounts-port.ts";
import { toSha256 } from "./memory-registry.ts";

let secrets = 0;

/** The store, and a function that reads its state. */
export function createMemoryAccounts(
  base: AccountStore,
  { state: initial, nowMs }: { readonly state: RegistryState; readonly nowMs: () => number },
): AccountStore {
  let state = initial;
  return {
    ...base,
    readCopy: async () => state,
    readFresh: async () => state,
    async applyChange(actor, change) {
      const result = applyRegistryChange(state, actor, change, {
        nowMs: nowMs(),
        newSecret: () => toSha256(`secret ${secrets++}`).slice(0, 43),
        hash: toSha256,
      });
      if (result.ok) state = result.value.registry;
      return result;
    },
  };
}
