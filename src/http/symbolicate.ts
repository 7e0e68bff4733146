/** The stacks of reports in the original source, if the project has their source maps. */
import type { Report } from "../core/report.ts";
import { mergeRequests, splitResponse } from "../core/symbolication/report/merge-requests.ts";
import type { Symbolication } from "../core/symbolication/report/original-stack.ts";
import { createResolveRequest } from "../core/symbolication/report/resolve-request.ts";
import type { AppContext } from "./context.ts";
import { awaitOrNull } from "./unavailable.ts";

/** `?raw=1` shows stacks as they were sent. */
const RAW_PARAM = "raw";

/**
 * The resolutions of a report's frames; null without a report or without frames that name a file.
 * At most one RPC. Never rejects.
 */
export async function symbolicate(
  c: AppContext,
  report: Report | null,
): Promise<Symbolication | null> {
  const [symbolication = null] = await symbolicateAll(c, [report]);
  return symbolication;
}

/** Like `symbolicate`, for several reports in their order: one RPC for all reports of a build. */
export async function symbolicateAll(
  c: AppContext,
  reports: readonly (Report | null)[],
): Promise<readonly (Symbolication | null)[]> {
  const requests = reports.map((report) => report && createResolveRequest(report));
  if (c.req.query(RAW_PARAM) === "1")
    return requests.map((request) => request && { state: "as-sent" });
  const { sourceMaps } = c.get("services");
  const answers = await Promise.all(
    mergeRequests(requests).map(async (merged) => {
      const stacks = await awaitOrNull(c, sourceMaps.resolveStacks(merged.request));
      return stacks === null ? [] : [...splitResponse(merged, stacks)];
    }),
  );
  const byIndex = new Map(answers.flat());
  return requests.map((request, index) => {
    const stacks = byIndex.get(index);
    if (request === null) return null;
    return stacks === undefined ? { state: "unavailable" } : { state: "resolved", stacks };
  });
}
