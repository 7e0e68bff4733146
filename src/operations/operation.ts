/**
 * An operation is one thing that a person or a program can do. It knows no request, response, URL
 * or page: forms, JSON, the audit log and the messages of pages derive from its members.
 */
import * as v from "valibot";
import { type Actor, hasRole } from "../core/accounts/actors.ts";
import type { RegistryFailure } from "../core/accounts/define-change.ts";
import type { Role } from "../core/accounts/registry.ts";
import type { Scope } from "../core/accounts/token-scopes.ts";
import type { ReactTexts } from "../core/error-codes/react-error.ts";
import { limits } from "../core/limits.ts";
import type { AccountStore } from "../core/ports/accounts-port.ts";
import type { Digest } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { NamedVersion } from "../core/stats/object-version.ts";
import type { ProjectBackup } from "../core/stats/store-health.ts";
import type { Trust } from "../core/trust/trust.ts";
import type { ProjectStorage } from "../store/client/open-storage.ts";
import { isAnyOnlyPublic } from "./agent-grounds.ts";
import { readDescription, selectDeclared, toNode } from "./provenance.ts";

/** `set` can be repeated without a further effect, `add` cannot; `erase` destroys data. */
type Effect = "read" | "set" | "add" | "erase";

/** The limit of requests that counts an operation. Searches cost more than other reads. */
type RateClass = "read" | "search" | "change";

/** The object that an operation depends on. While it is unavailable, the operation is. */
export type Dependency = "index" | "registry" | "source-maps" | "alerts";

/** A failure without further facts. */
type PlainFailure<Reason extends string> = Reason extends string
  ? { readonly reason: Reason }
  : never;

/** Why an operation was not done. `http/failure-response.ts` has the texts. */
export type OperationFailure =
  | RegistryFailure
  | {
      readonly reason: "invalid-input";
      /** What each invalid member should be, by name; "" for the input itself. */
      readonly fields: Readonly<Record<string, string>>;
    }
  | PlainFailure<"unknown-digest" | "unknown-report" | "unknown-member" | "view-has-feed">
  | PlainFailure<"unknown-release" | "unknown-upload" | "unknown-repository">
  | PlainFailure<"bad-script" | "only-public-reports">
  | PlainFailure<"unknown-tracker" | "already-linked">
  | { readonly reason: "invalid-tracker"; readonly detail: string }
  | { readonly reason: "tracker-refused"; readonly detail: string }
  | PlainFailure<"no-such-project" | "unknown-preview">
  | { readonly reason: "invalid-alert"; readonly detail: string }
  | { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number }
  | {
      readonly reason: "not-found";
      readonly what: "destination" | "email destination" | "webhook" | "message" | "view";
    }
  | PlainFailure<"unknown-agent" | "untrusted-issue" | "not-open" | "handed-off">
  | PlainFailure<"being-fixed" | "hand-off-limit">
  | PlainFailure<`${Dependency}-unavailable`>;
type Reason = OperationFailure["reason"];

/** The reasons that every operation can have, and those of every change. */
const SHARED_REASONS = ["forbidden", "invalid-input"] as const;
const CHANGE_REASONS = [...SHARED_REASONS, "registry-unavailable"] as const;
type SharedReason = (typeof SHARED_REASONS)[number];

/** What operations use: the storage of the project, and the registry. */
export interface OperationServices
  extends Pick<
    ProjectStorage,
    "projectStore" | "projectAdmin" | "alerts" | "sourceMaps" | "closeLiveSockets"
  > {
  readonly registry: AccountStore;
  /** `release` is the version of the code. */
  readonly config: { readonly release: string };
  readonly dataVersions: {
    /** Of a project's objects, and of the registry. */
    readonly read: (project: string) => Promise<readonly NamedVersion[]>;
  };
  /** How far a project is backed up; undefined without a bucket. Never rejects. */
  readonly readBackup: (project: string) => Promise<ProjectBackup | undefined>;
  /** The texts of React's error codes; null if the build has none. Never rejects. */
  readonly readReactTexts: () => Promise<ReactTexts | null>;
  /** Those of another project, which the caller can read (`Caller.projects`). */
  readonly forProject: (project: string) => OperationServices;
  readonly nowMs: () => number;
  /** A new random id: 32 lowercase hex characters. */
  readonly newId: () => string;
  readonly sha256: (text: string) => Uint8Array;
  /** Logs an error of storage. */
  readonly logProblem: (cause: unknown) => void;
}

