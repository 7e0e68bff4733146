/**
 * The registry's object: one for the whole of Errata. It holds the registry as one value, decides every change of it, and keeps the
 * audit log. Each change is copied into KV, where requests everywhere read it; one that has lost its storage begins with that copy.
 */
import { DurableObject } from "cloudflare:workers";
import { createHash, randomBytes } from "node:crypto";
import type { Bindings } from "../../config.ts";
import { applyRegistryChange, type RegistryChange } from "../../core/accounts/apply-change.ts";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import type { RegistryChangeResult } from "../../core/accounts/change-types.ts";
import {
  type Actor,
  getActorId,
  getActorName,
  getRoleInProject,
  hasRole,
} from "../../core/accounts/permissions.ts";
import {
  createRegistryState,
  type RegistryState as Facts,
  FIRST_PROJECT_ID,
  forgetDeletedProject,
  parseRegistryState,
  toRestoredState,
} from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import type { AuditedAction } from "../../core/ports/accounts-port.ts";
import { fail, ok } from "../../core/result.ts";
import { REGISTRY_KEY } from "../kv/keys.ts";
import type { ChangedRegistry, RegistryRpc } from "../rpc/rpc.ts";
import { AuditTable } from "./audit-table.ts";

/** KV takes one write a second per key. */
const SNAPSHOT_INTERVAL_MS = 1_100;

