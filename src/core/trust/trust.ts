/**
 * The trust level of a report states how its sender was authenticated. `http/ingest` decides it
 * from the credentials of the request, never from the contents of the report.
 *
 * - `server`: a server key, the tail binding, or Errata's own render.
 * - `page`: a page token, which a render signed for the page that sent the report.
 * - `public`: a public key, which every visitor can read in a page, or no key.
 */
export type Trust = "server" | "page" | "public";

/** Every level, the highest first. */
export const TRUST_LEVELS: readonly Trust[] = ["server", "page", "public"];

/** 2 for `server`, 1 for `page`, 0 for `public`. */
export type TrustRank = 0 | 1 | 2;

/** The rank of a level. */
export function toTrustRank(trust: Trust): TrustRank {
  return trust === "server" ? 2 : trust === "page" ? 1 : 0;
}

/**
 * True for `server` and `page`. Every visitor of a signed page can send page reports, but only a
 * few for each page that a server rendered for them. So `page` ranks below `server`: compare with
 * `toTrustRank` wherever a report could change or displace what a server reported.
 */
export function isTrusted(trust: Trust): boolean {
  return trust !== "public";
}

/** The higher level. */
export function maxTrust(a: Trust, b: Trust): Trust {
  return toTrustRank(a) >= toTrustRank(b) ? a : b;
}
