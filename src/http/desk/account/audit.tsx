/** `/settings/audit`: the changes in a project, for its owners. */
import { limits } from "../../../core/limits.ts";
import { listAuditEntries } from "../../../operations/project-settings.ts";
import { AuditLog } from "../../../ui/settings/audit-log-page.tsx";
import type { AppContext } from "../../context.ts";
import { toCall, toReadFailureResponse } from "../../operation-call.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { ignoreRejection } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** `?before=…` has older entries. JSON: `{"entries":[…]}`; 503 while the registry is unavailable. */
export const auditPage = definePage({
  path: "/settings/audit",
  role: listAuditEntries.role,
  title: "Audit log",
  note: () =>
    "Every change to this project and to its members’ profiles. Entries cannot be edited.",
  async load(c) {
    const before = readBefore(c);
    const loaded = await listAuditEntries.load({ from: before }, toCall(c));
    if (!loaded.ok) return toReadFailureResponse(loaded);
    return {
      entries: ignoreRejection(awaitOrNull(c, loaded.value.entries)),
      pageSize: limits.auditEntriesPerPage,
      isFirstPage: before === undefined,
      nowMs: c.get("services").nowMs(),
    };
  },
  view: AuditLog,
  async json(c) {
    const loaded = await listAuditEntries.load({ from: readBefore(c) }, toCall(c));
    return loaded.ok ? { entries: await loaded.value.entries } : toReadFailureResponse(loaded);
  },
  dependency: "registry",
});

/** The sequence of the oldest entry of the page before; undefined on the first page. */
function readBefore(c: AppContext): string | undefined {
  const sequence = Number(c.req.query("before"));
  return Number.isSafeInteger(sequence) && sequence > 0 ? `${sequence}` : undefined;
}
