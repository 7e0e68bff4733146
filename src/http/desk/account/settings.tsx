/** `/settings` of a project, for its owners: name, keys, noise, members, tokens. */

import { findKeyLeak } from "../../../core/accounts/key-leaks.ts";
import {
  getRegistryChange,
  parseChangeForm,
  type RegistryChange,
  type RegistryChangeName,
} from "../../../core/accounts/registry-changes.ts";
import { ok } from "../../../core/result.ts";
import { applyProjectChange } from "../../../operations/project-changes.ts";
import { readProjectSettings } from "../../../operations/project-settings.ts";
import { SettingsPage, type SettingsPageProps } from "../../../ui/settings/settings-page.tsx";
import { toDsn } from "../../../ui/setup/integration.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { isJsonClient, readForm } from "../../forms/form-body.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import type { Flash } from "../../forms/messages.ts";
import { createUndoId, respondWithSecret } from "../../forms/respond.ts";
import { toCall } from "../../operation-call.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { ignoreRejection } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** JSON: the same data; hashes are omitted. */
export const settingsPage = definePage<SettingsPageProps, Pick<SettingsPageProps, "issuedSecrets">>(
  {
    path: "/settings",
    role: "owner",
    title: "Settings",
    word: "Project",
    sections: { keys: "Keys", members: "Members", tokens: "Tokens" },
    note: ({ project }) => (
      <>
        For owners of <bdi>{project.name}</bdi>. See also{" "}
        <a href="/docs/access-and-roles">access and roles</a>.
      </>
    ),
    async load(c, { issuedSecrets }) {
      const { registry, nowMs } = c.get("services");
      const facts = await loadFacts(c);
      if (facts === null) return toFailureResponse({ reason: "no-such-project" });
      return {
        ...facts,
        origin: new URL(c.req.url).origin,
        personId: c.get("principal").person?.id,
        lastUsed: ignoreRejection(
          awaitOrNull(c, registry.getLastUses()).then((found) => found ?? {}),
        ),
        issuedSecrets,
        nowMs: nowMs(),
      };
    },
    view: SettingsPage,
    json: async (c) => (await loadFacts(c)) ?? toFailureResponse({ reason: "no-such-project" }),
    dependency: "registry",
  },
);

/**
 * `POST /settings`: applies one change of a project (`core/accounts/registry-changes.ts`). Redirects
 * to the page, or shows a new code, server key or token once. JSON:
 * `{"secrets":[…],"createdId":"…"}`. 403 for non-owners, 404 for unknown objects, 409 if the project
 * would have no owner.
 */
export async function updateSettings(c: AppContext): Promise<Response> {
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
      const result = await applyProjectChange(toCall(c), change);
      if (!result.ok) {
        const isTooLate = change.do === "restore" && result.reason === "not-found";
        const flash = { kind: "not-restored", count: 1 } as const;
        return isTooLate && !isJsonClient(c)
          ? ok({ secrets: [], redirectTo: "/settings", flash })
          : result;
      }
      const { secrets = [], createdId } = result.value;
      const redirectTo = change.do === "delete-project" ? "/projects" : "/settings";
      return ok({ secrets, redirectTo, createdId, flash: toChangeFlash(change) });
    },
    (secrets) => settingsPage.send(c, { issuedSecrets: made && { change: made, secrets } }),
  );
  return rerenderFormOnError(c, response, (rejected) => settingsPage.send(c, { rejected }));
}

/** The message of a removal, which can be undone, and of the undoing. */
function toChangeFlash({ do: name, undoId }: RegistryChange): Flash | undefined {
  if (name === "restore") return { kind: "restored", count: 1 };
  const { removalMessage: kind } = getRegistryChange(name);
  return kind && { kind, count: 1, undoId };
}

/** What owners see and change; null if the project was deleted. */
async function loadFacts(c: AppContext) {
  const { registry, config } = c.get("services");
  const settings = await readProjectSettings(toCall(c));
  if (settings === null) return null;
  const { origin } = new URL(c.req.url);
  return {
    ...settings,
    keys: settings.keys.map((key) =>
      key.kind === "public"
        ? { ...key, dsn: toDsn({ origin, project: key.project, key: key.key }) }
        : key,
    ),
    configKey: config.ingestKey,
    configServerKey:
      config.serverKeyHash === undefined
        ? undefined
        : { leak: findKeyLeak(await registry.readCopy(), config.serverKeyHash) },
  };
}
