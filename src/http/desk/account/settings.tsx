/**
 * `/settings` of a project, for its owners: name, keys, noise, members, tokens; and
 * `/settings/audit`, the audit log.
 */

import type { SettingsChange } from "../../../core/accounts/apply-change.ts";
import { findKeyLeak } from "../../../core/accounts/key-leaks.ts";
import {
  findProject,
  type IngestKey,
  type RegistryState,
} from "../../../core/accounts/registry.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { ok } from "../../../core/result.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { AuditLogPage } from "../../../ui/settings/audit-log-page.tsx";
import type { ListedKey } from "../../../ui/settings/ingest-key-entry.tsx";
import type { IssuedSecrets } from "../../../ui/settings/one-time-secret.tsx";
import { SettingsPage } from "../../../ui/settings/settings-page.tsx";
import { toDsn } from "../../../ui/setup/integration.ts";
import { closeLiveSocketsAfter } from "../../auth/close-live-sockets.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { isJsonClient, readForm } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import type { Flash, FlashKind } from "../../forms/messages.ts";
import { createUndoId, respondWithSecret } from "../../forms/respond.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { parseSettingsForm } from "./settings-form.ts";

/** Serves the settings. JSON: the same data; hashes are omitted. */
export function serveSettings(c: AppContext): Promise<Response> {
  return sendSettingsPage(c);
}

/**
 * `POST /settings`: applies one change (see `settings-form.ts`). Redirects to the page, or shows a
 * new code, server key or token once. JSON: `{"secrets":[…],"createdId":"…"}`. 403 for non-owners,
 * 404 for unknown objects, 409 if the project would have no owner.
 */
export async function updateSettings(c: AppContext): Promise<Response> {
  const { registry } = c.get("services");
  const { actor } = c.get("principal");
  let action: SettingsChange["do"] | undefined;
  const response = await respondWithSecret(
    c,
    async () => {
      const change = await readForm(c.req.raw, "bad-settings", (fields) =>
        parseSettingsForm(fields, c.get("project"), new URL(c.req.url).origin),
      );
      if (!change.ok) return change;
      action = change.value.do;
      const removal = REMOVALS[action];
      const undoId = removal && createUndoId(c);
      const result = await registry.applyChange(actor, {
        ...change.value,
        ...(undoId && { undoId }),
      });
      if (!result.ok) {
        const isTooLate = action === "restore" && result.reason === "not-found";
        const flash = { kind: "not-restored", count: 1 } as const;
        return isTooLate && !isJsonClient(c)
          ? ok({ secrets: [], redirectTo: "/settings", flash })
          : result;
      }
      closeLiveSocketsAfter(c, action, [c.get("project")]);
      if (action === "delete-project") await eraseProjectData(c);
      // Without this, the person gets messages until the copy of the registry is a minute old.
      if (change.value.do === "remove-member")
        await awaitOrNull(c, c.get("services").alerts.removePerson(change.value.person));
      const { secrets = [], createdId } = result.value;
      const redirectTo = action === "delete-project" ? "/projects" : "/settings";
      const flash: Flash | undefined =
        action === "restore"
          ? { kind: "restored", count: 1 }
          : removal && { kind: removal, count: 1, undoId };
      return ok({ secrets, redirectTo, ...omitUndefined({ createdId, flash }) });
    },
    (secrets) => sendSettingsPage(c, { issuedSecrets: action && { action, secrets } }),
  );
  return rerenderFormOnError(c, response, (rejected) => sendSettingsPage(c, { rejected }));
}

/** The messages of changes that can be undone. */
const REMOVALS: Readonly<Partial<Record<SettingsChange["do"], FlashKind>>> = {
  "revoke-token": "token-revoked",
  "revoke-key": "key-revoked",
  "withdraw-invitation": "invitation-withdrawn",
};

/**
 * `/settings/audit?before=…`: a page of the audit log. JSON: `{"entries":[…]}`; 503 while the
 * registry is unavailable.
 */
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

/**
 * Erases the project's data. The cron job in `worker.ts` erases what fails here or arrives later.
 */
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
  const project = findProject(registryCopy, id);
  if (project === undefined) return toFailureResponse({ reason: "no-such-project" });
  const { origin } = new URL(c.req.url);
  const facts = {
    project,
    ...toSettingsLists(registryCopy, id),
    keys: registryCopy.keys
      .filter((candidate) => candidate.project === id)
      .map((candidate) => toListedKey(candidate, origin)),
    configKey: config.ingestKey,
    configServerKey:
      config.serverKeyHash === undefined
        ? undefined
        : { leak: findKeyLeak(registryCopy, config.serverKeyHash) },
  };
  if (wantsJson(c)) return c.json(facts);
  return sendPageWithFlash(c, (flash) => ({
    title: "Settings",
    route: "/settings",
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="settings" isSignedIn flash={flash}>
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
  }));
}

/** The hash of a server key can sign page tokens, so it is a secret too. */
function toListedKey(key: IngestKey, origin: string): ListedKey {
  if (key.kind === "public")
    return { ...key, dsn: toDsn({ origin, project: key.project, key: key.key }) };
  const { hash: _, ...listed } = key;
  return listed;
}

/** Members, invitations and tokens of a project, without hashes. */
function toSettingsLists(registryCopy: RegistryState, id: string) {
  return {
    members: registryCopy.memberships
      .filter(({ project }) => project === id)
      .map(({ person, role }) => {
        const { name = person, accessName } =
          registryCopy.people.find((candidate) => candidate.id === person) ?? {};
        return { person, role, name, ...omitUndefined({ access: accessName }) };
      }),
    invitations: registryCopy.invitations
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...invitation }) => invitation),
    tokens: registryCopy.tokens
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...token }) => token),
  };
}
