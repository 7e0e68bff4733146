/**
 * Who sends a request: what it proves, looked up in the registry. A token is looked at before anything else, then Cloudflare Access,
 * then the session; a request that shows one of them and is wrong is nobody's, whatever it shows besides.
 */
import { hexOf } from "../core/hex.ts";
import { limits } from "../core/limits.ts";
import type { Registry } from "../core/registry/registry.ts";
import { type Actor, isKnown, nameOf, personOf, projectsOf } from "../core/registry/rights.ts";
import { TOKEN_START } from "../core/registry/token-changes.ts";
import { ACCESS_HEADER } from "../doors/access.ts";
import { isLocal } from "./local.ts";
import type { AppContext, Visitor } from "./services.ts";
import { sealedSession, sessionIdOf } from "./session-cookie.ts";

/** Who sends it; null for a stranger. Rejects while the registry, or the keys of Access, cannot be had. */
export async function visitorOf(c: AppContext): Promise<Visitor | null> {
  const { registry, nowMs } = c.get("services");
  const found = await actorOf(c);
  if (found === null) return null;
  const { actor, known } = found;
  const seen = known ?? (await registry.copy());
  return {
    actor,
    person: personOf(seen, actor, nowMs()),
    name: nameOf(seen, actor, nowMs()),
    projects: projectsOf(seen, actor, nowMs()),
  };
}

interface Found {
  readonly actor: Actor;
  /** The registry that knows it. */
  readonly known?: Registry;
}

async function actorOf(c: AppContext): Promise<Found | null> {
  const { config } = c.get("services");
  const token = bearer(c);
  if (token !== undefined) return byToken(c, token);
  const assertion = c.req.header(ACCESS_HEADER);
  if (config.access !== undefined && assertion !== undefined) return byAccess(c, assertion);
  const session = sealedSession(c);
  const found = session === undefined ? null : await bySession(c, session);
  if (found !== null) return found;
  return config.isLocalOpen && isLocal(c.req.raw) ? { actor: { is: "local" } } : null;
}

/** Of `Authorization: Bearer errata_…`; ingest keys stand in the same header. */
function bearer(c: AppContext): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  return token?.startsWith(TOKEN_START) ? token : undefined;
}

async function byToken(c: AppContext, token: string): Promise<Found | null> {
  const { registry, sha256 } = c.get("services");
  if (token.length > limits.maxCredentialChars) return null;
  const actor = { is: "token", hash: hexOf(sha256(token)) } as const;
  const known = await knowing(c, actor);
  const used = known?.tokens.find(({ hash }) => hash === actor.hash);
  if (known === null || used === undefined) return null;
  registry.used(used.id);
  return { actor, known };
}

async function byAccess(c: AppContext, assertion: string): Promise<Found | null> {
  const { registry, verifyAccess } = c.get("services");
  const said = await verifyAccess(assertion);
  if (said === null) return null;
  // Mail servers tell cases apart in theory, identity providers mean one person.
  const name = said.toLowerCase();
  const actor = { is: "access", name } as const;
  const known = await knowing(c, actor, name);
  if (known !== null) return { actor, known };
  // Access has let somebody through who was not here before.
  const arrived = await registry.change(null, { do: "arrive", name });
  return arrived.ok ? { actor } : null;
}

async function bySession(c: AppContext, sealed: string): Promise<Found | null> {
  const { registry } = c.get("services");
  const id = sessionIdOf(sealed, (await registry.copy()).secret);
  if (id === null) return null;
  const actor = { is: "session", id } as const;
  const known = await knowing(c, actor, id);
  if (known === null) return null;
  registry.used(id);
  return { actor, known };
}

/** The registry that knows an actor: the copy, or as it is now for one that is newer than the copy; null where nobody does. */
async function knowing(c: AppContext, actor: Actor, provedName?: string): Promise<Registry | null> {
  const { registry, nowMs } = c.get("services");
  const copy = await registry.copy();
  if (isKnown(copy, actor, nowMs())) return copy;
  const now = await registry.now(provedName);
  return isKnown(now, actor, nowMs()) ? now : null;
}
