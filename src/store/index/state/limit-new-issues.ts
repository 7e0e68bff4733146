/**
 * Limits the issues that public and page reports create: invented errors would fill the storage and
 * hide real ones. One network has a small share of the limit of public reports. Reports beyond the
 * limit count in the issue "Other anonymous reports". Synchronous.
 */
import {
  OTHER_ANONYMOUS_DIGEST,
  toOtherAnonymousSummary,
} from "../../../core/issue/other-anonymous-reports.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { listNetworks } from "../../../core/stats/network-sketch.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { IndexTables } from "./index-tables.ts";

type Caps = IndexTables["caps"];

/**
 * The summary that counts for a report without an issue: the report's own, which creates the issue,
 * or above a daily limit that of "Other anonymous reports".
 */
export function limitNewIssue({ caps }: Pick<IndexTables, "caps">, summary: ReportSummary) {
  const { digest, position } = summary;
  if (digest === OTHER_ANONYMOUS_DIGEST) return summary;
  return takeNewIssue(caps, hourToDay(position), summary) ? summary : toOthers(summary);
}

/** The summary that counts in "Other anonymous reports". */
export function toOthers(summary: ReportSummary): ReportSummary {
  return { ...toOtherAnonymousSummary(summary), position: summary.position };
}

/**
 * False if the day has reached a limit for this level or for the networks of the sketch. Issues of
 * servers have no limit.
 */
export function takeNewIssue(
  caps: Caps,
  day: string,
  { trust, networkSketch }: Pick<ReportSummary, "trust" | "networkSketch">,
): boolean {
  if (trust === "server") return true;
  if (trust === "page") return caps.take(day, "page-issue", limits.maxNewPageIssuesPerDay) > 0;
  const max = limits.maxNewPublicIssuesPerDay;
  // First, so that the networks above the limit of the project write no rows.
  if (!caps.hasRoom(day, "issue", max) || !takeOfNetwork(caps, day, networkSketch)) return false;
  return caps.take(day, "issue", max) > 0;
}

/**
 * True if the network that sent a report has a new issue left, or of several networks any. True if
 * the network is unknown: a local server knows no addresses.
 */
function takeOfNetwork(caps: Caps, day: string, networkSketch: string | undefined): boolean {
  const networks = listNetworks(networkSketch);
  const max = limits.maxNewIssuesPerNetworkAndDay;
  return networks.length === 0 || networks.some((one) => caps.take(day, `network-${one}`, max) > 0);
}
