/**
 * What a request is served with: storage behind the core's ports, configuration, and everything that a test wants to hold
 * still (time, ids, randomness). `worker.ts` opens the real ones.
 */
import type { Context, Env } from "hono";
import type { VerifyAccess } from "../auth/cloudflare-access.ts";
import type { Bindings, Config } from "../config.ts";
import type { Actor } from "../core/accounts/permissions.ts";
import type { KeyRate, Person, Project, Role } from "../core/accounts/registry.ts";
import type { AccountStore } from "../core/ports/accounts-port.ts";
import type { ProjectAdmin, ProjectStore, ReportWriter } from "../core/ports/storage-ports.ts";
import type { Report } from "../core/report.ts";

/** What belongs to one project. */
export interface ProjectServices {
  /** Its `project` is this one, and its `ingestKey` the key that the configuration gives the first. */
  readonly config: Config;
  readonly reportWriter: ReportWriter;
  readonly projectStore: ProjectStore;
  readonly projectAdmin: ProjectAdmin;
  /**
   * Answers a request for a WebSocket on which every delta comes as it is counted, a JSON array of `Arrival`s. Rejects while the
   * index is away.
   */
  readonly connectLiveSocket: () => Promise<Response>;
  /** Ends every watch, so that whoever looks on is let in anew, or not. Rejects while the index is away. */
  readonly closeLiveSockets: () => Promise<void>;
}

/** Opened once: of the first project. It is `of` another where a request means that. */
export interface Services extends ProjectServices {
  /** The same of another project, which need not exist. */
  readonly forProject: (project: string) => Services;
  /** Where what fails in Errata itself goes: the log of the first project. */
  readonly selfReportWriter: ReportWriter;
  readonly registry: AccountStore;
  /** Whom an assertion of Cloudflare Access names; null for one that is not to be believed, and where Access is not configured. */
  readonly verifyAccess: VerifyAccess;
  readonly limiters: RateLimiters;
  readonly nowMs: () => number;
  /** A new random report id: 32 lower-case hex characters. */
  readonly newId: () => string;
  /** A new random nonce for one response. */
  readonly newNonce: () => string;
  readonly sha256: (text: string) => Uint8Array;
  /** Lets work go on behind the response (`waitUntil`). */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Writes a failed report of Errata's own to the Worker's log: the two codes, and what was thrown. */
  readonly logFailure: (report: Report) => void;
  /** Writes to the Worker's log why the store did not do what it should. */
  readonly logProblem: (cause: unknown) => void;
}

/** Whether there is room for one more; counted by the platform, for each of its locations, over a minute. */
export interface RateLimiters {
  readonly address: (address: string) => Promise<boolean>;
  /** `perMinute` where the key is held to a rate of its own. */
  readonly key: (key: string, perMinute?: KeyRate) => Promise<boolean>;
  /** Tries to enter, by network; and changes of oneself, by person. */
  readonly signIn: (address: string) => Promise<boolean>;
  readonly global: () => Promise<boolean>;
  /** Of receipts, for one network of strangers. */
  readonly receipt: (network: string) => Promise<boolean>;
}

/** The principal of a request: a person, a program, or this machine. */
export interface Principal {
  readonly actor: Actor;
  /** Absent for programs and for this machine. */
  readonly person?: Person | undefined;
  /** The name that others see beside what the principal did. */
  readonly name?: string | undefined;
  /** The projects that the principal may enter, and the role in each. */
  readonly projects: readonly { readonly project: Project; readonly role: Role }[];
}

/** Hono's types for this app. */
export interface AppEnv extends Env {
  Bindings: Bindings;
  Variables: {
    services: Services;
    /** Who has come in; set by the door. */
    principal: Principal;
    /** The project that the address names, else where the visitor is at home; set by the door, and nowhere else. */
    project: string;
  };
}

/** A handler's context. */
export type AppContext = Context<AppEnv>;
