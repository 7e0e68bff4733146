/** `POST /theme`: sets the color theme of this browser, as a form or as JSON. */
import { ok } from "../../../core/result.ts";
import { THEMES, type Theme } from "../../../ui/parts/theme-form.tsx";
import type { AppContext } from "../../context.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { toSafePath } from "../../safe-path.ts";
import { createThemeCookie } from "../../theme-cookie.ts";

/**
 * Takes `theme` (`system`, `light` or `dark`) and `returnTo`, a path on this host ("/" by default).
 * Redirects to `returnTo`; JSON: `{"theme":"dark"}`. 400, 413 or 415 for an invalid form; otherwise
 * see `respondToAction`.
 */
export function updateTheme(c: AppContext): Promise<Response> {
  return respondToAction(c, async () => {
    const form = await readForm(c.req.raw, "bad-form", parseThemeForm);
    if (!form.ok) return form;
    const { theme, returnTo } = form.value;
    c.header("Set-Cookie", createThemeCookie(theme, new URL(c.req.url)));
    return ok({ body: { theme }, redirectTo: toSafePath(c, returnTo) });
  });
}

function parseThemeForm(
  fields: FormFields,
): Parsed<{ readonly theme: Theme; readonly returnTo: unknown }> {
  const theme = THEMES.find((name) => name === fields.get("theme"));
  return theme === undefined
    ? expected(`theme to be one of ${THEMES.join(", ")}`)
    : ok({ theme, returnTo: fields.get("returnTo") });
}
