/**
 * `/settings` of a project, for its owners: name, keys, noise, members, tokens; and
 * `/settings/audit`, the audit log.
 */

import { findKeyLeak } from "../../../core/accounts/key-leaks.ts";
import {
  findProject,
  type IngestKey,
  type RegistryState,
} from "../../../core/accounts/registry.ts";
import {
  getRegistryChange,
  parseChangeForm,
  type RegistryChange,
  type RegistryChangeName,
} from "../../../core/accounts/registry-changes.ts";
import { limits } from "../../../core/limits.ts";
import { ok } from "../../../core/result.ts";
import type { Flash } from "../../../ui/layout/flash-message.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { AuditLogPage } from "../../../ui/settings/audit-log-page.tsx";
import type { ListedKey } from "../../../ui/settings/ingest-keys.tsx";
import type { IssuedSecrets } from "../../../ui/settings/one-time-secret.tsx";
import { SettingsPage } from "../../../ui/settings/settings-page.tsx";
import { toDsn } from "../../../ui/setup/integration.ts";
import { closeLiveSocketsAfter } from "../../auth/close-live-sockets.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { isJsonClient, readForm } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import { createUndoId, respondWithSecret } from "../../forms/respond.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";

/** Serves the settings. JSON: the same data; hashes are omitted. */
export function serveSettings(c: AppContext): Promise<Response> {
  return sendSettingsPage(c);
}

/**
 * `POST /settings`: applies one change of a project (`core/accounts/registry-changes.ts`). Redirects
 * to the page, or shows a new code, server key or token once. JSON:
 * `{"secrets":[…],"createdId":"…"}`. 403 for non-owners, 404 for unknown objects, 409 if the project
 * would have no owner.
 */
export async function updateSettings(c: AppContext): Promise<Response> {
  const { registry, alerts } = c.get("services");
  let made: RegistryChangeName | undefined;
  const response = await respondWithSecret(
    c,
    async () => {
      const facts = {
        project: c.get("project"),
        origin: new URL(c.req.url).origin,
        undoId: createUndoId(c),
      };
      const form = await readForm(c.req.raw, "bad-settings", (fields) =>
        parseChangeForm("owner", Object.fromEntries(fields), facts),
      );
      if (!form.ok) return form;
      const change = form.value;
      made = change.do;
      const result = await registry.applyChange(c.get("principal").actor, change);
      if (!result.ok) {
        const isTooLate = change.do === "restore" && result.reason === "not-found";
        const flash = { kind: "not-restored", count: 1 } as const;
        return isTooLate && !isJsonClient(c)
          ? ok({ secrets: [], redirectTo: "/settings", flash })
          : result;
      }
      closeLiveSocketsAfter(c, change.do, [facts.project]);
      if (change.do === "delete-project") await eraseProjectData(c);
      // Without this, the person gets messages until the copy of the registry is a minute old.
      if (change.do === "remove-member") await awaitOrNull(c, alerts.removePerson(change.person));
      const { secrets = [], createdId } = result.value;
      const redirectTo = change.do === "delete-project" ? "/projects" : "/settings";
      return ok({ secrets, redirectTo, createdId, flash: toChangeFlash(change) });
    },
    (secrets) => sendSettingsPage(c, { issuedSecrets: made && { change: made, secrets } }),
  );
  return rerenderFormOnError(c, response, (rejected) => sendSettingsPage(c, { rejected }));
}

/** The message of a removal, which can be undone, and of the undoing. */
function toChangeFlash({ do: name, undoId }: RegistryChange): Flash | undefined {
  if (name === "restore") return { kind: "restored", count: 1 };
  const { removalMessage: kind } = getRegistryChange(name);
  return kind && { kind, count: 1, undoId };
}

/**
 * `/settings/audit?before=…`: a page of the audit log. JSON: `{"entries":[…]}`; 503 while the
 * registry is unavailable.
 */
export async function serveAuditLog(c: AppContext): Promise<Response> {
  const { registry, nowMs } = c.get("services");
  const sequence = Number(c.req.query("before") ?? Number.MAX_SAFE_INTEGER);
  const before =
    Number.isSafeInteger(sequence) && sequence > 0 ? sequence : Number.MAX_SAFE_INTEGER;
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
        return { person, role, name, access: accessName };
      }),
    invitations: registryCopy.invitations
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...invitation }) => invitation),
    tokens: registryCopy.tokens
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...token }) => token),
  };
}