/** Who performs an operation. */
export interface Caller {
  readonly actor: Actor;
  /** The name that others see; absent for local access. */
  readonly name?: string | undefined;
  /** Whose alerts the caller reads; empty for programs. */
  readonly person?: string;
  /** The role in the project; null if the caller has none. */
  readonly role: Role | null;
  /** All projects that the caller can read, in order of creation. */
  readonly projects?: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
  }[];
  /** The lowest trust of reported text that a token may read; absent for people. */
  readonly lowestTrust?: Trust | undefined;
  /** True for an upload token of the project, which has no role and reads nothing. */
  readonly isUploader?: boolean;
  /** Whether a program may upload; undefined if its role decides. */
  readonly mayUpload?: boolean | undefined;
}

/** The projects besides one that the caller can read: those that one operation may ask. */
export function listOtherProjects({ projects = [] }: Caller, project: string) {
  return projects.filter(({ id }) => id !== project).slice(0, limits.maxOtherProjects);
}

/** Who performs an operation, and where. */
export interface Call {
  readonly caller: Caller;
  readonly project: string;
  readonly services: OperationServices;
  /** The origin of the request, which upload tokens and the links of messages name. */
  readonly origin?: string;
  /** The id of the change, if the caller may send it again (`Idempotency-Key`). */
  readonly retryId?: string | undefined;
  /** Set if an agent performs it: what it called, for the audit log, and its program. */
  readonly agent?: Agent | undefined;
}

/** A program that decides by itself what it does, as clients of MCP do. */
export interface Agent {
  /** What it called: `MCP decide_issue`. */
  readonly deed: string;
  /** The name of its program, as it says: `claude-code`. */
  readonly program?: string | undefined;
}

/** What `run` gets besides the input. */
export interface OperationContext extends Call {
  /** The id of this change: for undo, and for what the change creates. Empty for reads. */
  readonly changeId: string;
}

/** What a person reads after a change: one of the operation's `messages`. */
export interface Message<Kind extends string = string> {
  readonly kind: Kind;
  /** The changed issues. */
  readonly digests: readonly Digest[];
  readonly assignee?: string | undefined;
}

/** A change in the audit log. */
interface AuditText {
  /** Completes "Ada …", without text that an erasure would have to find: "muted 7F3K-Q2M9". */
  readonly text: string;
  /** What was changed: digests, apart by spaces. */
  readonly subject?: string | undefined;
  /** True if the operation ended without a change. */
  readonly isUnchanged?: boolean;
}

/** A flat object, which forms and command lines can express. */
export interface InputSchema extends v.GenericSchema {
  readonly entries: v.ObjectEntries;
}

/** The schema of what an operation returns. */
export type OutputSchema = v.GenericSchema;
/** What an operation with this schema takes. */
export type InputOf<Schema extends InputSchema> = v.InferInput<Schema>;
/** What an operation with this schema returns. */
export type OutputOf<Schema extends OutputSchema> = v.InferOutput<Schema>;

/** The method and the path of an operation, and the members of the input in the path. */
export function parseRoute({ route }: Pick<Facts, "route">) {
  const [method = "", path = ""] = route.split(" ");
  return { method, path };
}

/** True if the input is in the path and the query: the body of any other request has it. */
export function takesQuery(facts: Pick<Facts, "route">): boolean {
  return parseRoute(facts).method === "GET";
}

