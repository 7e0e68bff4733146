/** `/scope`: the environment and the period of a project's pages, as a page and as a form. */
import { ok } from "../../../core/result.ts";
import { parseEnvironment, parsePeriod, type Scope } from "../../../core/scope.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { ScopePage } from "../../../ui/layout/scope-page.tsx";
import { ALL_ENVIRONMENTS, SCOPE_PATH } from "../../../ui/parts/scope-switch.tsx";
import type { AppContext } from "../../context.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { toProjectUrl } from "../../project-url.ts";
import { toSafePath } from "../../safe-path.ts";
import { createScopeCookies, readScope } from "../../scope-cookie.ts";
import { sendPage } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** The page. Browsers with scripts show its list of environments in the menu of the header. */
export async function serveScope(c: AppContext): Promise<Response> {
  const values = await awaitOrNull(
    c,
    c.get("services").projectStore.listValues({ key: "env", text: "" }),
  );
  return sendPage(c, {
    title: "Environment and period",
    route: SCOPE_PATH,
    content: (
      <Layout isSignedIn>
        <ScopePage
          environments={values?.values.map(([name]) => name) ?? []}
          isComplete={values !== null && values.isCut !== true}
        />
      </Layout>
    ),
  });
}

/**
 * Takes `environment` (`*` for all) or `period`, and `returnTo`, a path on this host ("/" by
 * default). Stores both in cookies and redirects to `returnTo`; JSON:
 * `{"environment":"production","period":"24h"}`, with null for all environments.
 */
export function updateScope(c: AppContext): Promise<Response> {
  return respondToAction(c, async () => {
    const form = await readForm(c.req.raw, "bad-form", (fields) =>
      parseScopeForm(fields, readScope(c).environment),
    );
    if (!form.ok) return form;
    const { scope, returnTo } = form.value;
    for (const cookie of createScopeCookies(c, scope))
      c.header("Set-Cookie", cookie, { append: true });
    const { environment = null, period = readScope(c).period } = scope;
    return ok({ body: { environment, period }, redirectTo: toReturnPath(c, returnTo) });
  });
}

/** The page of the setting itself leads to the issues. */
function toReturnPath(c: AppContext, path: unknown): string {
  const safe = toSafePath(c, path);
  const [pathname] = safe.split("?");
  return pathname === toProjectUrl(c, SCOPE_PATH) ? toProjectUrl(c, "/issues") : safe;
}

function parseScopeForm(
  fields: FormFields,
  stored: string | undefined,
): Parsed<{ readonly scope: Partial<Scope>; readonly returnTo: unknown }> {
  const [chosen, period] = [fields.get("environment"), fields.get("period")];
  const parsedPeriod = parsePeriod(period);
  if (period !== undefined && parsedPeriod === undefined)
    return expected("period to be 24h, 7d, 14d or 30d");
  const environment = chosen === undefined ? stored : parseEnvironment(chosen);
  if (chosen !== undefined && environment === undefined)
    return expected("environment to be a name of at most 200 characters, or * for all");
  const scope = {
    environment: chosen === ALL_ENVIRONMENTS ? undefined : environment,
    period: parsedPeriod,
  };
  return ok({ scope, returnTo: fields.get("returnTo") });
}
