/** `/status`: ingest outcomes and storage health, for operators; also as JSON. */

import { getStatus } from "../../operations/status.ts";
import { StatusPage } from "../../ui/status/status-page.tsx";
import { respondWithOutput, toCall, toReadFailureResponse } from "../operation-call.ts";
import { definePage } from "../pages/settings-page.tsx";
import { awaitOrNull } from "../unavailable.ts";

/**
 * Outcomes of the last seven days, the delay of copies in KV, and the running job. There are no
 * outcomes during a rebuild. JSON: 503 while the index is unavailable.
 */
export const statusPage = definePage({
  path: "/status",
  role: getStatus.role,
  title: "Status",
  note: () => (
    <>
      Each accepted item is counted once by outcome. Requests rejected before parsing (invalid key,
      rate limit) are not counted. See also <a href="/docs/limits-and-costs">limits and costs</a>.
    </>
  ),
  async load(c) {
    const loaded = await getStatus.load({}, toCall(c));
    if (!loaded.ok) return toReadFailureResponse(loaded);
    const { stats, health, ...parts } = loaded.value;
    return {
      ...parts,
      stats: stats.catch(() => undefined),
      health: awaitOrNull(c, health),
      startedJob: c.req.query("startedJob"),
      nowMs: c.get("services").nowMs(),
    };
  },
  view: StatusPage,
  json: (c) => respondWithOutput(c, getStatus, {}),
});