const SCOPES_BY_ROLE = { viewer: "read", member: "triage", owner: "admin" } as const;

/** The scope that a token needs for an operation. Each role has those of the roles below it. */
export function getScope({ role, scope }: Pick<Facts, "role" | "scope">): Scope {
  return scope ?? SCOPES_BY_ROLE[role];
}

interface Facts {
  /** A noun and a verb: `issues.decide`. */
  readonly name: string;
  /** One sentence for people and for models. */
  readonly summary: string;
  /** The role in the project that it requires. */
  readonly role: Role;
  /** Set if an upload token of the project may perform it too. */
  readonly scope?: "upload";
  /** Set if no token may perform it: it gives people or programs access. */
  readonly isForPeople?: true | undefined;
  readonly effect: Effect;
  readonly rate: RateClass;
  /**
   * `PUT /issues/{digest}/decision`: names in braces are members of the input. A read is a `GET`,
   * or a `POST` if its input is too long for a query.
   */
  readonly route: string;
  /** True if programs can also follow it, as server-sent events. */
  readonly isStream?: true;
  /** True if `changes.undo` can undo it; the output then has the id of the `change`. */
  readonly canUndo?: true;
  /** The limit of the body that has its input, in bytes; `limits.maxFormBytes` by default. */
  readonly maxBodyBytes?: number;
  /** The index by default. */
  readonly dependency?: Dependency;
  /** The texts of its messages; `{issues}` is the digest or the number, `{assignee}` the name. */
  readonly messages?: Readonly<Record<string, string>>;
}

interface Definition<
  Input extends InputSchema,
  Output extends OutputSchema,
  Own extends Reason,
  Kind extends string,
> extends Facts {
  readonly input: Input;
  readonly output: Output;
  /** The reasons of `run`, besides those that every operation has. */
  readonly reasons: readonly Own[];
  /**
   * The entry of the audit log, which changes require; called again with the output. `registry` if
   * the registry authorizes and records the change itself, `own` if only the caller sees the change.
   */
  readonly audit?:
    | "registry"
    | "own"
    | ((
        input: v.InferOutput<Input>,
        output: OutputOf<Output> | undefined,
        call: Call,
      ) => AuditText | Promise<AuditText>);
  readonly messages?: Readonly<Record<Kind, string>>;
  readonly message?: (
    input: v.InferOutput<Input>,
    output: OutputOf<Output>,
  ) => Message<NoInfer<Kind>>;
  /** The issues that it changes, of which agents may change only some (`agent-grounds.ts`). */
  readonly issues?: (input: v.InferOutput<Input>) => readonly Digest[];
  readonly run: (
    input: v.InferOutput<Input>,
    context: OperationContext,
  ) => Promise<
    Result<
      OutputOf<Output>,
      Extract<OperationFailure, { readonly reason: NoInfer<Own> | SharedReason }>
    >
  >;
}

/** The result of `perform`. */
type Outcome<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      readonly message?: Message;
      /** The id for `changes.undo`, if anything was changed that it can undo. */
      readonly undoId?: string;
    }
  | ({ readonly ok: false } & OperationFailure);

export interface Operation<
  Input extends InputSchema = InputSchema,
  Output extends OutputSchema = OutputSchema,
> extends Facts {
  readonly input: Input;
  readonly output: Output;
  /** Every reason for which it can fail. */
  readonly reasons: readonly Reason[];
  /**
   * Authorizes the caller, decodes the input, records the change, runs it, and records the outcome.
   * The value has only the members that the output declares. Never rejects. A method, so that a
   * list can hold operations of any input: it decodes whatever it gets.
   */
  perform(input: InputOf<Input>, call: Call): Promise<Outcome<OutputOf<Output>>>;
}

export function defineOperation<
  Input extends InputSchema,
  Output extends OutputSchema,
  const Own extends Reason = never,
  const Kind extends string = never,