/** The object. Its name is `registry`. */
export class RegistryObject extends DurableObject<Bindings> implements RegistryRpc {
  #registry: Facts | undefined;
  /** As JSON. */
  #jsonChars = 0;
  readonly #auditTable: AuditTable;
  /** When the last copy into KV began. */
  #snapshotMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#auditTable = new AuditTable(ctx.storage);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS registry(n INTEGER PRIMARY KEY, body TEXT NOT NULL, stale INTEGER NOT NULL)",
    );
    ctx.blockConcurrencyWhile(async () => {
      this.#registry = this.#readStored() ?? (await this.#initialize());
    });
  }

  /** The registry, unless it is still of the version that is known. */
  readIfNewer(knownVersion: number): Facts | null {
    return this.#current.version === knownVersion ? null : this.#current;
  }

  /** Makes a change on the rights that the actor has now. */
  async applyChange(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry> {
    const nowMs = Date.now();
    const before = this.#current;
    const result = applyRegistryChange(before, actor, change, {
      nowMs,
      newSecret: createSecret,
      hash: sha256Hex,
    });
    if (!result.ok) return result;
    const { registry } = result.value;
    if (registry === before) return ok({ made: result.value });
    const body = JSON.stringify(registry);
    const reserved = isSignIn(change) ? 0 : limits.reservedRegistryChars;
    const max = limits.maxRegistryChars - reserved;
    // What makes it smaller is never too large.
    if (body.length > max && body.length > this.#jsonChars) {
      return fail({ reason: "too-many", limit: "maxRegistryChars", max });
    }
    this.#save(body, registry);
    this.#recordChange(actor, change, result.value, before, nowMs);
    this.#auditTable.deleteOtherUses(
      new Set([...registry.sessions, ...registry.tokens].map(({ id }) => id)),
    );
    await this.#scheduleSnapshot();
    return ok({ made: result.value });
  }

  /** What is about no project stands in the logs of those that the person is in: others do not learn that there is one. */
  #recordChange(
    actor: Actor | null,
    change: RegistryChange,
    { registry, subject, createdId: result, personId, action }: RegistryChangeResult,
    before: Facts,
    atMs: number,
  ): void {
    const actorFields =
      actor === null
        ? {}
        : { by: getActorName(before, actor, atMs), byId: getActorId(before, actor, atMs) };
    for (const project of listAuditProjects(change, result) ??
      listMemberProjects(registry, personId)) {
      this.#auditTable.add({ atMs, ...actorFields, project, action: action ?? change.do, subject });
    }
  }

  /** True, and noted, when the actor may do this now. */
  authorizeAction(
    actor: Actor,
    { project, requiredRole, action, subject }: AuditedAction,
  ): boolean {
    const nowMs = Date.now();
    if (!hasRole(getRoleInProject(this.#current, actor, project, nowMs), requiredRole))
      return false;
    const [by, byId] = [
      getActorName(this.#current, actor, nowMs),
      getActorId(this.#current, actor, nowMs),
    ];
    this.#auditTable.add({ atMs: nowMs, by, byId, project, action, subject });
    return true;
  }

  /** All that a deleted project had is erased. */
  async confirmErased(project: string): Promise<void> {
    const registry = forgetDeletedProject(this.#current, project);
    this.#save(JSON.stringify(registry), registry);
    await this.#scheduleSnapshot();
  }

  /** The log of a project, newest first. */
  listAuditEntries(project: string, before?: number): readonly AuditEntry[] {
    return this.#auditTable.listEntries(project, before);
  }

  /** When sessions and tokens were last used. */
  getLastUses(): Readonly<Record<string, number>> {
    return this.#auditTable.getLastUses();
  }

  /** Notes that one was. */
  recordUse(id: string): void {
    this.#auditTable.recordUse(id, Date.now());
  }

  override async alarm(): Promise<void> {
    await this.#writeSnapshot();
  }

  get #current(): Facts {
    if (this.#registry === undefined) throw new Error("the registry is not open yet");
    return this.#registry;
  }

  #readStored(): Facts | undefined {
    const [row] = this.ctx.storage.sql.exec<{ body: string }>("SELECT body FROM registry");
    if (row === undefined) return undefined;
    this.#jsonChars = row.body.length;
    return parseRegistryState(JSON.parse(row.body)) ?? undefined;
  }

  /** What KV knows of an earlier life, else one with nobody in it. KV that does not answer stops it: nothing is written over. */
  async #initialize(): Promise<Facts> {
    const snapshot = parseRegistryState(await this.env.KV.get(REGISTRY_KEY, "json"));
    const registry = snapshot
      ? toRestoredState(snapshot)
      : createRegistryState(createSecret(), Date.now());
    this.#save(JSON.stringify(registry), registry);
    return registry;
  }

  #save(body: string, registry: Facts): void {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO registry VALUES (1, ?, 1)", body);
    this.#registry = registry;
    this.#jsonChars = body.length;
  }

  /** At once behind the answer, or as soon as KV takes another write of the same key. The alarm sees to what is not copied then. */
  async #scheduleSnapshot(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + SNAPSHOT_INTERVAL_MS);
    if (Date.now() - this.#snapshotMs >= SNAPSHOT_INTERVAL_MS)
      this.ctx.waitUntil(this.#writeSnapshot());
  }

  /** A copy that KV refuses is tried again; until then requests elsewhere ask the object. */
  async #writeSnapshot(): Promise<void> {
    const [row] = this.ctx.storage.sql.exec<{ body: string; stale: number }>(
      "SELECT body, stale FROM registry",
    );
    if (row === undefined || row.stale === 0) return;
    this.#snapshotMs = Date.now();
    try {
      await this.env.KV.put(REGISTRY_KEY, row.body);
      this.ctx.storage.sql.exec("UPDATE registry SET stale = 0 WHERE body = ?", row.body);
    } catch (error) {
      console.warn("the registry is not copied yet", String(error));
      await this.ctx.storage.setAlarm(Date.now() + 10 * SNAPSHOT_INTERVAL_MS);
    }
  }
}

function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The project that a change is about; undefined for what is about a person. */
function listAuditProjects(
  change: RegistryChange,
  result: string | undefined,
): readonly string[] | undefined {
  // What is said of a project that is no more is read where the desk is at home.
  if (change.do === "delete-project") return [FIRST_PROJECT_ID];
  if ("project" in change) return [change.project];
  return change.do === "create-project" && result !== undefined ? [result] : undefined;
}

function listMemberProjects({ memberships }: Facts, person: string | undefined): readonly string[] {
  return memberships.filter((one) => one.person === person).map(({ project }) => project);
}

/** Whoever comes in has room that others cannot use up. */
function isSignIn(change: RegistryChange): boolean {
  return (
    change.do === "sign-in-with-code" ||
    change.do === "sign-in-with-passkey" ||
    change.do === "access-sign-in"
  );
}
