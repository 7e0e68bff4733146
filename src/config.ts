/** Reads the environment variables, in this file only. Reports every invalid one at once. */
import { hash } from "node:crypto";
import build from "../dist/client/.vite/release.json";
import type { Bindings } from "./bindings.ts";
import { isServerKey } from "./core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "./core/accounts/project-path.ts";
import type { SetupCode } from "./core/accounts/sign-in-changes.ts";
import { limits } from "./core/limits.ts";
import { fail, ok, type Result } from "./core/result.ts";
import type { ScrubSettings } from "./core/scrubbing/scrub.ts";

const SERVER_KEY = /^errata_server_[0-9a-f]{32}$/;
/** The keys of the configuration. The first one encrypts secrets, and both decrypt them. */
const SERVER_KEY_VARIABLES = ["ERRATA_SERVER_KEY", "ERRATA_PREVIOUS_SERVER_KEY"] as const;

/** The words that ERRATA_SCRUB accepts. */
const SCRUB_WORDS: ReadonlySet<string> = new Set(["email", "ip", "vars"]);

/** The validated variables. */
export interface Config {
  /** The first project. It also receives Errata's own failures. */
  readonly project: string;
  /** Its public ingest key. */
  readonly ingestKey?: string;
  /** SHA-256, in hex, of its server key. */
  readonly serverKeyHash?: string;
  /** The release of its own failures: ERRATA_RELEASE, or the name of the build. */
  readonly release: string;
  readonly environment: string;
  /** Time limit for rendering a page. Unfinished parts fail after it. */
  readonly renderDeadlineMs: number;
  /** Values to remove from reports in addition to secrets. */
  readonly scrub: ScrubSettings;
  /** Number of ReportLog objects per project. */
  readonly shards: number;
  /** KV writes per project and UTC day. */
  readonly kvWritesPerDay: number;
  /** Where a project's objects are created. By default near the first sender. */
  readonly location?: DurableObjectLocationHint;
  /** Retention of common issues; rare and new ones are kept longer (`core/issue/retention.ts`). */
  readonly retentionDays: number;
  /**
   * The Cloudflare Access application that protects the desk, and the email address, in lower case,
   * of the person who becomes an owner of the first project.
   */
  readonly access?: { readonly team: string; readonly audience: string; readonly owner?: string };
  /** The hash of this deployment's one-time code. */
  readonly setup?: SetupCode;
  /** The hash of the token that uploads the source maps of this deployment to the first project. */
  readonly upload?: SetupCode;
  /** Whether mail can be sent: visitors can ask to be told of a fix. */
  readonly hasMail: boolean;
  /** Requests from the local machine have owner rights without signing in. For tests and tools. */
  readonly isLocalOpen: boolean;
}

type IntegerVariable =
  `ERRATA_${"RENDER_DEADLINE_MS" | "SHARDS" | "KV_WRITES_PER_DAY" | "RETENTION_DAYS"}`;

const DEFAULT_RENDER_DEADLINE_MS = 10_000;
const MAX_SHARDS = 64;
/** The free plan allows 1,000; the others are reserved for decisions, accounts and tools. */
const DEFAULT_KV_WRITES_PER_DAY = 950;
const DEFAULT_RETENTION_DAYS = 30;
const MAX_RETENTION_DAYS = 365;
/** Cloudflare's location hints (Durable Objects, "Data location"). */
const LOCATION_HINTS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;