>(definition: Definition<Input, Output, Own, Kind>): Operation<Input, Output> {
  const { audit, message, issues, run, ...facts } = definition;
  const { name, role, effect, dependency = "index", canUndo } = facts;
  const outputNode = toNode(facts.output);
  if (effect !== "read" && audit === undefined) throw new Error(`${name}: changes are audited`);

  async function perform(raw: unknown, call: Call): Promise<Outcome<OutputOf<Output>>> {
    const { caller, project, services, agent } = call;
    const admitted = admit(facts, raw, caller);
    if (!admitted.ok) return admitted;
    const input = admitted.value;
    if (agent !== undefined && issues !== undefined) {
      const isRefused = await orNull(
        services,
        isAnyOnlyPublic(services.projectStore, issues(input)),
      );
      if (isRefused === null) return fail({ reason: `${dependency}-unavailable` });
      if (isRefused) return fail({ reason: "only-public-reports" });
    }
    let entry: number | null | undefined;
    if (typeof audit === "function" && caller.actor.kind !== "local") {
      const { text, subject } = await audit(input, undefined, call);
      const deed = describeDeed(name, text, agent);
      const isForUploads = facts.scope === "upload" || undefined;
      const started = { project, requiredRole: role, isForUploads, subject, ...deed };
      entry = await services.registry
        .authorizeAction(caller.actor, { ...started, hasOutcome: true })
        .catch((cause: unknown) => {
          services.logProblem(cause);
          return undefined;
        });
      if (entry === undefined) return fail({ reason: "registry-unavailable" });
      if (entry === null) return fail({ reason: "forbidden" });
    }
    const changeId = effect === "read" ? "" : (call.retryId ?? services.newId());
    try {
      const result = await run(input, { ...call, changeId });
      if (typeof audit === "function" && typeof entry === "number") {
        const done = result.ok ? await audit(input, result.value, call) : undefined;
        const outcome = result.ok
          ? done?.isUnchanged
            ? "nothing-changed"
            : "done"
          : result.reason;
        services.registry.recordOutcome(entry, { outcome, subject: done?.subject });
      }
      if (!result.ok) return result;
      const value = selectDeclared(outputNode, result.value) as OutputOf<Output>;
      const shown = message?.(input, value);
      const hasChanged = canUndo === true && shown !== undefined && shown.digests.length > 0;
      return { ok: true, value, message: shown, undoId: hasChanged ? changeId : undefined };
    } catch (cause) {
      // Whether the change was made is unknown. Its entry in the audit log stays "started".
      services.logProblem(cause);
      return fail({ reason: `${dependency}-unavailable` });
    }
  }

  const shared = effect === "read" ? SHARED_REASONS : CHANGE_REASONS;
  const ofAgents = issues === undefined ? [] : (["only-public-reports"] as const);
  const unavailable = `${dependency}-unavailable` as const;
  const reasons: readonly Reason[] = [...shared, ...ofAgents, unavailable, ...facts.reasons];
  return { ...facts, reasons: [...new Set(reasons)], perform };
}

/** What the audit log says of a change, and of the agent that made it. */
function describeDeed(name: string, text: string, agent: Agent | undefined) {
  if (agent === undefined) return { action: name, details: text };
  const by = agent.program === undefined ? "" : `, with ${agent.program}`;
  return { action: agent.deed, details: `${text}${by}` };
}

/** The decoded input, if the caller may perform the operation. */
function admit<Input extends InputSchema>(
  {
    role,
    scope,
    isForPeople,
    input,
  }: Pick<Facts, "role" | "scope" | "isForPeople"> & { readonly input: Input },
  raw: unknown,
  caller: Caller,
): Result<v.InferOutput<Input>, Extract<OperationFailure, { readonly reason: SharedReason }>> {
  const mayUpload = caller.isUploader || caller.mayUpload;
  const isAllowed = (scope === "upload" ? mayUpload : undefined) ?? hasRole(caller.role, role);
  if (!isAllowed) return fail({ reason: "forbidden" });
  if (isForPeople && caller.actor.kind === "token") return fail({ reason: "forbidden" });
  const decoded = v.safeParse(input, raw);
  return decoded.success
    ? ok(decoded.output)
    : fail({ reason: "invalid-input", fields: toFields(input, decoded.issues) });
}

