/** `/settings` of a project, for its owners: its name, keys, members, tokens; and `/settings/audit`, who changed what. */
import { limits } from "../core/limits.ts";
import type { SettingsChange } from "../core/registry/change.ts";
import type { Registry } from "../core/registry/registry.ts";
import { ok } from "../core/result.ts";
import { dsnAt } from "../ui/connect/recipe.ts";
import { Layout } from "../ui/layout.tsx";
import { AuditPage } from "../ui/pages/audit-page.tsx";
import { SettingsPage } from "../ui/pages/settings-page.tsx";
import type { Shown } from "../ui/settings/once.tsx";
import { answerShown } from "./change.ts";
import { failureResponse } from "./failures.ts";
import { readFields } from "./fields.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import { orPage, type Refused } from "./refused.ts";
import { dismissAfter } from "./rights-taken.ts";
import type { AppContext } from "./services.ts";
import { settingsChangeOf } from "./settings-change.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

/** The page. JSON: what it shows; of tokens and invitations their hashes are left out. */
export function settings(c: AppContext): Promise<Response> {
  return sendSettings(c);
}

/**
 * `POST /settings`: takes one change (`settings-change.ts`). Leads to the page; a code or a token that was made is on it, once. JSON:
 * `{"shown":[…],"made":"…"}`. 403 for who is no owner now; 404 for what there is not; 409 for what would leave nobody in charge.
 */
export async function changeSettings(c: AppContext): Promise<Response> {
  const { registry } = c.get("services");
  const { actor } = c.get("visitor");
  let asked: SettingsChange["do"] | undefined;
  const answer = await answerShown(
    c,
    async () => {
      const fields = await readFields(c.req.raw);
      const change = fields.ok ? settingsChangeOf(fields.value, c.get("project")) : fields;
      if (!change.ok) return change;
      asked = change.value.do;
      const made = await registry.change(actor, change.value);
      if (!made.ok) return made;
      dismissAfter(c, asked, [c.get("project")]);
      if (asked === "delete-project") await eraseAll(c);
      const { shown = [], made: id } = made.value;
      const leadsTo = asked === "delete-project" ? "/projects" : "/settings";
      return ok({ shown, leadsTo, ...(id !== undefined && { made: id }) });
    },
    (secrets) => sendSettings(c, { shown: asked && { asked, secrets } }),
  );
  return orPage(c, answer, (refused) => sendSettings(c, { refused }));
}

/** `/settings/audit?before=…`: a page of the log. JSON: `{"entries":[…]}`; 503 while the registry is away. */
export async function audit(c: AppContext): Promise<Response> {
  const { registry, nowMs } = c.get("services");
  const asked = Number(c.req.query("before") ?? Number.MAX_SAFE_INTEGER);
  const before = Number.isSafeInteger(asked) && asked > 0 ? asked : Number.MAX_SAFE_INTEGER;
  const entries = optional(registry.audit(c.get("project"), before));
  if (wantsJson(c))
    return answerOrUnavailable(c, async () => ({ entries: await entries }), "registry");
  return sendPage(c, {
    title: "Audit log",
    route: "/settings/audit",
    content: (
      <Layout current="settings" deskOpen>
        <AuditPage
          entries={optional(unlessAway(c, entries))}
          pageSize={limits.auditEntriesPerPage}
          isNewest={before === Number.MAX_SAFE_INTEGER}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** Erases what the project had. What fails, and what still comes, is seen to by the cron (`worker.ts`). */
async function eraseAll(c: AppContext): Promise<void> {
  const { keeping, logProblem } = c.get("services");
  await keeping.eraseProject().catch(logProblem);
}

async function sendSettings(
  c: AppContext,
  { shown, refused }: { readonly shown?: Shown | undefined; readonly refused?: Refused } = {},
): Promise<Response> {
  const { registry, nowMs, config } = c.get("services");
  const known = await registry.copy();
  const id = c.get("project");
  const project = known.projects.find((one) => one.id === id);
  if (project === undefined) return failureResponse({ reason: "no-such-project" });
  const { origin } = new URL(c.req.url);
  const facts = {
    project,
    ...listsOf(known, id),
    keys: known.keys
      .filter((one) => one.project === id)
      .map((one) => ({ ...one, dsn: dsnAt({ origin, project: id, key: one.key }) })),
    ownKey: config.ingestKey,
  };
  if (wantsJson(c)) return c.json(facts);
  return sendPage(c, {
    title: "Settings",
    route: "/settings",
    ...(refused && { status: refused.status }),
    content: (
      <Layout current="settings" deskOpen>
        <SettingsPage
          {...facts}
          origin={origin}
          me={c.get("visitor").person?.id}
          uses={optional(unlessAway(c, registry.uses()).then((found) => found ?? {}))}
          shown={shown}
          problem={refused?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** The people, invitations and tokens of a project, without what they are known by. */
function listsOf(known: Registry, id: string) {
  return {
    members: known.memberships
      .filter(({ project }) => project === id)
      .map(({ person, role }) => {
        const { name = person, access } = known.people.find((one) => one.id === person) ?? {};
        return { person, role, name, ...(access !== undefined && { access }) };
      }),
    invitations: known.invitations
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...invitation }) => invitation),
    tokens: known.tokens
      .filter(({ project }) => project === id)
      .map(({ hash: _, ...token }) => token),
  };
}
