/** Reopens a resolved issue that occurs again. Pure. */
import { limits } from "../limits.ts";
import { compareReleases, type FirstSeenLookup } from "../release/compare-releases.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { countNetworks, mergeNetworkSketches } from "../stats/network-sketch.ts";
import { isAtLeast, maxTrust, type Trust } from "../trust/trust.ts";
import type { Decision } from "./issue.ts";

/** Only public reports have a sketch of networks. */
type RegressingReport = Pick<
  ReportSummary,
  "atMs" | "lastAtMs" | "release" | "isLinked" | "trust" | "networkSketch"
>;

/**
 * The decision about an issue with trust level `issueTrust` after an occurrence; the same object if
 * nothing changes. A resolved issue regresses when it occurs after the decision, in the fixed
 * release or a later one. Without a release in the decision, every later occurrence counts. A
 * report reopens an issue only if its trust level is at least that of the issue, both now and at
 * the time of the decision. Public reports below that level reopen it together, once they came from
 * `limits.minReopeningNetworks` networks: a stranger has few.
 */
export function applyRegression(
  decision: Decision,
  { atMs, lastAtMs = atMs, release, isLinked, trust, networkSketch }: RegressingReport,
  issueTrust: Trust,
  getFirstSeenMs: FirstSeenLookup,
): Decision {
  if (decision.state !== "resolved" || isLinked || lastAtMs <= decision.atMs) return decision;
  if (!isRegressionIn(release, decision, getFirstSeenMs)) return decision;
  const needed = maxTrust(issueTrust, decision.trust ?? "public");
  if (!isAtLeast(trust, needed)) {
    const publicNetworks = mergeNetworkSketches(decision.publicNetworks, networkSketch);
    if (countNetworks(publicNetworks) < limits.minReopeningNetworks)
      return publicNetworks === decision.publicNetworks
        ? decision
        : { ...decision, publicNetworks };
  }
  return {
    v: 2,
    state: "open",
    atMs: decision.atMs,
    regressedAtMs: lastAtMs,
    regressedInRelease: release,
    resolvedInRelease: decision.release,
  };
}

function isRegressionIn(
  release: string | undefined,
  { release: fixedIn, inNextRelease, atMs }: Decision,
  getFirstSeenMs: FirstSeenLookup,
): boolean {
  if (fixedIn === undefined && inNextRelease === undefined) return true;
  // An occurrence without a release cannot prove a regression.
  if (release === undefined) return false;
  if (fixedIn !== undefined) return compareReleases(release, fixedIn, getFirstSeenMs) >= 0;
  return (getFirstSeenMs(release) ?? Number.POSITIVE_INFINITY) > atMs;
}
