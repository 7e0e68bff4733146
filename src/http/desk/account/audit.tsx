/** `/settings/audit`: the changes in a project, for its owners. */
import { limits } from "../../../core/limits.ts";
import { AuditLog } from "../../../ui/settings/audit-log-page.tsx";
import type { AppContext } from "../../context.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { ignoreRejection } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** `?before=…` has older entries. JSON: `{"entries":[…]}`; 503 while the registry is unavailable. */
export const auditPage = definePage({
  path: "/settings/audit",
  role: "owner",
  title: "Audit log",
  note: () =>
    "Every change to this project and to its members’ profiles. Entries cannot be edited.",
  load: (c) => ({
    entries: ignoreRejection(awaitOrNull(c, listEntries(c))),
    pageSize: limits.auditEntriesPerPage,
    isFirstPage: readBefore(c) === undefined,
    nowMs: c.get("services").nowMs(),
  }),
  view: AuditLog,
  json: async (c) => ({ entries: await listEntries(c) }),
  dependency: "registry",
});

function listEntries(c: AppContext) {
  return c.get("services").registry.listAuditEntries(c.get("project"), readBefore(c));
}

/** The sequence of the oldest entry of the page before; undefined on the first page. */
function readBefore(c: AppContext): number | undefined {
  const sequence = Number(c.req.query("before"));
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : undefined;
}