interface ReadDefinition<
  Input extends InputSchema,
  Output extends OutputSchema,
  Own extends Reason,
  Loaded,
> extends Omit<Definition<Input, Output, Own, never>, "effect" | "run" | "audit" | "message"> {
  /** Loads what `toOutput` or a page shows. What arrives later is a promise in it. */
  readonly load: (
    input: v.InferOutput<Input>,
    call: Call,
  ) => Promise<
    Result<Loaded, Extract<OperationFailure, { readonly reason: NoInfer<Own> | SharedReason }>>
  >;
  readonly toOutput: (
    loaded: NoInfer<Loaded>,
    input: v.InferOutput<Input>,
    call: Call,
  ) => OutputOf<Output> | Promise<OutputOf<Output>>;
}

/** An operation that reads. Pages read through it too. */
export interface Read<
  Input extends InputSchema = InputSchema,
  Output extends OutputSchema = OutputSchema,
  Loaded = unknown,
> extends Operation<Input, Output> {
  /** The decoded input, for a page that loads in parts; a failure as that of `perform`. */
  admit(input: InputOf<Input>, call: Call): Result<v.InferOutput<Input>, OperationFailure>;
  /**
   * What a page shows: `perform` before its output is made, which pages need not pay for. Rejects,
   * or a promise in it does, while its object is unavailable: pages show that in place.
   */
  load(input: InputOf<Input>, call: Call): Promise<Result<Loaded, OperationFailure>>;
}

export function defineRead<
  Input extends InputSchema,
  Output extends OutputSchema,
  Loaded,
  const Own extends Reason = never,
>(definition: ReadDefinition<Input, Output, Own, Loaded>): Read<Input, Output, Loaded> {
  const { load, toOutput, ...facts } = definition;
  const operation = defineOperation<Input, Output, Own, never>({
    ...facts,
    effect: "read",
    async run(input, context) {
      const loaded = await load(input, context);
      return loaded.ok ? ok(await toOutput(loaded.value, input, context)) : loaded;
    },
  });
  return {
    ...operation,
    admit: (raw, { caller }) => admit(facts, raw, caller),
    async load(raw, call) {
      const admitted = admit(facts, raw, call.caller);
      return admitted.ok ? load(admitted.value, call) : admitted;
    },
  };
}

/** The value; null, and the cause in the log, if the promise rejects. Never rejects. */
export async function orNull<T>(
  { logProblem }: Pick<OperationServices, "logProblem">,
  value: Promise<T>,
): Promise<T | null> {
  try {
    return await value;
  } catch (cause) {
    logProblem(cause);
    return null;
  }
}

/**
 * What each invalid member should be. Valibot's messages quote what was sent, and a missing member
 * gets the message of its object, so the description of the member is the message.
 */
function toFields(input: InputSchema, issues: readonly v.BaseIssue<unknown>[]) {
  const fields = new Map<string, string>();
  for (const { path, type, message } of issues) {
    const key = path?.[0]?.key;
    const name = typeof key === "string" && Object.hasOwn(input.entries, key) ? key : "";
    // Rules between members have texts of their own.
    const isRule = type === "partial_check" || (type === "check" && path === undefined);
    const text = isRule ? message : describeMember(input, name);
    if (!fields.has(name)) fields.set(name, text);
  }
  return Object.fromEntries(fields);
}

/** The description of a member; for "", which members the input has. */
function describeMember({ entries }: InputSchema, name: string): string {
  const entry = entries[name];
  if (entry === undefined) return `an object with only ${Object.keys(entries).join(", ")}`;
  return readDescription(toNode(entry)) ?? name;
}