/** The configuration, or a description of every invalid variable. Values are never included. */
export function readConfig(
  env: Bindings,
): Result<Config, { reason: "bad-config"; problems: readonly string[] }> {
  const problems: string[] = [];
  const { ERRATA_KEY: publicKey, ERRATA_SERVER_KEY: serverKey } = env;
  if (publicKey !== undefined && (!/^\w{8,64}$/.test(publicKey) || isServerKey(publicKey))) {
    problems.push(
      "ERRATA_KEY must be 8 to 64 letters, digits or underscores (SDKs accept no others in a DSN), " +
        "and must not be a server key.",
    );
  }
  for (const name of SERVER_KEY_VARIABLES) {
    const key = env[name];
    if (key === undefined || SERVER_KEY.test(key)) continue;
    problems.push(
      `${name} must be errata_server_ and 32 hexadecimal digits; \`npm run deploy\` creates one.`,
    );
  }
  const readInteger = (name: IntegerVariable, byDefault: number, min: number, max = Infinity) => {
    const value = Number(env[name] ?? byDefault);
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
      problems.push(`${name} must be a whole number ${range}.`);
    }
    return value;
  };
  const renderDeadlineMs = readInteger(
    "ERRATA_RENDER_DEADLINE_MS",
    DEFAULT_RENDER_DEADLINE_MS,
    50,
    60_000,
  );
  const shards = readInteger("ERRATA_SHARDS", 1, 1, MAX_SHARDS);
  const kvWritesPerDay = readInteger("ERRATA_KV_WRITES_PER_DAY", DEFAULT_KV_WRITES_PER_DAY, 100);
  const retentionDays = readInteger(
    "ERRATA_RETENTION_DAYS",
    DEFAULT_RETENTION_DAYS,
    1,
    MAX_RETENTION_DAYS,
  );
  const location = LOCATION_HINTS.find((hint) => hint === env.ERRATA_LOCATION);
  if (env.ERRATA_LOCATION !== undefined && location === undefined)
    problems.push(`ERRATA_LOCATION must be one of ${LOCATION_HINTS.join(", ")}.`);
  const scrub = (env.ERRATA_SCRUB ?? "").split(/[\s,]+/).filter((word) => word !== "");
  if (scrub.some((word) => !SCRUB_WORDS.has(word)))
    problems.push('ERRATA_SCRUB must name "email", "ip" or "vars", with commas between them.');
  const access = parseAccess(env);
  if (access === null) {
    problems.push(
      "ERRATA_ACCESS_TEAM must be a name such as acme.cloudflareaccess.com, and " +
        "ERRATA_ACCESS_AUD the application's 64 hexadecimal digits; set both or neither.",
    );
  }
  if (env.ERRATA_ACCESS_OWNER !== undefined && !(access && isEmail(env.ERRATA_ACCESS_OWNER))) {
    problems.push(
      "ERRATA_ACCESS_OWNER must be an email address, and needs ERRATA_ACCESS_TEAM and " +
        "ERRATA_ACCESS_AUD.",
    );
  }
  const setup = parseExpiringHash(env.ERRATA_SETUP);
  const upload = parseExpiringHash(env.ERRATA_UPLOAD);
  for (const [name, value] of Object.entries({ ERRATA_UPLOAD: upload, ERRATA_SETUP: setup })) {
    if (value === null) {
      problems.push(
        `${name} must be a SHA-256 in hexadecimal digits, a dot, and a time in milliseconds; ` +
          "`npm run deploy` creates one.",
      );
    }
  }
  if (env.ERRATA_URL !== undefined && !/^https?:\/\/[^/?#]+\/?$/.test(env.ERRATA_URL))
    problems.push("ERRATA_URL must be an origin such as https://errata.example.");
  if (env.ERRATA_MAIL_FROM !== undefined && !isEmail(env.ERRATA_MAIL_FROM))
    problems.push("ERRATA_MAIL_FROM must be an email address.");
  if (env.ERRATA_LOCAL !== undefined && env.ERRATA_LOCAL !== "open")
    problems.push('ERRATA_LOCAL must be "open" or unset.');
  if (problems.length > 0) return fail({ reason: "bad-config" as const, problems });
  return ok({
    project: FIRST_PROJECT_ID,
    environment: env.ERRATA_ENVIRONMENT ?? "production",
    renderDeadlineMs,
    scrub: {
      email: scrub.includes("email"),
      ip: scrub.includes("ip"),
      vars: scrub.includes("vars"),
    },
    shards,
    kvWritesPerDay,
    retentionDays,
    hasMail: hasMail(env),
    isLocalOpen: env.ERRATA_LOCAL === "open",
    release: readRelease(env),
    access: access ?? undefined,
    setup: setup ?? undefined,
    upload: upload ?? undefined,
    location,
    ingestKey: publicKey,
    serverKeyHash: serverKey === undefined ? undefined : hash("sha256", serverKey),
  });
}

/** The Access application; undefined if none is set, null if a variable is invalid. */
function parseAccess(env: Bindings) {
  const { ERRATA_ACCESS_TEAM: team, ERRATA_ACCESS_AUD: audience } = env;
  const owner = env.ERRATA_ACCESS_OWNER?.toLowerCase();
  if (team === undefined && audience === undefined) return undefined;
  const isTeam = /^[a-z0-9-]{1,63}\.cloudflareaccess\.com$/.test(team ?? "");
  const isAudience = /^[0-9a-f]{64}$/.test(audience ?? "");
  if (!team || !audience || !isTeam || !isAudience) return null;
  return { team, audience, owner };
}

function isEmail(text: string): boolean {
  return text.length <= limits.maxAccessNameChars && /^[^\s@]+@[^\s@]+$/.test(text);
}

/** A hash and its expiry; undefined if the variable is not set, null if it is invalid. */
function parseExpiringHash(value: string | undefined): SetupCode | undefined | null {
  if (value === undefined) return undefined;
  const [, hash, untilMs] = /^([0-9a-f]{64})\.(\d{13})$/.exec(value) ?? [];
  return hash === undefined ? null : { hash, expiresMs: Number(untilMs) };
}

/** The keys of stored secrets: the first one encrypts. Invalid variables count as unset. */
export function readSecretKeys(
  env: Pick<Bindings, (typeof SERVER_KEY_VARIABLES)[number]>,
): readonly string[] {
  return SERVER_KEY_VARIABLES.map((name) => env[name]).filter(
    (key) => key !== undefined && SERVER_KEY.test(key),
  ) as readonly string[];
}

/** The part of the configuration that the Durable Objects need. */
interface StoreSettings extends Pick<Config, "shards" | "location" | "retentionDays"> {
  /** KV writes per day of one shard. All shards together have half of the budget. */
  readonly shardWritesPerDay: number;
  /** KV writes per day of the index: the other half, minus those of source maps. */
  readonly indexWritesPerDay: number;
  /** KV writes per day of source maps: a twentieth of the budget. */
  readonly sourceMapWritesPerDay: number;
  /** Spool writes per day of public reports, besides the budget; as many for page reports. */
  readonly spoolWritesPerDay: number;
  /** How many times the rows of the free plan public reports may write: as many as KV writes. */
  readonly rowScale: number;
}

/** The release of this deployment: ERRATA_RELEASE, or the name of the build. */
export function readRelease(env: Pick<Bindings, "ERRATA_RELEASE">): string {
  return env.ERRATA_RELEASE || build.release;
}

/** The store's settings. An invalid configuration gets defaults: every request fails with it. */
export function readStoreSettings(env: Bindings): StoreSettings {
  const config = readConfig(env);
  const { kvWritesPerDay, shards, retentionDays, location } = config.ok
    ? config.value
    : {
        kvWritesPerDay: DEFAULT_KV_WRITES_PER_DAY,
        shards: 1,
        retentionDays: DEFAULT_RETENTION_DAYS,
      };
  const half = Math.floor(kvWritesPerDay / 2);
  const sourceMapWritesPerDay = Math.max(1, Math.floor(kvWritesPerDay / 20));
  return {
    shards,
    retentionDays,
    location,
    shardWritesPerDay: Math.max(1, Math.floor(half / shards)),
    indexWritesPerDay: half - sourceMapWritesPerDay,
    sourceMapWritesPerDay,
    spoolWritesPerDay: Math.max(1, Math.floor(kvWritesPerDay / 50)),
    rowScale: Math.max(1, kvWritesPerDay / DEFAULT_KV_WRITES_PER_DAY),
  };
}

/** The configuration of alerts. */
interface AlertDelivery {
  /** The origin of links in messages, `https://errata.example`; absent without ERRATA_URL. */
  readonly origin?: string;
  /** True if this machine needs no sign-in: ERRATA_LOCAL. */
  readonly isLocalOpen: boolean;
  /** Hosts with ports, `127.0.0.1:18900`, to which alerts may go although they are not public. */
  readonly allowedTargets: readonly string[];
  readonly email?: SendEmail;
  /** The address of the sender of email. */
  readonly emailFrom?: string;
}

/** True if the deployment can send mail. */
export function hasMail({ EMAIL, ERRATA_MAIL_FROM }: Partial<Bindings>): boolean {
  return EMAIL !== undefined && ERRATA_MAIL_FROM !== undefined;
}

/** The configuration of alerts. Invalid variables count as unset. */
export function readAlertDelivery(env: Bindings): AlertDelivery {
  const { ERRATA_URL = "", ERRATA_ALERT_TARGETS = "", ERRATA_MAIL_FROM: emailFrom, EMAIL } = env;
  const url = URL.canParse(ERRATA_URL) ? new URL(ERRATA_URL) : undefined;
  return {
    isLocalOpen: env.ERRATA_LOCAL === "open",
    allowedTargets: ERRATA_ALERT_TARGETS.split(/[\s,]+/).filter((target) => target !== ""),
    origin: url?.origin,
    email: EMAIL,
    emailFrom,
  };
}
