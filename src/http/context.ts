/**
 * The services of a request: storage, configuration, time, ids and randomness.
 * `worker.ts` creates the real ones; tests replace them.
 */
import type { Context, Env } from "hono";
import type { ReadClient } from "../auth/client-reader.ts";
import type { VerifyAccess } from "../auth/cloudflare-access.ts";
import type { PageTokens } from "../auth/page-tokens.ts";
import type { Config } from "../config.ts";
import type { Actor } from "../core/accounts/actors.ts";
import type { KeyRate, Person, Project, Role } from "../core/accounts/registry.ts";
import type { AccountStore } from "../core/ports/accounts-port.ts";
import type { ReportWriter } from "../core/ports/storage-ports.ts";
import type { Report } from "../core/report.ts";
import type { Result } from "../core/result.ts";
import type { NamedVersion, OpenedObjects } from "../core/stats/object-version.ts";
import type { Trust } from "../core/trust/trust.ts";
import type { OperationServices } from "../operations/operation.ts";
import type { ProjectStorage } from "../store/client/open-storage.ts";
import type { SettingsLink } from "../ui/layout/settings-frame.tsx";

export interface ProjectServices extends ProjectStorage {
  /** `project` is this project; `ingestKey` is the configured key of the first project. */
  readonly config: Config;
}

/** Services of the first project, created once per request. */
export interface Services extends ProjectServices {
  /** The services of another project, which may not exist. */
  readonly forProject: (project: string) => Services;
  /** Stores Errata's own errors, in the log of the first project. */
  readonly selfReportWriter: ReportWriter;
  readonly registry: AccountStore;
  readonly dataVersions: DataVersions;
  readonly readBackup: OperationServices["readBackup"];
  readonly readReactTexts: OperationServices["readReactTexts"];
  /** A file of the build, which Cloudflare serves itself; null if it is missing. Never rejects. */
  readonly readFile: (path: string) => Promise<Response | null>;
  /**
   * The identity in a Cloudflare Access assertion; null if it is invalid or Access is not
   * configured.
   */
  readonly verifyAccess: VerifyAccess;
  readonly pageTokens: PageTokens;
  readonly readClient: ReadClient;
  readonly limiters: RateLimiters;
  readonly nowMs: () => number;
  /** A new random report id: 32 lowercase hex characters. */
  readonly newId: () => string;
  /** A new random nonce for one response. */
  readonly newNonce: () => string;
  readonly sha256: (text: string) => Uint8Array;
  /** Continues work after the response (`waitUntil`). */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Logs an error of Errata's own: its digest and id, and the thrown value. */
  readonly logFailure: (report: Report) => void;
  /** Logs a storage error. */
  readonly logProblem: (cause: unknown) => void;
}

/** The versions of the stored data. To read one opens the object, which migrates its data. */
export interface DataVersions {
  /** Those of the objects of a project, and of the registry. */
  readonly read: (project: string) => Promise<readonly NamedVersion[]>;
  /** Some objects of the deployment, those after the first `after`. */
  readonly open: (after: number) => Promise<OpenedObjects>;
  /** Records in KV which code may work with the data of this release. */
  readonly record: () => Promise<void>;
}

/**
 * Rate limits; each charges `count`, by default 1, and resolves to true while the limit is not
 * exceeded. The platform counts per location and minute.
 */
export interface RateLimiters {
  readonly address: (address: string, count?: number) => Promise<boolean>;
  /** `perMinute` for keys with a separate limit. */
  readonly key: (key: string, perMinute?: KeyRate, count?: number) => Promise<boolean>;
  /** Sign-in attempts by network, and profile changes by person. */
  readonly signIn: (address: string) => Promise<boolean>;
  /** All reports of one trust level. */
  readonly global: (trust: Trust, count?: number) => Promise<boolean>;
  readonly receipt: (network: string) => Promise<boolean>;
  /** The higher limits by /48 of an IPv6 address (`network-limit.ts`). */
  readonly site: (
    limit: "address" | "receipt" | "signIn",
    site: string,
    count?: number,
  ) => Promise<boolean>;
  /** Reports that a page token raises to trust `page`, by page id and network. */
  readonly pageToken: (pageAndNetwork: string) => Promise<boolean>;
  /** Requests to `/api/v1`, by the token or the person; searches and changes count more. */
  readonly api: (actor: string, count: number) => Promise<boolean>;
}

/** The authenticated principal: a person, a program or the local machine. */
export interface Principal {
  readonly actor: Actor;
  /** Absent for programs and the local machine. */
  readonly person?: Person | undefined;
  /** When the session or the token of the request expires; absent if it does not. */
  readonly endsMs?: number | undefined;
  /** The name shown to others next to the principal's actions. */
  readonly name?: string | undefined;
  /** The lowest trust of reported text that a token may read; absent for people. */
  readonly lowestTrust?: Trust | undefined;
  /** The project of an upload token, which can access none. */
  readonly uploadProject?: string | undefined;
  /** Whether it may upload to the project of the request, if its role there does not decide. */
  readonly mayUpload?: boolean | undefined;
  /** The projects that the principal can access, with its role in each. */
  readonly projects: readonly { readonly project: Project; readonly role: Role }[];
}

/** The services, or the problems of the configuration. */
export type OpenedServices = Result<
  Services,
  { readonly reason: "bad-config"; readonly problems: readonly string[] }
>;

/** Hono's types for this app. */
export interface AppEnv extends Env {
  Bindings: OpenedServices;
  Variables: {
    services: Services;
    /** Set by `authorize`. */
    principal: Principal;
    /**
     * The project in the URL, or the principal's home project. Set only by `authorize` and
     * `selectReceiptProject`.
     */
    project: string;
    /** The links between settings pages. */
    settingsLinks: readonly SettingsLink[];
  };
}

/** A handler's context. */
export type AppContext = Context<AppEnv>;
