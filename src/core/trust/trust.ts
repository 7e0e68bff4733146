/**
 * The trust level of a report states how its sender was authenticated. `http/ingest` decides it
 * from the credentials of the request, never from the contents of the report.
 *
 * - `server`: a server key, the tail binding, or Errata's own render.
 * - `page`: a page token, which a render signed for the page that sent the report.
 * - `public`: a public key, which every visitor can read in a page, or no key.
 *
 * A level is a mark, not a rank: lists, counts and charts treat all issues alike. `TRUST_POLICY`
 * states what a report of each level may change.
 */
export type Trust = "server" | "page" | "public";

/** Every level, the most reliable first. */
export const TRUST_LEVELS: readonly Trust[] = ["server", "page", "public"];

/** How reports of each level were sent, after a number or a noun. */
export const SENT_HOW: Readonly<Record<Trust, string>> = {
  server: "with a server key",
  page: "by a signed page",
  public: "with a public key or none",
};

/** A series of a chart. Reports with a server key are of servers, all others of browsers. */
export type Origin = "server" | "browser";

/** Every series, in the order of a stack. */
export const ORIGINS: readonly Origin[] = ["server", "browser"];

/** The changes that reports of a level may make. */
interface TrustPolicy {
  /**
   * A report changes what another one determined (the description of an issue, the first time of a
   * release, the state that a person set) only if its level outranks the other, or equals it.
   */
  readonly rank: TrustRank;
  readonly origin: Origin;
  /** Anyone can send reports of the level. They have limits of their own for everything. */
  readonly isOpen: boolean;
  /** The greatest age of a report, ms. An older one counts at the time of its receipt. */
  readonly maxAgeMs: number;
  /** Reports keep their ids, by which retries are found; others get ids of their level. */
  readonly keepsIds: boolean;
  /** Reports keep the values of local variables. */
  readonly keepsVars: boolean;
  /** An issue of the level has a receipt, and its trace finds the reports of browsers. */
  readonly provesIssues: boolean;
  /** Sessions count in crash-free rates although others named the release. */
  readonly provesSessions: boolean;
}

/** 2 for `server`, 1 for `page`, 0 for `public`. */
export type TrustRank = 0 | 1 | 2;

// No import: modules of the folder above import this one.
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const UNPROVEN = { keepsIds: false, keepsVars: false, provesIssues: false, provesSessions: false };

/** The policy of each level. */
export const TRUST_POLICY: Readonly<Record<Trust, TrustPolicy>> = {
  server: {
    rank: 2,
    origin: "server",
    isOpen: false,
    maxAgeMs: 30 * DAY_MS,
    keepsIds: true,
    keepsVars: true,
    provesIssues: true,
    provesSessions: true,
  },
  page: {
    rank: 1,
    origin: "browser",
    isOpen: false,
    maxAgeMs: HOUR_MS,
    ...UNPROVEN,
  },
  public: {
    rank: 0,
    origin: "browser",
    isOpen: true,
    maxAgeMs: HOUR_MS,
    ...UNPROVEN,
  },
};

/** The rank of a level. */
export function toTrustRank(trust: Trust): TrustRank {
  return TRUST_POLICY[trust].rank;
}

/** True if reports of a level change what reports of another one determined: same or higher. */
export function isAtLeast(trust: Trust, other: Trust): boolean {
  return toTrustRank(trust) >= toTrustRank(other);
}

/** True for `server` and `page`, which need a secret key or its signature. */
export function isTrusted(trust: Trust): boolean {
  return !TRUST_POLICY[trust].isOpen;
}

/** The higher level. */
export function maxTrust(a: Trust, b: Trust): Trust {
  return isAtLeast(a, b) ? a : b;
}
