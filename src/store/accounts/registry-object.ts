/**
 * RegistryObject: the Durable Object with the registry (projects, keys, people, sessions), one per
 * deployment. It stores the registry as one value, applies every change and keeps the audit log.
 * Requests read its copy in KV; an object that lost its storage starts from that copy.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Bindings } from "../../bindings.ts";
import { readConfig } from "../../config.ts";
import {
  type Actor,
  getActorId,
  getActorName,
  getRoleInProject,
  getUploadPermission,
  getUploadProject,
  hasRole,
} from "../../core/accounts/actors.ts";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../../core/accounts/define-change.ts";
import type { toAuditFacts } from "../../core/accounts/grant-changes.ts";
import { type LeakedKey, markLeakedKey } from "../../core/accounts/key-leaks.ts";
import { forgetDeletedProject, markProjectArtifacts } from "../../core/accounts/project-changes.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import {
  createRegistryState,
  REGISTRY,
  type RegistryState,
  toRestoredState,
} from "../../core/accounts/registry.ts";
import { applyRegistryChange, type RegistryChange } from "../../core/accounts/registry-changes.ts";
import { forgetRemoved } from "../../core/accounts/removed-credentials.ts";
import { limits } from "../../core/limits.ts";
import type { AuditedAction, AuditOutcome } from "../../core/ports/accounts-port.ts";
import type { OAuthStore } from "../../core/ports/oauth-port.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { CopyWriter, KV_INTERVAL_MS } from "../kv/copy-writer.ts";
import { REGISTRY_KEY } from "../kv/keys.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import { StoredObject } from "../sqlite/object.ts";
import { upsert } from "../sqlite/table.ts";
import { AuditTable } from "./audit-table.ts";
import { AuthorizationServer } from "./authorization-server.ts";
import { CodeTables } from "./code-tables.ts";
import { REGISTRY_COPY, REGISTRY_SCHEMA } from "./registry-schema.ts";

const SAVE = upsert("registry", ["id"], ["body", "dirty"]);

/** The parameters of a method of the authorization server. */
type OAuthCall<Name extends keyof OAuthStore> = Parameters<OAuthStore[Name]>;

/** The result of a registry change, or why it was refused. */
type ChangedRegistry = Result<RegistryChangeResult, RegistryFailure>;

