/** `POST /theme`: chooses the colours of Errata's pages in this browser, by a plain form or as JSON. */
import { fail, ok, type Result } from "../../../core/result.ts";
import { THEMES, type Theme } from "../../../ui/layout/theme-form.tsx";
import type { AppContext } from "../../context.ts";
import type { FormBodyFailure } from "../../failures.ts";
import { type FormFields, readFormBody } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { createThemeCookie } from "../../theme-cookie.ts";

/**
 * Takes `theme` (`system`, `light` or `dark`) and `returnTo`, a path of this host. Leads to `returnTo`, by default the start page; JSON:
 * `{"theme":"dark"}`. 400, 413 or 415 for fields that choose nothing; otherwise as `answerChange` says.
 */
export function updateTheme(c: AppContext): Promise<Response> {
  const url = new URL(c.req.url);
  return respondToAction(c, async () => {
    const fields = await readFormBody(c.req.raw);
    if (!fields.ok) return fields;
    const theme = parseTheme(fields.value);
    if (!theme.ok) return theme;
    c.header("Set-Cookie", createThemeCookie(theme.value, url));
    return ok({
      body: { theme: theme.value },
      redirectTo: toSafePath(url, fields.value.get("returnTo")),
    });
  });
}

function parseTheme(fields: FormFields): Result<Theme, FormBodyFailure> {
  const theme = THEMES.find((name) => name === fields.get("theme"));
  return theme === undefined
    ? fail({ reason: "bad-form", expected: `a theme: ${THEMES.join(", ")}` })
    : ok(theme);
}

/** The path and query of an address on this very host; the start page for any other. */
function toSafePath({ origin }: URL, back: unknown): string {
  const path = typeof back === "string" && back.startsWith("/") ? back : "/";
  if (!URL.canParse(path, origin)) return "/";
  const url = new URL(path, origin);
  // Written out again it may still begin with two slashes, which lead to another host.
  return url.origin === origin && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
