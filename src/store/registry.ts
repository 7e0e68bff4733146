/**
 * The registry's object: one for the whole of Errata. It holds the registry as one value, decides every change of it, and keeps the
 * audit log. Each change is copied into KV, where requests everywhere read it; one that has lost its storage begins with that copy.
 */
import { DurableObject } from "cloudflare:workers";
import { createHash, randomBytes } from "node:crypto";
import { limits } from "../core/limits.ts";
import type { AuditEntry } from "../core/registry/audit.ts";
import { changed, type Made, type RegistryChange } from "../core/registry/change.ts";
import type { Deed } from "../core/registry/port.ts";
import {
  type Registry as Facts,
  FIRST_PROJECT,
  newRegistry,
  restored,
  storedRegistry,
  withoutDeleted,
} from "../core/registry/registry.ts";
import { type Actor, idOf, nameOf, reaches, roleIn } from "../core/registry/rights.ts";
import { fail, ok } from "../core/result.ts";
import type { Bindings } from "../env.ts";
import { AuditTable } from "./audit-table.ts";
import { REGISTRY_KEY } from "./keys.ts";
import type { ChangedRegistry, RegistryRpc } from "./rpc.ts";

/** KV takes one write a second per key. */
const COPY_AFTER_MS = 1_100;

/** The object. Its name is `registry`. */
export class Registry extends DurableObject<Bindings> implements RegistryRpc {
  #registry: Facts | undefined;
  /** As JSON. */
  #chars = 0;
  readonly #audit: AuditTable;
  /** When the last copy into KV began. */
  #copiedMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.#audit = new AuditTable(ctx.storage);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS registry(n INTEGER PRIMARY KEY, body TEXT NOT NULL, stale INTEGER NOT NULL)",
    );
    ctx.blockConcurrencyWhile(async () => {
      this.#registry = this.#stored() ?? (await this.#begun());
    });
  }

  /** The registry, unless it is still of the version that is known. */
  copy(known: number): Facts | null {
    return this.#now.version === known ? null : this.#now;
  }

  /** Makes a change on the rights that the actor has now. */
  async change(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry> {
    const nowMs = Date.now();
    const before = this.#now;
    const made = changed(before, actor, change, { nowMs, mintSecret, hash: sha256Hex });
    if (!made.ok) return made;
    const { registry } = made.value;
    if (registry === before) return ok({ made: made.value });
    const body = JSON.stringify(registry);
    const reserved = isEntering(change) ? 0 : limits.reservedRegistryChars;
    const max = limits.maxRegistryChars - reserved;
    // What makes it smaller is never too large.
    if (body.length > max && body.length > this.#chars) {
      return fail({ reason: "too-many", limit: "maxRegistryChars", max });
    }
    this.#save(body, registry);
    this.#note(actor, change, made.value, before, nowMs);
    this.#audit.keepUsesOf(new Set([...registry.sessions, ...registry.tokens].map(({ id }) => id)));
    await this.#copySoon();
    return ok({ made: made.value });
  }

  /** What is about no project stands in the logs of those that the person is in: others do not learn that there is one. */
  #note(
    actor: Actor | null,
    change: RegistryChange,
    { registry, subject, made, person, deed }: Made,
    before: Facts,
    atMs: number,
  ): void {
    const who =
      actor === null ? {} : { by: nameOf(before, actor, atMs), byId: idOf(before, actor, atMs) };
    for (const project of logsOf(change, made) ?? membershipsOf(registry, person)) {
      this.#audit.add({ atMs, ...who, project, deed: deed ?? change.do, subject });
    }
  }

  /** True, and noted, when the actor may do this now. */
  admit(actor: Actor, { project, needs, deed, subject }: Deed): boolean {
    const nowMs = Date.now();
    if (!reaches(roleIn(this.#now, actor, project, nowMs), needs)) return false;
    const [by, byId] = [nameOf(this.#now, actor, nowMs), idOf(this.#now, actor, nowMs)];
    this.#audit.add({ atMs: nowMs, by, byId, project, deed, subject });
    return true;
  }

  /** All that a deleted project had is erased. */
  async erased(project: string): Promise<void> {
    const registry = withoutDeleted(this.#now, project);
    this.#save(JSON.stringify(registry), registry);
    await this.#copySoon();
  }

  /** The log of a project, newest first. */
  audit(project: string, before?: number): readonly AuditEntry[] {
    return this.#audit.entries(project, before);
  }

  /** When sessions and tokens were last used. */
  uses(): Readonly<Record<string, number>> {
    return this.#audit.uses();
  }

  /** Notes that one was. */
  used(id: string): void {
    this.#audit.used(id, Date.now());
  }

  override async alarm(): Promise<void> {
    await this.#copy();
  }

  get #now(): Facts {
    if (this.#registry === undefined) throw new Error("the registry is not open yet");
    return this.#registry;
  }

  #stored(): Facts | undefined {
    const [row] = this.ctx.storage.sql.exec<{ body: string }>("SELECT body FROM registry");
    if (row === undefined) return undefined;
    this.#chars = row.body.length;
    return storedRegistry(JSON.parse(row.body)) ?? undefined;
  }

  /** What KV knows of an earlier life, else one with nobody in it. KV that does not answer stops it: nothing is written over. */
  async #begun(): Promise<Facts> {
    const copy = storedRegistry(await this.env.KV.get(REGISTRY_KEY, "json"));
    const registry = copy ? restored(copy) : newRegistry(mintSecret(), Date.now());
    this.#save(JSON.stringify(registry), registry);
    return registry;
  }

  #save(body: string, registry: Facts): void {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO registry VALUES (1, ?, 1)", body);
    this.#registry = registry;
    this.#chars = body.length;
  }

  /** At once behind the answer, or as soon as KV takes another write of the same key. The alarm sees to what is not copied then. */
  async #copySoon(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + COPY_AFTER_MS);
    if (Date.now() - this.#copiedMs >= COPY_AFTER_MS) this.ctx.waitUntil(this.#copy());
  }

  /** A copy that KV refuses is tried again; until then requests elsewhere ask the object. */
  async #copy(): Promise<void> {
    const [row] = this.ctx.storage.sql.exec<{ body: string; stale: number }>(
      "SELECT body, stale FROM registry",
    );
    if (row === undefined || row.stale === 0) return;
    this.#copiedMs = Date.now();
    try {
      await this.env.KV.put(REGISTRY_KEY, row.body);
      this.ctx.storage.sql.exec("UPDATE registry SET stale = 0 WHERE body = ?", row.body);
    } catch (error) {
      console.warn("the registry is not copied yet", String(error));
      await this.ctx.storage.setAlarm(Date.now() + 10 * COPY_AFTER_MS);
    }
  }
}

function mintSecret(): string {
  return randomBytes(32).toString("base64url");
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The project that a change is about; undefined for what is about a person. */
function logsOf(change: RegistryChange, made: string | undefined): readonly string[] | undefined {
  // What is said of a project that is no more is read where the desk is at home.
  if (change.do === "delete-project") return [FIRST_PROJECT];
  if ("project" in change) return [change.project];
  return change.do === "create-project" && made !== undefined ? [made] : undefined;
}

function membershipsOf({ memberships }: Facts, person: string | undefined): readonly string[] {
  return memberships.filter((one) => one.person === person).map(({ project }) => project);
}

/** Whoever comes in has room that others cannot use up. */
function isEntering(change: RegistryChange): boolean {
  return (
    change.do === "enter-by-code" || change.do === "enter-by-passkey" || change.do === "arrive"
  );
}