/** The object's name is `registry`. */
export class RegistryObject extends StoredObject {
  #registry: RegistryState | undefined;
  #jsonChars = 0;
  readonly #auditTable: AuditTable;
  readonly #oauth: AuthorizationServer;
  readonly #alarm: SharedAlarm;
  readonly #copies: CopyWriter;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, REGISTRY_SCHEMA);
    const { storage } = ctx;
    this.#auditTable = new AuditTable(storage);
    this.#oauth = new AuthorizationServer(
      {
        read: () => this.#current,
        apply: (actor, change) => this.applyChange(actor, change),
        store: async (registry) => this.#change(registry),
        record: (action, facts) => this.#recordGrant(action, facts),
      },
      new CodeTables(storage),
    );
    this.#alarm = new SharedAlarm(storage, Date.now);
    this.#copies = new CopyWriter({
      ...{ storage, alarm: this.#alarm, nowMs: Date.now, intervalMs: KV_INTERVAL_MS },
      kv: () => this.env.KV,
      source: { read: () => ({ key: REGISTRY_KEY, value: this.#current }) },
    });
    if (!this.isReady) return;
    ctx.blockConcurrencyWhile(async () => {
      this.#registry = this.#readStored() ?? (await this.#initialize());
      ctx.waitUntil(this.#copies.resume());
    });
  }

  /** The registry; null if the version of the caller is current. */
  readIfNewer(knownVersion: number): RegistryState | null {
    return this.#current.version === knownVersion ? null : this.#current;
  }

  /** Applies a change if the actor's current role permits it. */
  async applyChange(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry> {
    const nowMs = Date.now();
    const before = this.#current;
    const result = applyRegistryChange(before, actor, change, {
      nowMs,
      newSecret: createSecret,
      hash: sha256Hex,
    });
    if (!result.ok) return result;
    const max = limits.maxRegistryChars;
    let { registry } = result.value;
    if (registry === before) return ok(result.value);
    let body = JSON.stringify(registry);
    if (body.length > max) {
      // A removal must be possible even if there is no room to undo it.
      registry = { ...registry, removed: [] };
      body = JSON.stringify(registry);
    }
    // A change that makes the registry smaller is always possible.
    if (body.length > max && body.length > this.#jsonChars)
      return fail({ reason: "too-many", limit: "maxRegistryChars", max });
    this.#change(registry, body);
    this.#recordChange(actor, change, result.value, before, nowMs);
    this.#auditTable.deleteOtherUses(
      new Set(
        [
          ...[...registry.sessions, ...registry.tokens, ...(registry.grants ?? [])],
          ...(registry.removed ?? []).map(({ entry }) => entry),
        ].map(({ id }) => id),
      ),
    );
    return ok(result.value);
  }

  /**
   * A change of a person is recorded in that person's projects only: other members must not see it.
   */
  #recordChange(
    actor: Actor | null,
    change: RegistryChange,
    { registry, subject, createdId, personId, auditProjects, action }: RegistryChangeResult,
    before: RegistryState,
    atMs: number,
  ): void {
    const by = actor === null ? {} : describeActor(before, actor, atMs);
    const projects =
      auditProjects ??
      listAuditProjects(change, createdId) ??
      listMemberProjects(registry, personId);
    for (const project of projects)
      this.#auditTable.add({ atMs, ...by, project, action: action ?? change.do, subject });
  }

  #recordGrant(
    action: string,
    { subject, personId, auditProjects }: ReturnType<typeof toAuditFacts>,
  ): void {
    const by = this.#current.people.find(({ id }) => id === personId)?.name;
    for (const project of auditProjects ?? listMemberProjects(this.#current, personId))
      this.#auditTable.add({ atMs: Date.now(), by, byId: personId, project, action, subject });
  }

  /** The authorization server: see `OAuthStore`. */
  allowRequest(...call: OAuthCall<"allowRequest">) {
    return this.#oauth.allowRequest(...call);
  }

  exchangeCode(...call: OAuthCall<"exchangeCode">) {
    return this.#oauth.exchangeCode(...call);
  }

  refreshTokens(...call: OAuthCall<"refreshTokens">) {
    return this.#oauth.refreshTokens(...call);
  }

  revokeToken(...call: OAuthCall<"revokeToken">) {
    return this.#oauth.revokeToken(...call);
  }

  startDevice(...call: OAuthCall<"startDevice">) {
    return this.#oauth.startDevice(...call);
  }

  findDevice(...call: OAuthCall<"findDevice">) {
    return this.#oauth.findDevice(...call);
  }

  decideDevice(...call: OAuthCall<"decideDevice">) {
    return this.#oauth.decideDevice(...call);
  }

  pollDevice(...call: OAuthCall<"pollDevice">) {
    return this.#oauth.pollDevice(...call);
  }

  /** Records the action. Null if the actor's current role does not permit it. */
  authorizeAction(
    actor: Actor,
    { project, requiredRole, isForUploads, action, subject, details, hasOutcome }: AuditedAction,
  ): number | null {
    const nowMs = Date.now();
    const registry = this.#current;
    const mayUpload = isForUploads && getUploadPermission(registry, actor, project, nowMs);
    const isAllowed =
      (mayUpload ?? hasRole(getRoleInProject(registry, actor, project, nowMs), requiredRole)) ||
      (isForUploads === true && getUploadProject(registry, actor, nowMs) === project);
    if (!isAllowed) return null;
    const by = describeActor(registry, actor, nowMs);
    const outcome = hasOutcome && "started";
    return this.#auditTable.add({ atMs: nowMs, ...by, project, action, subject, details, outcome });
  }

  /** Adds the outcome of an operation to its entry. */
  recordOutcome(sequence: number, outcome: AuditOutcome): void {
    this.#auditTable.recordOutcome(sequence, outcome);
  }

  /** Marks whether a project has artifacts, unless the registry already states it. */
  async markArtifacts(project: string, hasArtifacts: boolean): Promise<void> {
    const registry = markProjectArtifacts(this.#current, project, hasArtifacts);
    if (registry !== null) this.#change(registry);
  }

  /** Call when the data of a deleted project is erased. */
  async confirmErased(project: string): Promise<void> {
    this.#change(forgetDeletedProject(this.#current, project));
  }

  /** Marks a server key as leaked, once. Resolves to the registry. */
  async recordKeyLeak(leak: LeakedKey): Promise<RegistryState> {
    const nowMs = Date.now();
    const config = readConfig(this.env);
    const configuredHash = config.ok ? config.value.serverKeyHash : undefined;
    const options = { nowMs, configuredHash };
    const marked = markLeakedKey(this.#current, leak, options);
    const body = marked && JSON.stringify(marked.registry);
    if (marked === null || body === null || body.length > limits.maxRegistryChars)
      return this.#current;
    this.#change(marked.registry, body);
    const { project, subject } = marked;
    this.#auditTable.add({ atMs: nowMs, project, action: "leaked-key", subject });
    return this.#current;
  }

  /** Entries of a project's audit log, newest first. */
  listAuditEntries(project: string, before?: number): readonly AuditEntry[] {
    return this.#auditTable.listEntries(project, before);
  }

  /** When sessions and tokens were last used, in ms, by id. */
  getLastUses(): Readonly<Record<string, number>> {
    return this.#auditTable.getLastUses();
  }

  recordUse(id: string): void {
    this.#auditTable.recordUse(id, Date.now());
  }

  /** Resolves when the registry is not being written to KV. */
  override async waitUntilIdle(): Promise<void> {
    await this.#copies.waitForWrite();
  }

  protected override setAlarmBy(atMs: number): Promise<void> {
    return this.#alarm.setBy(atMs);
  }

  protected override async onAlarm(): Promise<void> {
    this.#alarm.onFired();
    const kept = forgetRemoved(this.#current, Date.now());
    if (kept.removed?.length !== this.#current.removed?.length) {
      this.#save(kept);
      this.#copies.mark(REGISTRY_COPY);
    }
    await this.#copies.write({ isAlarm: true });
    const [oldest] = kept.removed ?? [];
    if (oldest !== undefined) await this.#alarm.setBy(oldest.removedMs + limits.undoRemovalMs);
  }

  get #current(): RegistryState {
    return this.requireData(this.#registry);
  }

  #readStored(): RegistryState | undefined {
    const [row] = this.ctx.storage.sql.exec<{ body: string }>("SELECT body FROM registry");
    if (row === undefined) return undefined;
    this.#jsonChars = row.body.length;
    return REGISTRY.parse(JSON.parse(row.body));
  }

  /**
   * Starts from the copy in KV; without a copy, with an empty registry. Rejects if KV does not
   * answer, so that the copy is not overwritten.
   */
  async #initialize(): Promise<RegistryState> {
    const copy = await this.#copies.readCopy(REGISTRY_KEY, REGISTRY);
    const registry =
      copy === null ? createRegistryState(createSecret(), Date.now()) : toRestoredState(copy);
    this.#save(registry);
    return registry;
  }

  /** Stores a change, and writes it to KV after the response. */
  #change(registry: RegistryState, body = JSON.stringify(registry)): void {
    this.#save(registry, body);
    this.#copies.mark(REGISTRY_COPY);
    this.ctx.waitUntil(this.#copies.write());
  }

  #save(registry: RegistryState, body = JSON.stringify(registry)): void {
    // `dirty` is for an earlier release, which writes the copy then.
    this.ctx.storage.sql.exec(SAVE, 1, body, 1);
    this.#registry = registry;
    this.#jsonChars = body.length;
  }
}

function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The actor in an entry of the audit log. */
function describeActor(registry: RegistryState, actor: Actor, nowMs: number) {
  return { by: getActorName(registry, actor, nowMs), byId: getActorId(registry, actor, nowMs) };
}

/** The projects that a change is about; undefined for a change of a person. */
function listAuditProjects(
  change: RegistryChange,
  createdId: string | undefined,
): readonly string[] | undefined {
  // The audit log of a deleted project can no longer be read.
  if (change.do === "delete-project") return [FIRST_PROJECT_ID];
  if ("project" in change && change.project !== undefined) return [change.project];
  return change.do === "create-project" && createdId !== undefined ? [createdId] : undefined;
}

function listMemberProjects(
  { memberships }: RegistryState,
  person: string | undefined,
): readonly string[] {
  return memberships.filter((one) => one.person === person).map(({ project }) => project);
}
