/** `/settings` of a project, for its owners: its name, keys, members, tokens; and `/settings/audit`, who changed what. */

import type { SettingsChange } from "../../../core/accounts/apply-change.ts";
import type { RegistryState } from "../../../core/accounts/registry.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { ok } from "../../../core/result.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { AuditLogPage } from "../../../ui/settings/audit-log-page.tsx";
import type { IssuedSecrets } from "../../../ui/settings/one-time-secret.tsx";
import { SettingsPage } from "../../../ui/settings/settings-page.tsx";
import { toDsn } from "../../../ui/setup/integration.ts";
import { closeLiveSocketsAfter } from "../../auth/close-live-sockets.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failures.ts";
import { readForm } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import { respondWithSecret } from "../../forms/respond.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { parseSettingsForm } from "./settings-form.ts";

/** The page. JSON: what it shows; of tokens and invitations their hashes are left out. */
export function serveSettings(c: AppContext): Promise<Response> {
  return sendSettingsPage(c);
}

/**
 * `POST /settings`: takes one change (`settings-change.ts`). Leads to the page; a code or a token that was made is on it, once. JSON:
 * `{"secrets":[…],"createdId":"…"}`. 403 for who is no owner now; 404 for what there is not; 409 for what would leave nobody in charge.
 */
export async function updateSettings(c: AppContext): Promise<Response> {
  const { registry } = c.get("services");
  const { actor } = c.get("principal");
  let action: SettingsChange["do"] | undefined;
  const response = await respondWithSecret(
    c,
    async () => {
      const change = await readForm(c.req.raw, "bad-settings", (fields) =>
        parseSettingsForm(fields, c.get("project")),
      );
      if (!change.ok) return change;
      action = change.value.do;
      const result = await registry.applyChange(actor, change.value);
      if (!result.ok) return result;
      closeLiveSocketsAfter(c, action, [c.get("project")]);
      if (action === "delete-project") await eraseProjectData(c);
      const { secrets = [], createdId } = result.value;
      const redirectTo = action === "delete-project" ? "/projects" : "/settings";
      return ok({ secrets, redirectTo, ...omitUndefined({ createdId }) });
    },
    (secrets) => sendSettingsPage(c, { issuedSecrets: action && { action, secrets } }),
  );
  return rerenderFormOnError(c, response, (rejected) => sendSettingsPage(c, { rejected }));
}

/** `/settings/audit?before=…`: a page of the log. JSON: `{"entries":[…]}`; 503 while the registry is away. */
export async function serveAuditLog(c: AppContext): Promise<Response> {
  const { registry, nowMs } = c.get("services");
  const action = Number(c.req.query("before") ?? Number.MAX_SAFE_INTEGER);
  const before = Number.isSafeInteger(action) && action > 0 ? action : Number.MAX_SAFE_INTEGER;
  const entries = ignoreRejection(registry.listAuditEntries(c.get("project"), before));
  if (wantsJson(c))
    return respondOrUnavailable(c, async () => ({ entries: await entries }), "registry");
  return sendPage(c, {
    title: "Audit log",
    route: "/settings/audit",
    content: (
      <Layout current="settings" isSignedIn>
        <AuditLogPage
          entries={ignoreRejection(awaitOrNull(c, entries))}
          pageSize={limits.auditEntriesPerPage}
          isFirstPage={before === Number.MAX_SAFE_INTEGER}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** Erases what the project had. What fails, and what still comes, is seen to by the cron (`worker.ts`). */
async function eraseProjectData(c: AppContext): Promise<void> {
  const { projectAdmin, logProblem } = c.get("services");
  await projectAdmin.eraseProject().catch(logProblem);
}

async function sendSettingsPage(
  c: AppContext,
  {
    issuedSecrets,
    rejected,
  }: { readonly issuedSecrets?: IssuedSecrets | undefined; readonly rejected?: RejectedForm } = {},
): Promise<Response> {
  const { registry, nowMs, config } = c.get("services");
  const registryCopy = await registry.readCopy();
  const id = c.get("project");
  const project = registryCopy.projects.find((candidate) => candidate.id === id);
  if (project === undefined) return toFailureResponse({ reason: "no-such-project" });
  const { origin } = new URL(c.req.url);
  const facts = {
    project,
    ...toSettingsLists(registryCopy, id),
    keys: registryCopy.keys
      .filter((candidate) => candidate.project === id)
      .map((candidate) => ({
        ...candidate,
        dsn: toDsn({ origin, project: id, key: candidate.key }),
      })),
    configKey: config.ingestKey,
  };
  if (wantsJson(c)) return c.json(facts);
  return sendPage(c, {
    title: "Settings",
    route: "/settings",
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="settings" isSignedIn>
        <SettingsPage
          {...facts}
          origin={origin}
          personId={c.get("principal").person?.id}
          lastUsed={ignoreRejection(
            awaitOrNull(c, registry.getLastUses()).then((found) => found ?? {}),
          )}
          issuedSecrets={issuedSecrets}
          error={rejected?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** The people, invitations and tokens of a project, without what they are known by. */
function toSettingsLists(registryCopy: RegistryState, id: string) {
  return {
    members: registryCopy.memberships
      .filter(({ project }) => project === id)
      .map(({ person, role }) => {
        const { name = person, accessName } =
          registryCopy.people.find((candidate) => candidate.id === person) ?? {};
        return { person, role, name, ...(accessName !== undefined && { access: accessName }) };
      }),
    invitations: registryCopy.invitations
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...invitation }) => invitation),
    tokens: registryCopy.tokens
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...token }) => token),
  };
}
