/** A registry in memory, for tests of its changes. */
import { createHash } from "node:crypto";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { RegistryChangeDeps } from "#src/core/accounts/define-change.ts";
import { createRegistryState, REGISTRY, type RegistryState } from "#src/core/accounts/registry.ts";
import { applyRegistryChange, type RegistryChange } from "#src/core/accounts/registry-changes.ts";

export const NOW_MS = Date.UTC(2026, 10, 22, 9);
export const HOUR_MS = 3_600_000;
export const LOCAL: Actor = { kind: "local" };
/** The setup code of the deployment. */
export const SETUP = { hash: toSha256("setup"), expiresMs: NOW_MS + HOUR_MS };

/** SHA-256 in hex. */
export function toSha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

let secretCount = 0;
const createDeps = (nowMs = NOW_MS): RegistryChangeDeps => ({
  nowMs,
  newSecret: () => createHash("sha256").update(`secret ${secretCount++}`).digest("base64url"),
  hash: toSha256,
});

/**
 * A registry that applies changes one after another, like the Durable Object. Throws if a change
 * makes one that the schema of the stored registry does not accept.
 */
export class TestRegistry {
  state: RegistryState = createRegistryState("secret", NOW_MS);
  atMs = NOW_MS;

  tryChange(actor: Actor | null, change: RegistryChange) {
    const result = applyRegistryChange(this.state, actor, change, createDeps(this.atMs));
    if (!result.ok) return result;
    const checked = REGISTRY.check(result.value.registry);
    if (checked.kind === "damaged") throw new Error(`${change.do}: ${checked.problem}`);
    this.state = result.value.registry;
    return result;
  }

  change(actor: Actor | null, change: RegistryChange) {
    const result = this.tryChange(actor, change);
    if (!result.ok) throw new Error(`${change.do}: ${result.reason}`);
    return result.value;
  }

  signIn(code: string, more: object = {}): Actor {
    const change = {
      do: "sign-in-with-code",
      hash: toSha256(code),
      userAgent: "Firefox",
      ...more,
    } as const;
    const { sessionId = "" } = this.change(null, change);
    return { kind: "session", id: sessionId };
  }

  invite(by: Actor, role: "viewer" | "member" | "owner", project = "1"): Actor {
    const { secrets: [code = ""] = [] } = this.change(by, { do: "invite", project, role });
    return this.signIn(code, { name: `${role} ${this.state.people.length}` });
  }
}

/** A registry in which only the deployer has signed in. */
export const setUp = () => {
  const registry = new TestRegistry();
  return { registry, deployer: registry.signIn("setup", { setup: SETUP, name: "Deployer" }) };
};
